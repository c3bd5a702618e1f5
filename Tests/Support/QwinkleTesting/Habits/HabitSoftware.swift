import Foundation
import HTTPTypes
import QwinkleWire

/// Server software that tests mimic.
public enum HabitSoftware: String, Sendable, CaseIterable {
  case goToSocial = "GoToSocial", snac, takahe = "Takahe", pleroma = "Pleroma", mastodon = "Mastodon"

  /// Returns the software's response to an unknown API call.
  public func unknownCall(_ method: String) -> HabitServer.Answer {
    switch self {
    case .goToSocial: .init(404, #"{"error":"Not Found"}"#)
    case .snac: method == "GET" ? .init(404, "<h1>404 Not Found</h1>") : .init(422, "")
    case .takahe: .init(404, #"{"error":"not_found"}"#)
    case .pleroma: .init(404, #"{"error":"Not implemented"}"#)
    case .mastodon: .init(404, #"{"error":"Record not found"}"#)
    }
  }

  /// Whether the server has the second version of the instance API.
  fileprivate var hasSecondVersion: Bool { self == .goToSocial || self == .mastodon || self == .takahe }
}

extension HabitServer {
  /// The status and body of a response.
  public struct Answer: Sendable {
    public var status: Int
    public var body: String

    /// The server refuses the connection.
    public static let refused = Answer(0, "")

    public init(_ status: Int, _ body: String) {
      self.status = status
      self.body = body
    }
  }

  /// Returns the JSON of a status by Mara, with `members` added or replaced.
  public static func status(_ id: String, _ members: [String: any Sendable] = [:]) -> String {
    var status: [String: Any] = [
      "id": id, "uri": "https://writing.example/objects/\(id)", "url": "https://writing.example/@mara/\(id)",
      "created_at": "2026-11-20T10:00:00.000Z", "content": "<p>Tea</p>", "visibility": "public", "spoiler_text": "",
      "sensitive": false, "media_attachments": [Any](), "mentions": [Any](), "tags": [Any](), "emojis": [Any](),
      "account": account("mara"),
    ]
    for (name, value) in members { status[name] = value }
    return text(of: status)
  }

  private static func account(_ name: String) -> [String: Any] {
    [
      "id": "\(name)-id", "username": name, "acct": name, "display_name": name,
      "url": "https://writing.example/@\(name)", "note": "", "source": ["privacy": "public", "note": ""],
    ]
  }

  private static func text(of object: [String: Any]) -> String {
    (try? JSONSerialization.data(withJSONObject: object)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Returns an in-memory server for Mara that behaves like `software`. Responses in `answers` take precedence. Their
  /// keys are a method and a path without query, such as `POST /api/v1/statuses`.
  public static func transport(_ software: HabitSoftware, _ answers: [String: Answer]) -> ScriptedTransport {
    var known: [String: Answer] = [
      "GET /api/v1/accounts/verify_credentials": .init(200, text(of: account("mara"))),
      "GET /api/v1/accounts/lookup": .init(200, text(of: account("bob"))),
      "GET /api/v1/statuses/1": .init(200, status("1")),
      "GET /api/v1/statuses/1/source": .init(200, #"{"id":"1","text":"Tea","spoiler_text":""}"#),
    ]
    let version = software.hasSecondVersion ? 2 : 1
    known["GET /api/v\(version)/instance"] = .init(
      200, #"{"domain":"writing.example","uri":"writing.example","title":"W","version":"\#(software.rawValue)"}"#)
    let all = known.merging(answers) { $1 }
    return ScriptedTransport { request in
      let method = request.head.method.rawValue
      let place = String((request.head.path ?? "").prefix { $0 != "?" })
      let answer = all["\(method) \(place)"] ?? software.unknownCall(method)
      guard answer.status != 0 else { throw TransportError.refused(host: "writing.example") }
      return .json(Array(answer.body.utf8), status: answer.status)
    }
  }
}
