import Foundation

extension HabitServer {
  private static let recorded = RecordedAnswers(of: "gotosocial")

  /// Responds as GoToSocial does. Requests without a User-Agent are rejected.
  public static func goToSocial(_ request: ScriptedServer.Request) -> Script {
    guard request.field("User-Agent")?.isEmpty == false else { return .json([], status: 418) }
    switch (request.method, request.place) {
    case ("GET", "/api/v2/instance"):
      return .json(renamed(recorded.body("instance_v2"), from: "localhost:8585", for: request))
    case ("GET", "/api/v1/accounts/verify_credentials"): return .json(recorded.body("accounts_verify_credentials"))
    case ("GET", "/api/v1/accounts/bob"): return .json(recorded.body("account_bob"))
    case ("GET", "/api/v1/timelines/home"): return page(of: goToSocialHome, for: request)
    case ("GET", "/api/v1/timelines/public"): return page(of: goToSocialStatuses(60), for: request)
    case ("GET", "/api/v1/notifications"):
      // The only item of a one-item page is by a muted account. GoToSocial omits it and sends no Link header.
      let isFirstOne = request.parameter("limit") == "1" && request.parameter("max_id") == nil
      return isFirstOne ? .json(bytes("[]")) : page(of: recorded.items("notifications_alice"), for: request)
    case ("GET", "/api/v1/conversations"): return conversations(request)
    case ("GET", "/api/v1/markers"): return .json(recorded.body("v1_markers_timeline_home_timeline_notifications"))
    case ("POST", "/api/v1/statuses"): return post(request)
    case ("POST", let place) where place.hasPrefix("/api/v1/conversations/") && place.hasSuffix("/read"):
      let id = place.split(separator: "/").dropLast().last.map(String.init)
      return threads.first { $0.id == id }.map { .json($0.with(["unread": false]).body) } ?? notFound
    case ("POST", let place) where place.hasSuffix("/follow"):
      return .json(bytes(#"{"id":"01CE6KXPTT8VMNM7HD28PFGA5N","following":false,"requested":true}"#))
    case ("POST", let place) where place.hasSuffix("/mute"): return .json(recorded.body("x_acct_mute"))
    case ("POST", let place) where place.hasSuffix("/votes"): return .json(recorded.body("poll"))
    default: return notFound
    }
  }

  private static let notFound = Script.json(bytes(#"{"error":"Not Found"}"#), status: 404)

  // MARK: Timelines

  /// The recorded home timeline, in which one post is followers-only.
  public static var goToSocialHome: [RecordedAnswers.Item] {
    recorded.items("timelines_home").enumerated().map { $0 == 3 ? $1.with(["visibility": "private"]) : $1 }
  }

  /// Returns `count` public statuses, newest first.
  public static func goToSocialStatuses(_ count: Int) -> [RecordedAnswers.Item] {
    let statuses = recorded.items("timelines_public")
    guard !statuses.isEmpty else { return [] }
    return (0..<count).map { index in
      statuses[index % statuses.count].with(["id": "01M7XWW\(1_000_000_000_000_000_000 + count - index)"])
    }
  }

  /// Returns a page of the length that GoToSocial allows. A limit of 0 means 20, and the maximum is 40.
  private static func page(of items: [RecordedAnswers.Item], for request: ScriptedServer.Request) -> Script {
    let asked = request.parameter("limit").flatMap { Int($0) } ?? 20
    let most = asked == 0 ? 20 : min(asked, 40)
    let page = request.page(of: items, most: most)
    let next = page.last.flatMap { $0.id == items.last?.id ? nil : $0.id }
    return .json(page.list, fields: links(above: page.first?.id, below: next, most: most, for: request))
  }

  /// Returns a Link header to the items above `first` and below `last`, if any.
  private static func links(
    above first: String?, below last: String?, most: Int, for request: ScriptedServer.Request
  ) -> [(String, String)] {
    let list = "http://\(request.field("Host") ?? "")\(request.place)?limit=\(most)"
    let links = [
      last.map { "<\(list)&max_id=\($0)>; rel=\"next\"" }, first.map { "<\(list)&min_id=\($0)>; rel=\"prev\"" },
    ].compactMap(\.self)
    return links.isEmpty ? [] : [("Link", links.joined(separator: ", "))]
  }

  /// Responds with a home timeline whose pages aren't sorted by id. Each page repeats one of its rows and a row of the
  /// previous page.
  public static func goToSocialDisorder(_ request: ScriptedServer.Request) -> Script {
    guard request.place == "/api/v1/timelines/home" else { return goToSocial(request) }
    let all = goToSocialStatuses(24)
    let rows = request.page(of: all, most: 10)
    guard let last = rows.last, rows.count > 2 else { return .json(rows.list) }
    var page = rows
    page.swapAt(1, 2)
    page.insert(page.removeLast(), at: 1)
    page.insert(page[0], at: 3)
    if let upper = all.first(where: { $0.id == request.parameter("max_id") }) { page.insert(upper, at: 2) }
    let next = last.id == all.last?.id ? nil : last.id
    return .json(page.list, fields: links(above: rows[0].id, below: next, most: 40, for: request))
  }

  // MARK: Messages and posts

  /// The recorded conversations, and another thread with bob.
  private static var threads: [RecordedAnswers.Item] {
    let threads = recorded.items("conversations_alice")
    let message = recorded.items("timelines_home").first { $0.id == "01M7XWWCD6TFDHV9G350GSWTRY" }
    guard let bob = threads.last, let message else { return threads }
    return threads + [bob.with(["id": "01M7XWWCD6WB0K7R6N5N9V9Q2E"]).with("last_status", message)]
  }

  /// Serves the last thread on a separate page. The page's cursor is the id of the last status, not of the
  /// conversation.
  private static func conversations(_ request: ScriptedServer.Request) -> Script {
    let lastStatus = "01M7XWWCFVY1T06Z1RAGPE8BRT"
    switch request.parameter("max_id") {
    case nil:
      return .json(threads.dropLast().list, fields: links(above: nil, below: lastStatus, most: 40, for: request))
    case lastStatus: return .json(threads.suffix(1).list)
    default: return .json(bytes("[]"))
    }
  }

  /// GoToSocial removes markup and rejects text that is empty without it.
  private static func post(_ request: ScriptedServer.Request) -> Script {
    let text = request.member("status") as? String ?? ""
    if text.count > 5000 { return refusal("text with spoiler exceed max chars (5000)") }
    let isEmpty = text.replacing(#/<[^>]*>/#, with: "").allSatisfy(\.isWhitespace)
    return isEmpty ? refusal("no text, media or poll provided") : .json(recorded.body("status_a1"))
  }

  private static func refusal(_ reason: String) -> Script {
    .json(bytes(#"{"error":"Bad Request: \#(reason)"}"#), status: 400)
  }
}
