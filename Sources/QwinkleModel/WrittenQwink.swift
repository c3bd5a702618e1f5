/// One of the user's own qwinks, loaded so that it can be posted again. Fields that this version of Qwinkle can't post
/// are listed separately.
public struct WrittenQwink: Hashable, Sendable {
  public var qwink: Qwink
  /// The API names of the fields that can't be posted again, sorted.
  public var unsupported: [String]

  public init(_ qwink: Qwink, unsupported: [String] = []) {
    self.qwink = qwink
    self.unsupported = unsupported
  }
}
