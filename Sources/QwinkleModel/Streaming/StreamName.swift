/// A stream of what happens on a server: <https://docs.joinmastodon.org/methods/streaming/>.
public enum StreamName: Hashable, Sendable {
  /// What comes into my home timeline, and my notifications.
  case user
  /// My notifications alone.
  case notifications
  case `public`
  /// The public qwinks of the server's own people.
  case local
  /// Public qwinks with a tag, given without `#` and in lower case.
  case tag(String)
  /// My conversations.
  case direct

  /// The stream that has what comes into a timeline; nil if there is none.
  public init?(_ timeline: TimelineName) {
    switch timeline {
    case .home: self = .user
    case .public: self = .public
    case .local: self = .local
    case .tag(let tag):
      // A stream has one tag.
      if tag.contains("+") { return nil }
      self = .tag(tag.lowercased())
    case .qwinker, .part, .list, .trending, .bookmarks, .favourites: return nil
    }
  }

  /// A stream by its words in messages, such as `hashtag`, `tea`; nil if they name none.
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

  /// The tag, if it has one.
  public var tag: String? {
    if case .tag(let tag) = self { tag } else { nil }
  }

  /// Whether only somebody signed in has it.
  public var needsAccount: Bool {
    switch self {
    case .user, .notifications, .direct: true
    case .public, .local, .tag: false
    }
  }
}
