public import FoundationEssentials

/// An entry as it is kept until it is known to have arrived: the draft of something, or something on its way.
public struct OutgoingEntry: Hashable, Sendable, Codable, Identifiable {
  /// A time at which it was sent, and nobody knows whether it arrived.
  public struct Attempt: Hashable, Sendable, Codable {
    /// What was sent, with its key.
    public var entry: Entry
    public var at: Date
    /// The ``reason`` of what nobody could note one for.
    public static let endedReason = "Qwinkle ended before it was known whether this was posted."

    /// Why that is not known, as a sentence; nil: the program ended meanwhile.
    public var reason: String?

    public init(entry: Entry, at date: Date, reason: String? = nil) {
      self.entry = entry
      self.at = date
      self.reason = reason
    }
  }

  /// Tells it apart from every other, also from others for the same purpose.
  public var id: String
  /// ``EntryPurpose/key``.
  public var purpose: String
  /// What was typed.
  public var entry: Entry
  /// Whether nobody has said who may read it, so that ``Entry/visibility`` means nothing yet.
  public var isAudienceOpen: Bool
  /// The times it may have arrived, oldest first.
  public var attempts: [Attempt]

  public init(
    id: String = UUID().uuidString, purpose: String, entry: Entry, isAudienceOpen: Bool = false,
    attempts: [Attempt] = []
  ) {
    self.id = id
    self.purpose = purpose
    self.entry = entry
    self.isAudienceOpen = isAudienceOpen
    self.attempts = attempts
  }

  /// Whether it may have arrived already.
  public var isDoubtful: Bool { !attempts.isEmpty }
}

extension OutgoingEntry.Attempt {
  /// How far the clocks of two machines may differ.
  public static let clockTolerance: TimeInterval = 600

  /// Whether `qwink`, written by who sent this, is what became of it, as far as can be told.
  public func became(_ qwink: Qwink) -> Bool {
    guard qwink.booster == nil, qwink.createdAt > at.addingTimeInterval(-Self.clockTolerance) else { return false }
    // Where what it answers was deleted, it answers nothing any more.
    guard qwink.inReplyTo?.rawValue == entry.inReplyTo || qwink.inReplyTo == nil else { return false }
    return qwink.contentWarning.filter { !$0.isWhitespace } == entry.contentWarning.filter { !$0.isWhitespace }
      && MessageText.isSame(entry.text, as: qwink)
  }
}

extension Entry {
  /// Whether both say the same to the same people, whatever their keys are.
  public func saysSame(as other: Entry) -> Bool {
    var other = other
    other.idempotencyKey = idempotencyKey
    return self == other
  }
}
