public import QwinkleModel
import SafeText

/// A message received over a WebSocket of the streaming API.
public enum StreamFrame: Hashable, Sendable {
  /// An event. `stream` is nil if the server doesn't name the stream.
  case event(stream: StreamName?, name: String, payload: [UInt8])
  /// The server refuses a request, usually for a stream. The associated value is its reason.
  case refusal(String)

  /// Pleroma's reason for refusing clients that aren't signed in.
  public static let unauthorized = "unauthorized"
}

/// <https://docs.joinmastodon.org/methods/streaming/#websocket>
private enum FrameEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> StreamFrame {
    if let name = fields.string("event") {
      let words = (try? fields.decodeIfPresent([String].self, forKey: "stream")) ?? []
      // Some servers send the ID of a deleted status as a number.
      let payload = Array((fields.string("payload") ?? fields.identifier("payload") ?? "").utf8)
      return Self.refusal(name, payload) ?? .event(stream: StreamName(words: words), name: name, payload: payload)
    } else if let error = fields.string("error") {
      return .refusal(SafeText.line(String(error.prefix(300))))
    } else {
      throw MissingField(name: "event")
    }
  }

  /// Returns the refusal in a Pleroma event, if any. Pleroma refuses requests with an event, not with an error.
  private static func refusal(_ name: String, _ payload: [UInt8]) -> StreamFrame? {
    guard name == "pleroma:respond", let reader = try? BodyReader(payload) else { return nil }
    return (try? reader.single(AnswerEntity.self)).flatMap { $0.map { .refusal($0) } }
  }
}

/// Pleroma's reply to a client's message (see "Response to client-sent events"):
/// <https://docs.pleroma.social/backend/development/API/differences_in_mastoapi_responses/>
private enum AnswerEntity: WireEntity {
  /// The reason for refusing a stream, if the reply is a refusal.
  static func read(_ fields: WireFields) -> String? {
    let isRefusal = fields.text("type") == "subscribe" && fields.text("result") == "error"
    return isRefusal ? SafeText.line(String(fields.text("error").prefix(300))) : nil
  }
}

extension WireDecoder {
  /// Decodes a WebSocket message. Returns nil for a malformed one.
  public static func streamFrame(from bytes: [UInt8]) -> StreamFrame? { try? FrameEntity.single(bytes) }

  /// Decodes an event. Returns nil for a malformed or unknown one.
  public static func streamEvent(named name: String, payload: [UInt8]) -> StreamEvent? {
    switch name {
    case "update": return (try? qwink(from: payload)).map { .posted($0, source: payload) }
    case "status.update": return (try? qwink(from: payload)).map { .edited($0) }
    case "delete":
      let id = String(decoding: payload, as: UTF8.self).filter { $0 != "\"" && !$0.isWhitespace }
      return id.isEmpty || id.utf8.count > 1000 ? nil : .deleted(Qwink.ID(id))
    case "notification": return (try? notification(from: payload)).map { .notified($0, source: payload) }
    case "conversation": return (try? conversation(from: payload)).map { .conversation($0, source: payload) }
    case "filters_changed": return .filtersChanged
    case "notifications_merged": return .notificationsMerged
    default: return nil
    }
  }
}

extension WireEncoder {
  /// Encodes the WebSocket message that subscribes to a stream or unsubscribes from it.
  public static func streamWish(_ stream: StreamName, isOn: Bool) -> [UInt8] {
    JSONWriter.bytes {
      $0.object {
        $0.field("type", isOn ? "subscribe" : "unsubscribe")
        $0.field("stream", stream.word)
        if let tag = stream.tag { $0.field("tag", tag) }
      }
    }
  }
}
