/// A stream of events: <https://docs.joinmastodon.org/methods/streaming/>.
enum StreamChannel: Hashable, Sendable {
  /// The viewer's home timeline and notifications.
  case user
  /// Only the viewer's notifications.
  case notifications
  /// The public timeline. Both variants contain the same qwinks, because all qwinks are local.
  case everyone(isLocal: Bool)
  /// Public statuses with a tag, which is folded with ``TagName/folded(_:)``.
  case tag(String, isLocal: Bool)
  /// The timeline of one of the viewer's lists.
  case list(Int64)
  case direct

  /// Creates a stream from its name in the API. Returns nil if the name is unknown, or if the tag or list is missing or
  /// invalid.
  init?(_ name: String, tag: String?, list: String?) {
    let tag = tag.map(TagName.folded)
    switch name {
    case "user": self = .user
    case "user:notification": self = .notifications
    case "public": self = .everyone(isLocal: false)
    case "public:local": self = .everyone(isLocal: true)
    case "direct": self = .direct
    case "list":
      guard let list = list.flatMap({ Int64($0) }) else { return nil }
      self = .list(list)
    case "hashtag", "hashtag:local":
      guard let tag, !tag.isEmpty else { return nil }
      self = .tag(tag, isLocal: name == "hashtag:local")
    default: return nil
    }
  }

  /// The name and argument that messages contain.
  var words: [String] {
    switch self {
    case .user: ["user"]
    case .notifications: ["user:notification"]
    case .everyone(let isLocal): [isLocal ? "public:local" : "public"]
    case .tag(let tag, let isLocal): [isLocal ? "hashtag:local" : "hashtag", tag]
    case .list(let list): ["list", String(list)]
    case .direct: ["direct"]
    }
  }

  /// Whether the stream is a home or list timeline.
  var isTimeline: Bool {
    switch self {
    case .user, .list: true
    case .notifications, .everyone, .tag, .direct: false
    }
  }

  /// Whether the stream requires a signed-in account.
  var needsViewer: Bool {
    switch self {
    case .user, .notifications, .list, .direct: true
    case .everyone, .tag: false
    }
  }

  var scope: String { self == .notifications ? "read:notifications" : "read:statuses" }
}
