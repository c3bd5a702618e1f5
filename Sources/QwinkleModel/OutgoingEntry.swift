public import FoundationEssentials

/// An entry kept until it is known to have arrived: a draft, or one being sent.
public struct OutgoingEntry: Hashable, Sendable, Codable, Identifiable {
  /// A send whose outcome is unknown.
  public struct Attempt: Hashable, Sendable, Codable {
    /// What was sent, with its idempotency key.
    public var entry: Entry
    public var at: Date
    /// The ``reason`` if the program ended before it could record one.
    public static let endedReason = "Qwinkle quit before the server confirmed this post."

    /// Why the outcome is unknown, as a sentence; nil if the program ended meanwhile.
    public var reason: String?

    public init(entry: Entry, at date: Date, reason: String? = nil) {
      self.entry = entry
      self.at = date
      self.reason = reason
    }
  }

  /// Unique, also among entries for the same purpose.
  public var id: String
  /// ``EntryPurpose/key``.
  public var purpose: String
  /// What was typed.
  public var entry: Entry
  /// Whether the user still has to choose who may read it. Until then ``Entry/visibility`` means nothing.
  public var isAudienceOpen: Bool
  /// The sends that may have arrived, oldest first.
  public var attempts: [Attempt]
  /// What the purpose is about, as a JSON entity of the API: the qwink replied to or edited, the recipient, the
  /// conversation. Nil for a new qwink, and if an earlier version saved it.
  public var subject: String?
  /// Characters of the text before the cursor; nil: it is at the end.
  public var cursor: Int?

  public init(
    id: String = UUID().uuidString, purpose: String, entry: Entry, isAudienceOpen: Bool = false,
    attempts: [Attempt] = [], subject: String? = nil, cursor: Int? = nil
  ) {
    self.id = id
    self.purpose = purpose
    self.entry = entry
    self.isAudienceOpen = isAudienceOpen
    self.attempts = attempts
    self.subject = subject
    self.cursor = cursor
  }

  /// Whether it may have arrived already.
  public var isDoubtful: Bool { !attempts.isEmpty }
}

extension OutgoingEntry.Attempt {
  /// How far the clocks of two machines may differ, in seconds.
  public static let clockTolerance: TimeInterval = 600

  /// Whether `qwink`, by the same author, seems to be what this attempt posted.
  public func became(_ qwink: Qwink) -> Bool {
    guard qwink.booster == nil, qwink.createdAt > at.addingTimeInterval(-Self.clockTolerance) else { return false }
    // A reply loses its link when the original is deleted.
    guard qwink.inReplyTo?.rawValue == entry.inReplyTo || qwink.inReplyTo == nil else { return false }
    return qwink.contentWarning.filter { !$0.isWhitespace } == entry.contentWarning.filter { !$0.isWhitespace }
      && MessageText.isSame(entry.text, as: qwink)
  }
}

extension Entry {
  /// Whether both are equal but for their idempotency keys.
  public func saysSame(as other: Entry) -> Bool {
    var other = other
    other.idempotencyKey = idempotencyKey
    return self == other
  }
}
