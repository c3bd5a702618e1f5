/// Which timeline.
public enum TimelineName: Hashable, Sendable {
  /// Everybody's public qwinks that the server knows.
  case `public`
  /// The public qwinks of the server's own people.
  case local
  /// What the people I follow write.
  case home
  /// Qwinks with a tag, given without `#`, or with any of several that `+` joins: `garden+kiosk`.
  case tag(String)
  /// What one qwinker wrote.
  case qwinker(Qwinker.ID)
  /// A part of what one qwinker wrote. `by` is their handle, for people; empty if it isn't known.
  case part(QwinkerPart, of: Qwinker.ID, by: String = "")
  /// What the people on one of my lists write.
  case list(PersonalList.ID, title: String)
  /// What many on the server react to.
  case trending
  /// What I keep for later.
  case bookmarks
  /// What I made a favourite.
  case favourites

  /// Stable words for it, for keys of a cache and for restoration: `public`, `home`, `#tag`, …
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
    }
  }
}

extension TimelineName {
  /// The place that filters tell apart, as Mastodon's own client has it.
  public var filterPlace: FilterPlace {
    switch self {
    case .home, .list, .bookmarks, .favourites: .home
    case .public, .local, .tag, .trending: .public
    case .qwinker, .part: .account
    }
  }

  /// The timelines that a single word names, as people write it.
  public static let words = ["public", "local", "home", "bookmarks", "favourites", "trending"]

  /// The timeline that `word` names: one of ``words``, its ``key``, or `#tag`; nil where it names none.
  public init?(word: String) {
    switch word {
    case "public": self = .public
    case "local": self = .local
    case "home": self = .home
    // `marks` is its former name.
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
      if parts[0] == "list", parts.count == 3 {
        self = .list(PersonalList.ID(PercentEncoding.decoded(parts[1].utf8)), title: parts[2])
      } else if let part = QwinkerPart(rawValue: String(parts[0].prefix { $0 != "@" })) {
        let handle = parts[0].dropFirst(part.rawValue.count + 1)
        self = .part(part, of: Qwinker.ID(parts.dropFirst().joined(separator: "/")), by: String(handle))
      } else {
        return nil
      }
    }
  }

  /// The tags that `+` joins in a ``tag(_:)``.
  public static func tags(in joined: String) -> [String] { joined.split(separator: "+").map(String.init) }

  /// Whether it exists only for somebody who is signed in.
  public var needsAccount: Bool {
    switch self {
    case .home, .bookmarks, .favourites, .list: true
    case .public, .local, .tag, .qwinker, .part, .trending: false
    }
  }

  /// Whether it is a qwinker's profile, or a part of one.
  public var isProfile: Bool {
    switch self {
    case .qwinker, .part: true
    default: false
    }
  }

  /// Whether a ``key`` belongs to a profile.
  public static func isProfile(key: String) -> Bool {
    let start = String(key.prefix { $0 != "/" && $0 != "@" })
    return key.contains("/") && (start == "qwinker" || QwinkerPart(rawValue: start) != nil)
  }

  /// Whether a server puts what I have just posted there.
  public func takesIn(_ qwink: Qwink) -> Bool {
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
    case .bookmarks, .favourites, .list, .trending, .part(.pinned, _, _): false
    }
  }
}

extension Qwink {
  /// Whether profiles list it: a direct message belongs to its conversation, even if the server lists it here.
  public var belongsToProfiles: Bool { visibility != .direct }
}

/// A part of what a qwinker wrote. Raw values stand in keys and in commands.
public enum QwinkerPart: String, Hashable, Sendable, CaseIterable {
  case withoutReplies = "without-replies"
  case media, pinned
}
