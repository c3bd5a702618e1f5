public import QwinkleModel
import QwinkleWire

/// What a screen is about, as a JSON entity of the API in one line: the next start needs neither cache nor server to
/// show it.
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
