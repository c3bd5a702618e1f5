/// A server's description of itself.
public struct ServerInfo: Hashable, Sendable {
  public var title: String
  public var domain: String
  public var version: String
  public var summary: String
  public var streamingURL: String?
  public var limits: Limits
  /// Whether the server has only the first version of this description, like those with part of the API.
  public var isFirstVersion = false
  /// How much it is used; nil if it isn't known.
  public var stats: Stats?

  /// How much a server is used.
  public struct Stats: Hashable, Sendable {
    public var users: Int
    public var posts: Int
    /// Users who posted in the last month.
    public var active: Int

    public init(users: Int, posts: Int, active: Int) {
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

    public init(characters: Int = 500, charactersPerLink: Int = 23, attachments: Int = 4) {
      self.characters = characters
      self.charactersPerLink = charactersPerLink
      self.attachments = attachments
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
