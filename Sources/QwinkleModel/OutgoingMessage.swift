public import FoundationEssentials

/// A private message that isn't known to have arrived.
public struct OutgoingMessage: Hashable, Sendable, Codable, Identifiable {
  /// Why it did not arrive, or may not have.
  public struct Failure: Hashable, Sendable, Codable {
    static let sentLater = "It is sent when the server answers."
    static let notSent = "Not sent."

    /// What failed, why, and what to do.
    public var sentence: String
    /// Whether it may have arrived anyway.
    public var isDoubtful: Bool

    public init(_ sentence: String, isDoubtful: Bool) {
      self.sentence = sentence
      self.isDoubtful = isDoubtful
    }
  }

  /// What is sent: it mentions the recipients, and has the same idempotency key each time.
  public var entry: Entry
  /// What was typed.
  public var text: String
  /// The id of the conversation it was written in.
  public var conversation: String
  public var writtenAt: Date
  /// Nil while it is being sent.
  public var failure: Failure?

  public init(entry: Entry, text: String, conversation: Conversation.ID, writtenAt: Date) {
    self.entry = entry
    self.text = text
    self.conversation = conversation.rawValue
    self.writtenAt = writtenAt
  }

  /// Its idempotency key, which is unique.
  public var id: String { entry.idempotencyKey }
}

extension OutgoingMessage {
  /// The message that an item of the outbox is; nil if it is none of a conversation.
  public init?(_ item: OutboxItem) {
    guard item.state != .draft, let entry = item.entry, let sent = entry.sent,
      let conversation = EntryPurpose.conversationWrittenIn(byKey: entry.purpose)
    else { return nil }
    self.init(
      entry: sent, text: entry.entry.text, conversation: conversation,
      writtenAt: entry.writtenAt ?? Date(timeIntervalSince1970: 0))
    switch item.state {
    case .draft, .undoable, .sending: failure = nil
    case .queued:
      failure = item.reason.map { Failure("\($0) \(Failure.sentLater)", isDoubtful: false) }
      if item.isHeld { failure = Failure("Held.", isDoubtful: false) }
    case .uncertain:
      let cause = item.reason ?? "Qwinkle quit before the server confirmed this message."
      failure = Failure("\(cause) It may have arrived: Qwinkle checks before sending it again.", isDoubtful: true)
    case .failed:
      let words = [Failure.notSent, item.reason].compactMap(\.self).joined(separator: " ")
      failure = Failure(words, isDoubtful: item.isDoubtful)
    }
  }
}
