import HTTPTypes
public import QwinkleModel
import QwinkleWire

extension Request where Answer == Page<Qwink> {
  /// The newest page of a timeline: up to `limit` qwinks.
  public static func timeline(_ name: TimelineName, limit: Int) -> Request {
    timeline(name, at: .path(RequestPath.timeline(name, limit: limit)))
  }

  /// Another page of a timeline, by a cursor of an earlier page.
  public static func timelinePage(_ name: TimelineName, _ cursor: PageCursor) -> Request {
    timeline(name, at: .cursor(cursor))
  }

  /// What a qwinker has pinned, as far as the server knows: some answer with their newest qwinks, see ``PinnedQwinks``.
  public static func pinned(by id: Qwinker.ID, limit: Int) -> Request {
    page(
      "download of pinned qwinks", at: .path("\(RequestPath.account(id))/statuses?pinned=true&limit=\(limit)"),
      decode: WireDecoder.qwinks)
  }

  private static func timeline(_ name: TimelineName, at place: RequestPlace) -> Request {
    var request = page("download of \(name.key)", at: place, decode: WireDecoder.qwinks) { $0.id.rawValue }
    request.ability =
      switch name {
      case .bookmarks: .bookmarks
      case .trending: .trends
      default: nil
      }
    return request
  }
}

extension RequestPath {
  static func timeline(_ name: TimelineName, limit: Int) -> String {
    switch name {
    case .public: "/api/v1/timelines/public?limit=\(limit)"
    case .local: "/api/v1/timelines/public?local=true&limit=\(limit)"
    case .home: "/api/v1/timelines/home?limit=\(limit)"
    case .tag(let joined): tags(TimelineName.tags(in: joined), limit: limit)
    case .qwinker(let id): "\(account(id))/statuses?limit=\(limit)"
    case .part(let part, let id, _): "\(account(id))/statuses?\(query(of: part))=true&limit=\(limit)"
    case .list(let id, _): "/api/v1/timelines/list/\(piece(id.rawValue))?limit=\(limit)"
    case .trending: "/api/v1/trends/statuses?limit=\(limit)"
    case .bookmarks: "/api/v1/bookmarks?limit=\(limit)"
    case .favourites: "/api/v1/favourites?limit=\(limit)"
    }
  }

  private static func tags(_ tags: [String], limit: Int) -> String {
    let others = tags.dropFirst().map { "&any%5B%5D=\(piece($0))" }.joined()
    return "/api/v1/timelines/tag/\(piece(tags.first ?? ""))?limit=\(limit)\(others)"
  }

  /// Whether a timeline is ordered by the ids of its qwinks. Others can only be paged by their Link headers.
  static func isOrderedByID(_ name: TimelineName) -> Bool {
    switch name {
    case .public, .local, .home, .tag, .qwinker, .list, .part(.withoutReplies, _, _), .part(.media, _, _): true
    case .bookmarks, .favourites, .trending, .part(.pinned, _, _): false
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
