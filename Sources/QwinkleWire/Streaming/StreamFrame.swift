import FoundationEssentials
public import QwinkleModel
import SafeText

/// A message that a WebSocket of the streaming API has brought.
public enum StreamFrame: Hashable, Sendable {
  /// An event: of which stream, if the server says so, and what it is about.
  case event(stream: StreamName?, name: String, payload: [UInt8])
  /// The server refuses something, mostly a stream.
  case refusal(String)
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
      let payload = container.string(.payload) ?? container.identifier(.payload) ?? ""
      model = .event(stream: StreamName(words: words), name: name, payload: Array(payload.utf8))
    } else if let error = container.string(.error) {
      model = .refusal(SafeText.line(String(error.prefix(300))))
    } else {
      throw MissingField(name: "event")
    }
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
    case "notification": return (try? notification(from: payload)).map { .notified($0) }
    case "conversation": return (try? conversation(from: payload)).map { .conversation($0) }
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
