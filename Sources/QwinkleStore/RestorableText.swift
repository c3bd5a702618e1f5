public import QwinkleModel
import QwinkleWire

/// Converts the subject of a screen, such as a qwink, to one line of JSON and back. The saved screen contains this
/// line, so that the next start can show the subject without cache or server.
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

extension ContentFilter {
  public var restorableText: String { String(decoding: WireEncoder.filter(self), as: UTF8.self) }

  public init?(restorableText: String) {
    guard let filter = try? WireDecoder.filter(from: Array(restorableText.utf8)) else { return nil }
    self = filter
  }
}

extension Conversation {
  public var restorableText: String { String(decoding: WireEncoder.conversation(self), as: UTF8.self) }

  public init?(restorableText: String) {
    guard let conversation = try? WireDecoder.conversation(from: Array(restorableText.utf8)) else { return nil }
    self = conversation
  }
}
