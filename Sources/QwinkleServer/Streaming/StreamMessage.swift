import NIOCore
import Synchronization

/// A message of a stream, encoded once for all listeners.
final class StreamMessage: Sendable {
  /// A transport's encoding.
  enum Format: Sendable {
    /// Server-sent events.
    case lines
    /// WebSockets.
    case frame
  }

  private struct Frame: Encodable {
    var stream: [String]
    var event: String
    var payload: String?
  }

  private struct Filled {
    var origin: BaseURL
    var buffer: ByteBuffer
  }

  private let lines: BaseURLTemplate
  private let frame: BaseURLTemplate
  /// The latest buffer of each format. Most listeners have the same origin and share the buffer.
  private let latest = Mutex<[Format: Filled]>([:])

  /// - Parameter payload: JSON or an id, without line breaks. Nil for an event without data.
  init(_ event: String, _ payload: [UInt8]?, of stream: StreamChannel) {
    // Clients drop an event without data, so `undefined` is sent, as by Mastodon.
    lines = BaseURLTemplate(
      Array("event: \(event)\ndata: ".utf8) + (payload ?? Array("undefined".utf8)) + Array("\n\n".utf8))
    let payload = payload.map { String(decoding: $0, as: UTF8.self) }
    frame = BaseURLTemplate(SmallJSON.bytes(Frame(stream: stream.words, event: event, payload: payload)))
  }

  /// The message's length for a listener, in bytes.
  func count(_ format: Format, for origin: BaseURL) -> Int { template(format).count(for: origin) }

  func buffer(_ format: Format, for origin: BaseURL) -> ByteBuffer {
    latest.withLock { latest in
      if let known = latest[format], known.origin == origin { return known.buffer }
      let buffer = template(format).buffer(for: origin)
      latest[format] = Filled(origin: origin, buffer: buffer)
      return buffer
    }
  }

  func bytes(_ format: Format, for origin: BaseURL) -> [UInt8] { Array(buffer(format, for: origin).readableBytesView) }

  private func template(_ format: Format) -> BaseURLTemplate {
    switch format {
    case .lines: lines
    case .frame: frame
    }
  }
}
