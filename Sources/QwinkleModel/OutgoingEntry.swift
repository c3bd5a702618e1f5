public import FoundationEssentials

/// An entry kept until it is known to have arrived: a draft, or one being sent.
public struct OutgoingEntry: Hashable, Sendable, Codable, Identifiable {
  /// A send whose outcome is unknown.
  public struct Attempt: Hashable, Sendable, Codable {
    /// What was sent, with its idempotency key.
    public var entry: Entry
    /// When, by this machine's clock.
    public var at: Date
    /// When, by the server's clock: not later than the true time. Nil if the server hadn't told its time yet.
    public var serverDate: Date?
    /// My qwinks that were known before: none of them is this one. Nil in entries of earlier versions.
    public var known: Set<String>?
    /// The ``reason`` if the program ended before it could record one.
    public static let endedReason = "Qwinkle quit before the server confirmed this post."

    /// Why the outcome is unknown, as a sentence; nil if the program ended meanwhile.
    public var reason: String?

    public init(
      entry: Entry, at date: Date, serverDate: Date? = nil, known: Set<String>? = nil, reason: String? = nil
    ) {
      self.entry = entry
      self.at = date
      self.serverDate = serverDate
      self.known = known
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
  /// What is known of its files. Nil if it has none, and in entries of earlier versions.
  public var files: [OutgoingFile]?
  /// Texts of fields that aren't part of the entry, by the field's name: the time of publication, and fields that the
  /// user hasn't finished. Nil without such fields, and in entries of earlier versions.
  public var fields: [String: String]?
  /// What the server gets; nil for a draft.
  public var sent: Entry?
  /// When it was given to the outbox; nil for a draft.
  public var writtenAt: Date?
  /// The command that wrote it; nil if a person did, or has changed it since.
  public var given: GivenEntry?

  public init(
    id: String = UUID().uuidString, purpose: String, entry: Entry, isAudienceOpen: Bool = false,
    attempts: [Attempt] = [], subject: String? = nil, cursor: Int? = nil, files: [OutgoingFile]? = nil,
    fields: [String: String]? = nil, sent: Entry? = nil, writtenAt: Date? = nil
  ) {
    self.id = id
    self.purpose = purpose
    self.entry = entry
    self.isAudienceOpen = isAudienceOpen
    self.attempts = attempts
    self.subject = subject
    self.cursor = cursor
    self.files = files
    self.fields = fields
    self.sent = sent
    self.writtenAt = writtenAt
  }

  /// The order it must be sent in: replies to one qwink, messages of one conversation, and all else, wait for each
  /// other. So no two are under way that a look at the server couldn't tell apart. Edits of one qwink do, too.
  public var thread: String {
    if purpose.hasPrefix("conversation/") || purpose.hasPrefix("edit/") { return purpose }
    return (sent ?? entry).inReplyTo.map { "reply/\($0)" } ?? "new"
  }

  /// The same as a draft.
  public var asDraft: OutgoingEntry {
    var draft = self
    draft.sent = nil
    draft.writtenAt = nil
    return draft
  }

  /// Whether it may have arrived already.
  public var isDoubtful: Bool { !attempts.isEmpty }
}

extension OutgoingEntry.Attempt {
  /// How far the clocks of two machines may differ, in seconds, where the server has never told its time.
  public static let clockTolerance: TimeInterval = 600
  /// Servers cut the time of a qwink to whole seconds.
  private static let serverTolerance: TimeInterval = 1

  /// A qwink written before this is not what the attempt posted. `ahead` is the server's time when this machine's clock
  /// said ``at``, as known now; it is needed only if the server had not told its time before.
  public func earliest(serverDate ahead: Date?) -> Date {
    if let serverDate { return serverDate.addingTimeInterval(-Self.serverTolerance) }
    if known != nil, let ahead { return ahead.addingTimeInterval(-Self.serverTolerance) }
    // Attempts of earlier versions, and servers that never tell.
    return (ahead ?? at).addingTimeInterval(-Self.clockTolerance)
  }

  /// Whether `qwink`, by the same author, is what this attempt posted, as far as can be seen. `earliest` is of
  /// ``earliest(serverDate:)``. Some servers call direct qwinks private. `isOrphan`: what it replies to is deleted, and
  /// such replies lose their link.
  public func became(_ qwink: Qwink, earliest: Date, isOrphan: Bool = false) -> Bool {
    guard qwink.booster == nil, qwink.createdAt >= earliest, known?.contains(qwink.id.rawValue) != true,
      qwink.visibility == entry.visibility || (entry.visibility == .direct && qwink.visibility == .private)
    else { return false }
    guard qwink.inReplyTo?.rawValue == entry.inReplyTo || (isOrphan && qwink.inReplyTo == nil) else { return false }
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
