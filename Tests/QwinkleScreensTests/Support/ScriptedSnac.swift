import Foundation
import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization

/// A server that behaves like snac, with recorded responses. It lists no conversations, marks direct qwinks as
/// `private`, omits the reader from the mentions, and sends other mentions without IDs.
final class ScriptedSnac: Sendable {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/snac")

  let server = ScriptedTimeline()
  private let posted = Mutex<[String]>([])
  private let home = Mutex<[UInt8]>([])

  /// Creates a server for the user alice, without qwinks and notifications if `isEmpty`.
  init(isEmpty: Bool = false) throws {
    let recorded = try [
      "/api/v1/instance": "instance_v1", "/api/v1/accounts/verify_credentials": "accounts_verify_credentials",
      "/api/v1/conversations": "conversations_alice", "/api/v1/notifications": "notifications_alice",
      "/api/v1/timelines/public": "timelines_public", "/api/v1/accounts/lookup": "accounts_lookup",
    ].mapValues { Array(try Data(contentsOf: Self.folder.appending(path: "\($0).json"))) }
    for (path, body) in recorded {
      let body = isEmpty && path.hasSuffix("notifications") ? Array("[]".utf8) : body
      server.handle(.get, path) { _ in .json(body) }
    }
    let recordedHome = try Data(contentsOf: Self.folder.appending(path: "timelines_home.json"))
    home.withLock { $0 = isEmpty ? Array("[]".utf8) : Array(recordedHome) }
    server.handle(.get, "/api/v1/timelines/home") { [self] _ in .json(home.withLock { $0 }) }
    server.handle(.get, "/api/v2/instance") { _ in .text("<h1>404 Not Found</h1>", status: 404) }
    server.handle(.post, "/api/v1/statuses") { [self] request in
      let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
      posted.withLock { $0.append("\(body?["visibility"] ?? "") \(body?["status"] ?? "")") }
      return .json(Self.own(id: "1795226099\(posted.withLock { $0.count })", text: "\(body?["status"] ?? "")"))
    }
  }

  /// The visibility and text of each post.
  var sent: [String] { posted.withLock { $0 } }

  /// Adds a private qwink by bob that mentions alice to the top of the home timeline.
  func say(_ text: String, id: String) {
    home.withLock { home in
      let qwink = Self.status(
        id: id, author: "bob", accountID: "c87ebb8b6a5933386601b3094ab85c3b", naming: "alice", text)
      let rest = home.dropFirst()
      home = Array("[".utf8) + qwink + (rest.first == UInt8(ascii: "]") ? [] : Array(",".utf8)) + rest
    }
  }

  private static func own(id: String, text: String) -> [UInt8] {
    status(id: id, author: "alice", accountID: "89aefd0fb736e29e8cd3774ed97147f4", naming: "bob", text)
  }

  private static func status(id: String, author: String, accountID: String, naming name: String, _ text: String)
    -> [UInt8]
  {
    let host = "localhost:8586"
    let words = text.split(separator: " ").filter { !$0.hasPrefix("@") }.joined(separator: " ")
    // The reader is not among the mentions.
    let mentions =
      name == "alice"
      ? "[]" : #"[{"id":"0","username":"bob@\#(host)","acct":"bob@\#(host)","url":"http://\#(host)/bob"}]"#
    let link = #"<a href=\"http://\#(host)/\#(name)\" class=\"u-url mention\">@\#(name)@\#(host)</a>"#
    return Array(
      """
      {"id":"\(id)","created_at":"2026-11-22T10:00:00Z","visibility":"private","spoiler_text":"","sensitive":false,\
      "account":{"id":"\(accountID)","username":"\(author)","acct":"\(author)@\(host)","display_name":"\(author)",\
      "url":"http://\(host)/\(author)"},"mentions":\(mentions),"tags":[],"media_attachments":[],"poll":null,\
      "in_reply_to_id":"17952260210e8c6703b7922bc137b3e63f924d71dc",\
      "content":"<span class=\\"h-card\\">\(link)</span> \(words)<br>"}
      """.utf8)
  }
}
