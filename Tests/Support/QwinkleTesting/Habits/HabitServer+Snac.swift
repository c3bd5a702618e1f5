import Foundation

extension HabitServer {
  private static let recorded = RecordedAnswers(of: "snac")

  /// Responds as snac does. It closes each connection without a `Connection: close` header.
  public static func snac(_ request: ScriptedServer.Request) -> Script { snacAnswer(request).then(.close) }

  /// Responds as snac does, but leaves the connection open.
  public static func snacAnswer(_ request: ScriptedServer.Request) -> Script {
    let pages = [
      "/api/v1/accounts/verify_credentials": "accounts_verify_credentials",
      "/api/v1/conversations": "conversations_alice", "/api/v1/lists": "v1_lists",
      "/api/v1/markers": "v1_markers_timeline_home_timeline_notifications",
      "/api/v1/accounts/lookup": "accounts_lookup", "/api/v1/statuses/1": "status_p1",
      "/api/v1/statuses/2": "status_a1",
    ]
    switch (request.method, request.place) {
    case ("GET", "/api/v1/instance"):
      return .json(renamed(recorded.body("instance_v1"), from: "localhost:8586", for: request))
    case ("GET", "/api/v1/timelines/home"):
      let page = request.page(of: recorded.items("timelines_home"), most: 20)
      return .json(page.list)
    case ("GET", "/api/v1/preferences"): return .json(bytes("[]"))
    case ("GET", let place) where pages[place] != nil: return .json(recorded.body(pages[place] ?? ""))
    case ("GET", let place):
      guard let list = snacList(at: place) else { break }
      return .json(request.page(of: list, most: 20).list)
    case ("POST", let place) where place.hasSuffix("/votes"): return .text("", status: 422)
    default: break
    }
    if request.place == "/api/v1/favourites" { return .text("", status: 401) }
    return .text("<h1>404 Not Found</h1>", status: 404)
  }

  /// Returns the list at a path, if any. snac serves it without Link headers, in pages of 20 items regardless of the
  /// limit.
  public static func snacList(at place: String) -> [RecordedAnswers.Item]? {
    switch place {
    case "/api/v1/timelines/public": recorded.items("timelines_public")
    case "/api/v1/timelines/tag/filler": many(recorded.items("timelines_tag_filler"))
    case "/api/v1/bookmarks": many(recorded.items("timelines_public"))
    case "/api/v1/accounts/\(SnacServer.me)/statuses": many(recorded.items("account_alice_statuses_noreplies"))
    case "/api/v1/notifications": many(recorded.items("notifications_alice"))
    default: nil
    }
  }

  /// Returns 45 items, made by repeating `items` with new ids.
  private static func many(_ items: [RecordedAnswers.Item]) -> [RecordedAnswers.Item] {
    guard !items.isEmpty else { return [] }
    return (0..<45).map { index in
      items[index % items.count].with(["id": "\(1_795_226_100 - index)a0b1c2d3e4f5a0b1c2d3e4f5a0b1c2d3"])
    }
  }
}
