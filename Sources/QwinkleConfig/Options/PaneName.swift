public import QwinkleModel

/// The content of a pane, as written in a layout.
public enum PaneName: Hashable, Sendable {
  /// `home`, `#garden`, or a list with its ID: `list/5/Friends`.
  case timeline(TimelineName)
  /// One of the user's lists by title: `list/Friends`.
  case list(String)
  /// One of the user's views: `view/trains`.
  case view(String)
  /// A public timeline of another server: `tilde.example/local`, `tilde.example/#garden`.
  case remote(RemoteTimeline)
  /// A search: `search/leek soup`.
  case search(String)
  /// A profile by handle, without `@`: `@bob@tilde.example`.
  case user(String)
  /// A chat by the handles of the others, without `@`: `chat/@bob @carol`.
  case chat([String])
  /// A post with its replies, by the post's ID: `thread/109`.
  case thread(Qwink.ID)
  /// One of ``screens``.
  case screen(String)

  /// The screens without parameters that aren't timelines.
  public static let screens = [
    "messages", "notifications", "search", "views", "catchup", "drafts", "outbox", "resources", "scheduled", "lists",
    "filters", "tags", "announcements", "trends", "server", "filtered",
  ]

  /// All names without parameters.
  public static let words = TimelineName.words + screens

  private static let mostCharacters = 200

  /// Parses a name. Returns nil if no pane has this name.
  public init?(_ word: String) {
    guard word.utf8.count <= Self.mostCharacters else { return nil }
    if Self.screens.contains(word) {
      self = .screen(word)
    } else if let user = Self.handle(word) {
      self = .user(user)
    } else if let timeline = TimelineName(word: word) {
      self = .timeline(timeline)
    } else if !word.contains("://"), let remote = RemoteTimeline(word: word) {
      self = .remote(remote)
    } else {
      let parts = word.split(separator: "/", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "list": self = .list(parts[1])
      case "view": self = .view(parts[1])
      case "search": self = .search(parts[1])
      case "thread": self = .thread(Qwink.ID(parts[1]))
      case "chat":
        let handles = parts[1].split(separator: " ").map { Self.handle(String($0)) }
        guard !handles.isEmpty, !handles.contains(nil) else { return nil }
        self = .chat(handles.compactMap(\.self))
      default: return nil
      }
    }
  }

  private static func handle(_ word: String) -> String? { word.hasPrefix("@") ? Handle.reading(word) : nil }

  public var word: String {
    switch self {
    // The key of the bookmarks is a former name.
    case .timeline(.bookmarks): "bookmarks"
    case .timeline(let name): name.key
    case .list(let title): "list/\(title)"
    case .view(let name): "view/\(name)"
    case .remote(let timeline): timeline.word
    case .search(let words): "search/\(words)"
    case .user(let handle): "@\(handle)"
    case .chat(let handles): "chat/" + handles.map { "@\($0)" }.joined(separator: " ")
    case .thread(let id): "thread/\(id.rawValue)"
    case .screen(let name): name
    }
  }
}
