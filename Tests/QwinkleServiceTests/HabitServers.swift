import Foundation
import QwinkleTesting

/// Servers on loopback with the habits of real ones, and their recorded answers.
enum HabitServer {
  /// Recorded answers of one server.
  struct Recorded: Sendable {
    let folder: URL

    init(_ server: String) {
      folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/\(server)")
    }

    func body(_ name: String) -> [UInt8] {
      (try? Data(contentsOf: folder.appending(path: "\(name).json"))).map(Array.init) ?? []
    }
  }

  /// What GoToSocial answers. It refuses those who don't say who they are.
  static func goToSocial(_ request: ScriptedServer.Request) -> Script {
    let recorded = Recorded("gotosocial")
    guard request.field("User-Agent")?.isEmpty == false else { return .json([], status: 418) }
    let path = String(request.path.prefix { $0 != "?" })
    func link(_ rest: String) -> [(String, String)] { [("Link", "<http://\(rest)>; rel=\"next\"")] }
    switch (request.method, path) {
    case ("GET", "/api/v2/instance"): return .json(recorded.body("instance_v2"))
    case ("GET", "/api/v1/accounts/verify_credentials"): return .json(recorded.body("accounts_verify_credentials"))
    case ("GET", "/api/v1/accounts/bob"): return .json(recorded.body("account_bob"))
    case ("GET", "/api/v1/timelines/home"):
      let page = String(decoding: recorded.body("timelines_home"), as: UTF8.self)
      return .json(Array(page.utf8), fields: link("localhost:8585/api/v1/timelines/home?limit=40&max_id=01M7"))
    case ("GET", "/api/v1/conversations"):
      return .json(
        recorded.body("conversations_alice"),
        fields: link("localhost:8585/api/v1/conversations?limit=40&max_id=01M7XWWCFVY1T06Z1RAGPE8BRT"))
    case ("GET", "/api/v1/notifications"):
      // A page without items leads on all the same.
      let isFirst = !request.path.contains("max_id")
      return .json(
        isFirst ? Array("[]".utf8) : recorded.body("notifications_alice"),
        fields: isFirst ? link("localhost:8585/api/v1/notifications?limit=1&max_id=01M7XWWE04PQAQF03ZM91QMD95") : [])
    case ("POST", "/api/v1/statuses"):
      let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
      let text = body?["status"] as? String ?? ""
      guard !text.isEmpty, text.count <= 5000 else {
        return .json(
          Array(#"{"error":"Bad Request: text with spoiler exceed max chars (5000)"}"#.utf8), status: 400)
      }
      return .json(recorded.body("status_a1"))
    case ("POST", _) where path.hasSuffix("/follow"):
      return .json(Array(#"{"id":"01CE6KXPTT8VMNM7HD28PFGA5N","following":false,"requested":true}"#.utf8))
    case ("POST", _) where path.hasSuffix("/mute"): return .json(recorded.body("x_acct_mute"))
    case ("POST", _) where path.hasSuffix("/votes"): return .json(recorded.body("poll"))
    default: return .json(Array(#"{"error":"Not Found"}"#.utf8), status: 404)
    }
  }

  /// What snac answers. It closes each connection without saying so.
  static func snac(_ request: ScriptedServer.Request) -> Script {
    let recorded = Recorded("snac")
    let path = String(request.path.prefix { $0 != "?" })
    let pages = [
      "/api/v1/instance": "instance_v1", "/api/v1/accounts/verify_credentials": "accounts_verify_credentials",
      "/api/v1/timelines/home": "timelines_home", "/api/v1/timelines/public": "timelines_public",
      "/api/v1/timelines/tag/filler": "timelines_tag_filler", "/api/v1/notifications": "notifications_alice",
      "/api/v1/conversations": "conversations_alice", "/api/v1/lists": "v1_lists",
      "/api/v1/markers": "v1_markers_timeline_home_timeline_notifications",
      "/api/v1/statuses/1": "status_p1", "/api/v1/statuses/2": "status_a1",
    ]
    let script: Script
    if request.method == "GET", let name = pages[path] {
      script = .json(recorded.body(name))
    } else if path == "/api/v1/bookmarks" {
      script = .text("", status: 401)
    } else if path.hasSuffix("/votes") {
      script = .text("", status: 422)
    } else {
      script = .text("<h1>404 Not Found</h1>", status: 404)
    }
    return script.then(.close)
  }
}
