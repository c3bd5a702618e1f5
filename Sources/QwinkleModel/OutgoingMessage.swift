public import FoundationEssentials

/// A private message that isn't known to have arrived.
public struct OutgoingMessage: Hashable, Sendable, Codable, Identifiable {
  /// Why it did not arrive, or may not have.
  public struct Failure: Hashable, Sendable, Codable {
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
