public import FoundationEssentials

/// A private message that was written and is not known to have arrived.
public struct OutgoingMessage: Hashable, Sendable, Codable, Identifiable {
  /// Why it did not arrive, or may not have.
  public struct Failure: Hashable, Sendable, Codable {
    /// What failed, why, and what to do.
    public var sentence: String
    /// Whether it may have arrived all the same.
    public var isDoubtful: Bool

    public init(_ sentence: String, isDoubtful: Bool) {
      self.sentence = sentence
      self.isDoubtful = isDoubtful
    }
  }

  /// What is sent: with the names of those it is for, and one key, however often it is sent.
  public var entry: Entry
  /// What was typed.
  public var text: String
  /// The id of the conversation that it was written in.
  public var conversation: String
  public var writtenAt: Date
  /// nil while it is on its way.
  public var failure: Failure?

  public init(entry: Entry, text: String, conversation: Conversation.ID, writtenAt: Date) {
    self.entry = entry
    self.text = text
    self.conversation = conversation.rawValue
    self.writtenAt = writtenAt
  }

  /// The key that tells it apart.
  public var id: String { entry.idempotencyKey }
}
