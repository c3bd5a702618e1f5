/// Identifies a timeline.
public enum TimelineName: Hashable, Sendable {
  /// All public qwinks known to the server.
  case `public`
  /// Public qwinks by the server's own qwinkers.
  case local
  /// Qwinks by the qwinkers that the user follows.
  case home
  /// Qwinks with a tag, given without `#`, or with any of several tags joined by `+`: `garden+kiosk`.
  case tag(String)
  /// Qwinks by one qwinker.
  case qwinker(Qwinker.ID)
  /// A part of one qwinker's qwinks. `by` is their handle for display, empty if unknown.
  case part(QwinkerPart, of: Qwinker.ID, by: String = "")
  /// Qwinks by the members of one of the user's lists.
  case list(PersonalList.ID, title: String)
  /// Qwinks that are popular on the server.
  case trending
  /// Qwinks that the user bookmarked.
  case bookmarks
  /// The user's favourites.
  case favourites
  /// Qwinks that quote this one.
  case quotes(of: Qwink.ID)

  /// A stable identifier for cache keys and state restoration: `public`, `home`, `#tag`, …
  public var key: String {
    switch self {
    case .public: "public"
    case .local: "local"
    case .home: "home"
    case .tag(let name): "#\(name)"
    case .qwinker(let id): "qwinker/\(id.rawValue)"
    case .part(let part, let id, let handle):
      "\(part.rawValue)\(handle.isEmpty ? "" : "@")\(handle)/\(id.rawValue)"
    case .list(let id, let title): "list/\(PercentEncoding.component(id.rawValue))/\(title)"
    case .trending: "trending"
    case .bookmarks: "marks"
    case .favourites: "favourites"
    case .quotes(let id): "quotes/\(id.rawValue)"
    }
  }
}

extension TimelineName {
  /// The filter context of this timeline, as in Mastodon's own client.
  public var filterPlace: FilterPlace {
    switch self {
    case .home, .list, .bookmarks, .favourites: .home
    case .public, .local, .tag, .trending, .quotes: .public
    case .qwinker, .part: .account
    }
  }

  /// Names of the timelines without parameters, as the user types them.
  public static let words = ["public", "local", "home", "bookmarks", "favourites", "trending"]

  /// Parses one of ``words``, a ``key`` or `#tag`. Returns nil for anything else.
  public init?(word: String) {
    switch word {
    case "public": self = .public
    case "local": self = .local
    case "home": self = .home
    // `marks` is the former name of `bookmarks`. Keys still use it.
    case "bookmarks", "marks": self = .bookmarks
    case "favourites": self = .favourites
    case "trending": self = .trending
    case _ where word.hasPrefix("#"):
      let tag = word.dropFirst()
      guard !tag.isEmpty, !tag.contains(where: { $0.isWhitespace || $0 == "#" || $0 == "/" }) else { return nil }
      self = .tag(String(tag))
    default:
      let parts = word.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count > 1, !parts[1].isEmpty else { return nil }
      if parts[0] == "quotes" {
        self = .quotes(of: Qwink.ID(parts.dropFirst().joined(separator: "/")))
      } else if parts[0] == "list", parts.count == 3 {
        self = .list(PersonalList.ID(PercentEncoding.decoded(parts[1].utf8)), title: parts[2])
      } else if let part = QwinkerPart(rawValue: String(parts[0].prefix { $0 != "@" })) {
        let handle = parts[0].dropFirst(part.rawValue.count + 1)
        self = .part(part, of: Qwinker.ID(parts.dropFirst().joined(separator: "/")), by: String(handle))
      } else {
        return nil
      }
    }
  }

  /// Splits the tags of a ``tag(_:)`` at `+`.
  public static func tags(in joined: String) -> [String] { joined.split(separator: "+").map(String.init) }

  /// Whether the timeline requires a signed-in account.
  public var needsAccount: Bool {
    switch self {
    case .home, .bookmarks, .favourites, .list, .quotes: true
    case .public, .local, .tag, .qwinker, .part, .trending: false
    }
  }

  /// Whether the timeline is a qwinker's profile or a part of one.
  public var isProfile: Bool {
    switch self {
    case .qwinker, .part: true
    default: false
    }
  }

  /// Whether `key` is the ``key`` of a profile.
  public static func isProfile(key: String) -> Bool {
    let start = String(key.prefix { $0 != "/" && $0 != "@" })
    return key.contains("/") && (start == "qwinker" || QwinkerPart(rawValue: start) != nil)
  }

  /// Whether the server adds a new `qwink` by the user to this timeline.
  public func includes(_ qwink: Qwink) -> Bool {
    guard !isProfile || qwink.belongsToProfiles else { return false }
    return switch self {
    case .home: qwink.visibility != .direct
    case .public, .local: qwink.visibility == .public && qwink.inReplyTo == nil
    case .tag(let tag):
      qwink.visibility == .public
        && !Set(qwink.tags.map { $0.lowercased() }).isDisjoint(with: Self.tags(in: tag.lowercased()))
    case .qwinker(let id): qwink.author.id == id
    case .part(.withoutReplies, let id, _): qwink.author.id == id && qwink.inReplyTo == nil
    case .part(.media, let id, _): qwink.author.id == id && !qwink.attachments.isEmpty
    case .quotes(let id): qwink.quote?.id == id && qwink.quote?.state == .accepted
    case .bookmarks, .favourites, .list, .trending, .part(.pinned, _, _): false
    }
  }
}

extension Qwink {
  /// Whether profiles list this qwink. A direct message belongs to its conversation, even if the server lists it on a
  /// profile.
  public var belongsToProfiles: Bool { visibility != .direct }
}

/// A part of a qwinker's profile. Raw values are used in keys and commands.
public enum QwinkerPart: String, Hashable, Sendable, CaseIterable {
  case withoutReplies = "without-replies"
  case media, pinned
}
