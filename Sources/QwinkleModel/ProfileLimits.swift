extension ServerInfo {
  /// A server's limits for profiles, in characters if not stated otherwise. Defaults to Mastodon's.
  public struct ProfileLimits: Hashable, Sendable {
    public var name = 30
    public var note = 500
    /// Maximum number of fields.
    public var fields = 4
    public var fieldName = 255
    public var fieldValue = 255
    /// Maximum number of featured hashtags.
    public var featuredTags = 10

    public init() {}
  }
}
