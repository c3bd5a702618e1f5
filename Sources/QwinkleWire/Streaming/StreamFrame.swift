import FoundationEssentials
public import QwinkleModel
import SafeText

/// A message that a WebSocket of the streaming API has brought.
public enum StreamFrame: Hashable, Sendable {
  /// An event: of which stream, if the server says so, and what it is about.
  case event(stream: StreamName?, name: String, payload: [UInt8])
  /// The server refuses something, mostly a stream.
  case refusal(String)

  /// How Pleroma refuses those whom it doesn't know.
  public static let unauthorized = "unauthorized"
}

/// <https://docs.joinmastodon.org/methods/streaming/#websocket>
private struct FrameEntity: WireEntity {
  let model: StreamFrame

  enum CodingKeys: String, CodingKey {
    case stream, event, payload, error
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let name = container.string(.event) {
      let words = (try? container.decodeIfPresent([String].self, forKey: .stream)) ?? []
      // The id of what was deleted is a number on some servers.
      let payload = Array((container.string(.payload) ?? container.identifier(.payload) ?? "").utf8)
      model =
        Self.refusal(name, payload) ?? .event(stream: StreamName(words: words), name: name, payload: payload)
    } else if let error = container.string(.error) {
      model = .refusal(SafeText.line(String(error.prefix(300))))
    } else {
      throw MissingField(name: "event")
    }
  }

  /// Pleroma refuses a wish by an event.
  private static func refusal(_ name: String, _ payload: [UInt8]) -> StreamFrame? {
    guard name == "pleroma:respond", let reader = try? BodyReader(payload) else { return nil }
    return (try? reader.single(AnswerEntity.self)).flatMap { $0.map { .refusal($0) } }
  }
}

/// Pleroma's answer to what a client has sent (Response to client-sent events):
/// <https://docs.pleroma.social/backend/development/API/differences_in_mastoapi_responses/>
private struct AnswerEntity: WireEntity {
  /// Why a stream is refused; nil if none is.
  let model: String?

  enum CodingKeys: String, CodingKey {
    case type, result, error
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let isRefusal = container.text(.type) == "subscribe" && container.text(.result) == "error"
    model = isRefusal ? SafeText.line(String(container.text(.error).prefix(300))) : nil
  }
}

extension WireDecoder {
  /// A message of a WebSocket; nil if it is broken.
  public static func streamFrame(from bytes: [UInt8]) -> StreamFrame? {
    try? BodyReader(bytes).single(FrameEntity.self)
  }

  /// An event by its name and payload. Nil if it is broken or of an unknown kind.
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
    default: return nil
    }
  }
}

extension WireEncoder {
  /// What a client says by WebSocket to begin or end a stream.
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
