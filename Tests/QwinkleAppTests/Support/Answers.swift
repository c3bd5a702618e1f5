import Foundation
import QwinkleTesting
import Synchronization

/// Hand-written server responses. An instance returns the timeline that was set last.
final class Answers: Sendable {
  private let current = Mutex(Answers.threeQwinks)

  var timeline: Script {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  func next(_ request: ScriptedServer.Request) -> Script {
    Self.script(timeline)(request)
  }

  /// Returns a status as JSON. `content` is HTML and `name` a display name, both already escaped for JSON. `author` and
  /// `mentions` are JSON.
  static func status(
    _ id: String, _ content: String, name: String = "Alice", author: String? = nil, visibility: String = "public",
    mentions: [String] = [], inReplyTo: String? = nil
  ) -> String {
    """
    {"id":"\(id)","uri":"http://x/\(id)","url":"http://x/\(id)","created_at":"2026-01-01T00:00:0\(id.last ?? "0").000Z",
    "visibility":"\(visibility)","content":"\(content)","spoiler_text":"","sensitive":false,"media_attachments":[],
    "mentions":[\(mentions.joined(separator: ","))],"tags":[],"emojis":[],
    "in_reply_to_id":\(inReplyTo.map { "\"\($0)\"" } ?? "null"),
    "reblogs_count":0,"favourites_count":0,"replies_count":0,
    "account":\(author ?? account("alice", name: name))}
    """
  }

  /// Returns an account as JSON. Its id defaults to `NAME-id`.
  static func account(_ userName: String, id: String? = nil, name: String? = nil) -> String {
    """
    {"id":"\(id ?? "\(userName)-id")","username":"\(userName)","acct":"\(userName)",
    "display_name":"\(name ?? userName.capitalized)","url":"http://x/@\(userName)","note":"","avatar":"",
    "created_at":"2026-01-01T00:00:00.000Z"}
    """
  }

  static func page(_ statuses: String...) -> Script { page(statuses) }

  static func page(_ statuses: [String]) -> Script {
    .json(Array("[\(statuses.joined(separator: ","))]".utf8))
  }

  static let threeQwinks = page(status("3", "<p>third</p>"), status("2", "<p>second</p>"), status("1", "<p>first</p>"))

  static func isTimeline(_ request: ScriptedServer.Request) -> Bool { request.path.hasPrefix("/api/v1/timelines/") }

  /// Returns `timeline` for timelines and 404 for everything else.
  static func script(_ timeline: Script) -> @Sendable (ScriptedServer.Request) -> Script {
    { isTimeline($0) ? timeline : .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404) }
  }
}

/// Runs `body` with a server, and stops it afterwards.
func withServer<Result>(
  certificate: CertificateAuthority.ServerCertificate? = nil,
  _ script: @escaping @Sendable (ScriptedServer.Request) -> Script, _ body: (ScriptedServer) async throws -> Result
) async throws -> Result {
  let server = try await ScriptedServer.start(certificate: certificate, script: script)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

/// Runs `body` with a server that returns `timeline` for timelines.
func withTimeline<Result>(_ timeline: Script, _ body: (ScriptedServer) async throws -> Result) async throws -> Result {
  try await withServer(Answers.script(timeline), body)
}
