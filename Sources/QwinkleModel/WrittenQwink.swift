/// One of the user's own qwinks, with the names of its fields that this version can't post again.
public struct WrittenQwink: Hashable, Sendable {
  public var qwink: Qwink
  /// Wire names of those fields, sorted.
  public var unsupported: [String]

  public init(_ qwink: Qwink, unsupported: [String] = []) {
    self.qwink = qwink
    self.unsupported = unsupported
  }
}
