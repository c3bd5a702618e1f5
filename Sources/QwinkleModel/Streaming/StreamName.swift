/// A stream of events on a server: <https://docs.joinmastodon.org/methods/streaming/>.
public enum StreamName: Hashable, Sendable {
  /// The user's home timeline and notifications.
  case user
  /// The user's notifications alone.
  case notifications
  case `public`
  /// Public qwinks of the server's own accounts.
  case local
  /// Public qwinks with a hashtag, given without `#` and in lower case.
  case tag(String)
  /// The user's conversations.
  case direct

  /// The stream of a timeline's updates. Returns nil if the timeline has no stream.
  public init?(_ timeline: TimelineName) {
    switch timeline {
    case .home: self = .user
    case .public: self = .public
    case .local: self = .local
    case .tag(let tag):
      // A stream supports only one hashtag.
      if tag.contains("+") { return nil }
      self = .tag(tag.lowercased())
    case .qwinker, .part, .list, .trending, .bookmarks, .favourites, .quotes: return nil
    }
  }

  /// Parses a stream's name as it appears in messages, such as `["hashtag", "tea"]`. Returns nil if the name is
  /// unknown.
  public init?(words: [String]) {
    switch words.first {
    case "user": self = .user
    case "user:notification": self = .notifications
    case "public": self = .public
    case "public:local": self = .local
    case "direct": self = .direct
    case "hashtag":
      guard words.count > 1, !words[1].isEmpty else { return nil }
      self = .tag(words[1].lowercased())
    default: return nil
    }
  }

  /// Its name in the API.
  public var word: String {
    switch self {
    case .user: "user"
    case .notifications: "user:notification"
    case .public: "public"
    case .local: "public:local"
    case .tag: "hashtag"
    case .direct: "direct"
    }
  }

  /// The hashtag, if any.
  public var tag: String? {
    if case .tag(let tag) = self { tag } else { nil }
  }

  /// Whether it requires a signed-in user.
  public var needsAccount: Bool {
    switch self {
    case .user, .notifications, .direct: true
    case .public, .local, .tag: false
    }
  }
}
