/// One of the user's own qwinks, with the fields that its author set and that this version can't post again.
public struct WrittenQwink: Hashable, Sendable {
  public var qwink: Qwink
  /// Names of such fields, as on the wire, sorted.
  public var unsupported: [String]

  public init(_ qwink: Qwink, unsupported: [String] = []) {
    self.qwink = qwink
    self.unsupported = unsupported
  }
}
