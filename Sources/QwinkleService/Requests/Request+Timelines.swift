import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<Qwink> {
  /// The newest page of a timeline.
  public static func timeline(_ name: TimelineName, limit: Int) -> Request {
    timeline(name, at: .path(RequestPath.timeline(name, limit: limit)))
  }

  /// The page of a timeline at `cursor`, which an earlier page returned.
  public static func timelinePage(_ name: TimelineName, _ cursor: PageCursor) -> Request {
    timeline(name, at: .cursor(cursor))
  }

  /// A page of a timeline. For a profile, includes direct messages, unlike the other requests. Returns the page at
  /// `cursor`, or the newest page if `cursor` is nil. Used to check whether an entry arrived if the result of sending
  /// it is unknown.
  public static func timelineWithDirect(_ name: TimelineName, at cursor: PageCursor?, limit: Int) -> Request {
    let newest = RequestPath.timeline(name, limit: limit, excludesDirect: false)
    return timeline(name, at: cursor.map { .cursor($0) } ?? .path(newest), excludesDirect: false)
  }

  /// The qwinks with these ids, at most 20. Omits qwinks that the user can't see.
  public static func qwinks(_ ids: [Qwink.ID]) -> Request {
    let query = ids.map { "id%5B%5D=\(RequestPath.piece($0.rawValue))" }.joined(separator: "&")
    return page("download of posts", at: .path("/api/v1/statuses?\(query)"), decode: WireDecoder.qwinks)
  }

  /// A qwinker's pinned qwinks. Some servers return the qwinker's newest qwinks instead, see ``PinnedQwinks``.
  public static func pinned(by id: Qwinker.ID, limit: Int) -> Request {
    page(
      "download of pinned posts",
      at: .path("\(RequestPath.account(id))/statuses?pinned=true&limit=\(limit)&\(RequestPath.withoutDirect)"),
      decode: WireDecoder.qwinks, isListed: { $0.belongsToProfiles })
  }

  /// A page of a timeline. If `excludesDirect` is true, removes direct messages from the pages of profiles, because
  /// older servers return them even if the request excludes them.
  private static func timeline(_ name: TimelineName, at place: RequestPlace, excludesDirect: Bool = true) -> Request {
    let leavesOutDirect = excludesDirect && name.isProfile
    var request = page(
      "download of \(name.key)", at: place, decode: WireDecoder.qwinks, id: { $0.id.rawValue },
      isListed: { !leavesOutDirect || $0.belongsToProfiles })
    request.ability =
      switch name {
      case .bookmarks: .bookmarks
      case .trending: .trends
      default: nil
      }
    // GoToSocial responds with 404 for unused hashtags.
    if case .tag = name { request.answerIfMissing = Page(items: []) }
    return request
  }
}

extension RequestPath {
  fileprivate static let withoutDirect = "exclude_direct=true"

  static func timeline(_ name: TimelineName, limit: Int, excludesDirect: Bool = true) -> String {
    let end = excludesDirect ? "&\(withoutDirect)" : ""
    return switch name {
    case .public: "/api/v1/timelines/public?limit=\(limit)"
    case .local: "/api/v1/timelines/public?local=true&limit=\(limit)"
    case .home: "/api/v1/timelines/home?limit=\(limit)"
    case .tag(let joined): tags(TimelineName.tags(in: joined), limit: limit)
    case .qwinker(let id): "\(account(id))/statuses?limit=\(limit)\(end)"
    case .part(let part, let id, _): "\(account(id))/statuses?\(query(of: part))=true&limit=\(limit)\(end)"
    case .list(let id, _): "/api/v1/timelines/list/\(piece(id.rawValue))?limit=\(limit)"
    case .trending: "/api/v1/trends/statuses?limit=\(limit)"
    case .bookmarks: "/api/v1/bookmarks?limit=\(limit)"
    case .favourites: "/api/v1/favourites?limit=\(limit)"
    case .quotes(let id): "\(status(id))/quotes?limit=\(limit)"
    }
  }

  private static func tags(_ tags: [String], limit: Int) -> String {
    let others = tags.dropFirst().map { "&any%5B%5D=\(piece($0))" }.joined()
    return "/api/v1/timelines/tag/\(piece(tags.first ?? ""))?limit=\(limit)\(others)"
  }

  /// Whether a timeline is ordered by qwink id. Other timelines can only be paged by their Link headers.
  static func isOrderedByID(_ name: TimelineName) -> Bool {
    switch name {
    case .public, .local, .home, .tag, .qwinker, .list, .part(.withoutReplies, _, _), .part(.media, _, _): true
    // Mastodon pages quotes by their own ids.
    case .bookmarks, .favourites, .trending, .quotes, .part(.pinned, _, _): false
    }
  }

  private static func query(of part: QwinkerPart) -> String {
    switch part {
    case .withoutReplies: "exclude_replies"
    case .media: "only_media"
    case .pinned: "pinned"
    }
  }
}
