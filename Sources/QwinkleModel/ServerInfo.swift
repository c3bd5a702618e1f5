/// A server's description of itself.
public struct ServerInfo: Hashable, Sendable {
  public var title: String
  public var domain: String
  public var version: String
  public var summary: String
  public var streamingURL: String?
  public var limits: Limits
  /// Whether anybody may register, without approval.
  public var isOpen = false
  /// Its rules in order.
  public var rules: [ServerRule] = []
  /// A picture of the server; nil if it has none.
  public var thumbnailURL: String?
  /// Whether the server has only the first version of this description, like those with part of the API.
  public var isFirstVersion = false
  /// How much it is used; nil if it isn't known.
  public var stats: Stats?

  /// How much a server is used. What isn't known is 0: the first version has users and posts, the second active users.
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

  /// A server's limits; Mastodon's defaults if it doesn't say.
  public struct Limits: Hashable, Sendable {
    /// Characters in a qwink, counted as the server does.
    public var characters: Int
    /// How many characters a link counts as, whatever its length.
    public var charactersPerLink: Int
    public var attachments: Int
    /// What may be uploaded; nil if it isn't known.
    public var uploads: Uploads?
    public var polls = PollLimits()
    /// What the description leaves out that others mention: the server can't.
    public var lacking: Set<Ability> = []

    public init(characters: Int = 500, charactersPerLink: Int = 23, attachments: Int = 4) {
      self.characters = characters
      self.charactersPerLink = charactersPerLink
      self.attachments = attachments
    }
  }

  /// What a server takes as an attachment.
  public struct Uploads: Hashable, Sendable {
    /// Media types, such as `image/png`.
    public var types: [String]
    /// The largest picture; 0 if it isn't known.
    public var bytes: Int
    /// The largest video or sound; 0 if it isn't known.
    public var videoBytes = 0
    /// The largest picture: its width times its height.
    public var pixels: Int
    /// The longest alternative text.
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
