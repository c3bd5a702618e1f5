import QwinkleWire

/// A message of a stream, encoded for both transports.
struct StreamMessage: Sendable {
  /// For server-sent events.
  let lines: [UInt8]
  /// For WebSockets.
  let frame: [UInt8]

  /// - Parameter payload: JSON or an id, without line breaks; nil if the event is all of it.
  init(_ event: String, _ payload: [UInt8]?, of stream: StreamName) {
    // Clients drop an event without data; this is what Mastodon sends.
    lines = Array("event: \(event)\ndata: ".utf8) + (payload ?? Array("undefined".utf8)) + Array("\n\n".utf8)
    frame = SmallJSON.bytes(
      Frame(stream: stream.words, event: event, payload: payload.map { String(decoding: $0, as: UTF8.self) }))
  }

  private struct Frame: Encodable {
    var stream: [String]
    var event: String
    var payload: String?
  }
}
