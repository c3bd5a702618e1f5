/// A server's description of itself.
public struct ServerInfo: Hashable, Sendable {
  public var title: String
  public var domain: String
  public var version: String
  public var summary: String
  public var streamingURL: String?
  public var limits: Limits
  /// Whether anyone can register without approval.
  public var isOpen = false
  public var rules: [ServerRule] = []
  /// Whether the server describes notifications of kinds that a client doesn't support (version 10 of Mastodon's API).
  public var describesNotifications = false
  /// A picture of the server, if any.
  public var thumbnailURL: String?
  /// Whether the server supports only version 1 of the instance API. Typical of servers that implement only part of
  /// Mastodon's API.
  public var isFirstVersion = false
  /// Whether the server supports quotes, judging by the version of its API. Nil if it reports no version.
  public var supportsQuotes: Bool?
  /// Usage statistics; nil if unknown.
  public var stats: Stats?

  /// Usage statistics. Unknown values are 0: version 1 of the API reports users and posts, version 2 active users.
  public struct Stats: Hashable, Sendable {
    public var users: Int
    public var posts: Int
    /// Users who posted in the last month.
    public var active: Int

    public var isUnknown: Bool { self == Stats() }

    public init(users: Int = 0, posts: Int = 0, active: Int = 0) {
      self.users = users
      self.posts = posts
      self.active = active
    }
  }

  /// A server's limits. Defaults to Mastodon's.
  public struct Limits: Hashable, Sendable {
    /// Maximum length of a qwink, counted as the server does.
    public var characters: Int
    /// The number of characters that a link counts as, regardless of its length.
    public var charactersPerLink: Int
    public var attachments: Int
    /// Limits for uploads; nil if unknown.
    public var uploads: Uploads?
    public var polls = PollLimits()
    public var profile = ProfileLimits()
    /// Features that the server doesn't support, judging by its description.
    public var lacking: Set<Ability> = []

    public init(characters: Int = 500, charactersPerLink: Int = 23, attachments: Int = 4) {
      self.characters = characters
      self.charactersPerLink = charactersPerLink
      self.attachments = attachments
    }
  }

  /// A server's limits for attachments.
  public struct Uploads: Hashable, Sendable {
    /// Accepted media types, such as `image/png`. Empty if unknown.
    public var types: [String]
    /// Maximum size of a picture in bytes; 0 if unknown.
    public var bytes: Int
    /// Maximum size of a video or audio file in bytes; 0 if unknown.
    public var videoBytes = 0
    /// Maximum width times height of a picture; 0 if unknown.
    public var pixels: Int
    /// Maximum number of characters in a description; 0 if unknown.
    public var altTextCharacters: Int

    public init(types: [String], bytes: Int, pixels: Int, altTextCharacters: Int) {
      self.types = types
      self.bytes = bytes
      self.pixels = pixels
      self.altTextCharacters = altTextCharacters
    }
  }

  public init(
    title: String, domain: String, version: String = "", summary: String = "", streamingURL: String? = nil,
    limits: Limits = Limits()
  ) {
    self.title = title
    self.domain = domain
    self.version = version
    self.summary = summary
    self.streamingURL = streamingURL
    self.limits = limits
  }
}
