import QwinkleModel

/// The limits on disk space, posts and connections that the operator of `qwinkle serve` sets for each user. An embedded
/// service has none.
public struct ServiceQuotas: Hashable, Sendable {
  /// The most bytes of an account's pictures.
  public var pictures = 500 << 20
  /// The most bytes of all pictures.
  public var picturesInAll = 10 << 30
  /// The most bytes of an account's posts in the database, as estimated from the lengths of their texts.
  public var text = 200 << 20
  /// The most posts of an account in a minute.
  public var postsAMinute = 30
  /// The most open connections of a user or an address.
  public var connectionsAUser = 256

  public init() {}

  /// The limits of the budget that the operator can change.
  var limits: [Resource: Resource.Limit] {
    [
      .postsAMinute: .postsAMinute(postsAMinute),
      .connections: .held(ofOne: connectionsAUser, ofAll: max(Self.connectionsInAll, connectionsAUser)),
    ]
  }

  private static let connectionsInAll = if case .held(_, let ofAll) = Resource.connections.limit { ofAll } else { 0 }

  /// The lines for disk space in ``LimitsTable``.
  var rows: [(name: String, ofOne: String, ofAll: String)] {
    [
      ("disk space for pictures", "\(Counted.bytes(pictures)) an account", Counted.bytes(picturesInAll)),
      ("disk space for posts", "\(Counted.bytes(text)) an account", ""),
      ("disk space that pictures leave free", "", DiskSpace.reserveWords),
    ]
  }
}
