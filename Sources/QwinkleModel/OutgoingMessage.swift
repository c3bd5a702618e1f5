public import FoundationEssentials

/// A private message whose delivery isn't confirmed.
public struct OutgoingMessage: Hashable, Sendable, Codable, Identifiable {
  /// The reason why the delivery failed or is uncertain.
  public struct Failure: Hashable, Sendable, Codable {
    static let sentLater = "It is sent when the server answers."
    static let notSent = "Not sent."

    /// A description of the failure, its cause, and the next step.
    public var sentence: String
    /// Whether it may have been delivered anyway.
    public var isDoubtful: Bool

    public init(_ sentence: String, isDoubtful: Bool) {
      self.sentence = sentence
      self.isDoubtful = isDoubtful
    }
  }

  /// The entry to send. It mentions the recipients and has the same idempotency key on each attempt.
  public var entry: Entry
  /// The text as typed.
  public var text: String
  /// Details of its files. Nil without files and in messages saved by earlier versions.
  public var files: [OutgoingFile]?
  /// The id of the conversation in which it was written.
  public var conversation: String
  public var writtenAt: Date
  /// Nil while the message is being sent or waits for its first attempt.
  public var failure: Failure?

  public init(entry: Entry, text: String, conversation: Conversation.ID, writtenAt: Date) {
    self.entry = entry
    self.text = text
    self.conversation = conversation.rawValue
    self.writtenAt = writtenAt
  }

  /// The idempotency key, which is unique.
  public var id: String { entry.idempotencyKey }
}

extension OutgoingMessage {
  /// Creates the message of an outbox item. Returns nil if the item is a draft or doesn't belong to a conversation.
  public init?(_ item: OutboxItem) {
    guard item.state != .draft, let entry = item.entry, let sent = entry.sent,
      case .conversation(let conversation)? = entry.kind
    else { return nil }
    self.init(
      entry: sent, text: entry.entry.text, conversation: conversation,
      writtenAt: entry.writtenAt ?? Date(timeIntervalSince1970: 0))
    files = entry.files
    switch item.state {
    case .draft, .undoable, .sending: failure = nil
    case .queued:
      failure = item.reason.map { Failure("\($0) \(Failure.sentLater)", isDoubtful: false) }
      if item.isHeld { failure = Failure("On hold.", isDoubtful: false) }
    case .uncertain:
      let cause = item.reason ?? "Qwinkle quit before the server confirmed this message."
      failure = Failure("\(cause) It may have arrived: Qwinkle checks before sending it again.", isDoubtful: true)
    case .failed:
      let words = [Failure.notSent, item.reason].compactMap(\.self).joined(separator: " ")
      failure = Failure(words, isDoubtful: item.isDoubtful)
    }
  }
}
