public import QwinkleModel
import QwinkleWire

/// The subject of a screen, as a JSON entity of the API in one line. The next start can then show it without cache or
/// server.
extension Qwink {
  public var restorableText: String { String(decoding: WireEncoder.qwink(self), as: UTF8.self) }

  public init?(restorableText: String) {
    guard let qwink = try? WireDecoder.qwink(from: Array(restorableText.utf8)) else { return nil }
    self = qwink
  }
}

extension Qwinker {
  public var restorableText: String { String(decoding: WireEncoder.qwinker(self), as: UTF8.self) }

  public init?(restorableText: String) {
    guard let qwinker = try? WireDecoder.qwinker(from: Array(restorableText.utf8)) else { return nil }
    self = qwinker
  }
}

extension Conversation {
  public var restorableText: String { String(decoding: WireEncoder.conversation(self), as: UTF8.self) }

  public init?(restorableText: String) {
    guard let conversation = try? WireDecoder.conversation(from: Array(restorableText.utf8)) else { return nil }
    self = conversation
  }
}
