public import FoundationEssentials

/// An entry that is saved until the server confirms its delivery: a draft, or an entry in the outbox.
public struct OutgoingEntry: Hashable, Sendable, Codable, Identifiable {
  /// A sending attempt whose outcome is unknown.
  public struct Attempt: Hashable, Sendable, Codable {
    /// The entry as sent, including its idempotency key.
    public var entry: Entry
    /// The time of the attempt by this machine's clock.
    public var at: Date
    /// The time of the attempt by the server's clock: an estimate that is never later than the true time. Nil if the
    /// server's time was unknown.
    public var serverDate: Date?
    /// Ids of the user's qwinks from before the attempt. None of them can be its result. Nil in entries saved by
    /// earlier versions of Qwinkle.
    public var known: Set<String>?
    /// The ``reason`` to show if the program ended before it recorded one.
    public static let endedReason = "Qwinkle quit before the server confirmed this post."

    /// The reason why the outcome is unknown, as a sentence. Nil if the program ended before recording it.
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

  /// Unique, even among entries with the same purpose.
  public var id: String
  /// An ``EntryPurpose/key``.
  public var purpose: String
  /// The entry as typed.
  public var entry: Entry
  /// Whether the user still has to choose the visibility. Until then, ``Entry/visibility`` has no meaning.
  public var isAudienceOpen: Bool
  /// The attempts that may have succeeded, oldest first.
  public var attempts: [Attempt]
  /// The subject of the purpose as a JSON entity of the API: the qwink to reply to or edit, the recipient, or the
  /// conversation. Nil for a new qwink and in entries saved by earlier versions.
  public var subject: String?
  /// Number of characters before the cursor; nil if the cursor is at the end.
  public var cursor: Int?
  /// Details of its files. Nil without files and in entries saved by earlier versions.
  public var files: [OutgoingFile]?
  /// Texts of fields that aren't part of the entry, keyed by field name: the publication time, and unfinished fields.
  /// Nil without such fields and in entries of earlier versions.
  public var fields: [String: String]?
  /// The entry for the server; nil for a draft.
  public var sent: Entry?
  /// When it was queued in the outbox; nil for a draft.
  public var writtenAt: Date?
  /// The command that created it. Nil if the user wrote it or has changed it since.
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

  /// The parsed ``purpose``, or nil if it's invalid.
  public var kind: EntryPurpose.Kind? { EntryPurpose.Kind(key: purpose) }

  /// A key for ordering: entries with the same key are sent in order, one at a time. The replies to one qwink have the
  /// same key, and so do the messages of one conversation, the edits of one qwink, and all other entries. Without this
  /// order, two entries with an unknown outcome could be confused on the server.
  public var thread: String {
    if purpose.hasPrefix("conversation/") || purpose.hasPrefix("edit/") { return purpose }
    return (sent ?? entry).inReplyTo.map { "reply/\($0)" } ?? "new"
  }

  /// Returns a copy as a draft.
  public var asDraft: OutgoingEntry {
    var draft = self
    draft.sent = nil
    draft.writtenAt = nil
    return draft
  }

  /// Whether it may have been delivered already.
  public var isDoubtful: Bool { !attempts.isEmpty }
}

extension OutgoingEntry.Attempt {
  /// Maximum assumed difference between two machines' clocks, in seconds.
  public static let clockTolerance: TimeInterval = 600
  /// Servers truncate the time of a qwink to whole seconds.
  private static let serverTolerance: TimeInterval = 1

  /// Returns the earliest possible time of the resulting qwink. `ahead` is the server's time at ``at``, computed with
  /// the clock offset known now. It is needed only if the server's time was unknown during the attempt.
  public func earliest(serverDate ahead: Date?) -> Date {
    if let serverDate { return serverDate.addingTimeInterval(-Self.serverTolerance) }
    if known != nil, let ahead { return ahead.addingTimeInterval(-Self.serverTolerance) }
    // For attempts saved by earlier versions, and for servers that never report their time.
    return (ahead ?? at).addingTimeInterval(-Self.clockTolerance)
  }

  /// Whether `qwink`, by the same author, seems to be the result of this attempt. A private qwink can be the result of
  /// a direct entry, because some servers report direct qwinks as private.
  ///
  /// - Parameters:
  ///   - earliest: The result of ``earliest(serverDate:)``.
  ///   - isOrphan: Whether the parent is deleted. Replies to deleted qwinks lose their link to the parent.
  public func became(_ qwink: Qwink, earliest: Date, isOrphan: Bool = false) -> Bool {
    guard qwink.booster == nil, qwink.createdAt >= earliest, known?.contains(qwink.id.rawValue) != true,
      qwink.visibility == entry.visibility || (entry.visibility == .direct && qwink.visibility == .private)
    else { return false }
    guard qwink.inReplyTo?.rawValue == entry.inReplyTo || (isOrphan && qwink.inReplyTo == nil) else { return false }
    guard quotesSame(as: qwink) else { return false }
    return qwink.contentWarning.filter { !$0.isWhitespace } == entry.contentWarning.filter { !$0.isWhitespace }
      && (MessageText.isSame(entry.text, as: qwink) || isSameBelowLink(qwink))
  }

  /// Whether `qwink` may quote the same post as the entry. A server that withholds the quote's id may quote any post,
  /// and some servers turn a link in the text into a quote.
  private func quotesSame(as qwink: Qwink) -> Bool {
    guard let quote = qwink.quote, let id = quote.id?.rawValue else { return true }
    return id == entry.quotedID || (entry.quotedID == nil && quote.url.map(entry.text.contains) == true)
  }

  /// Whether `qwink` has the entry's text below the link that servers add to a quote for clients without quotes.
  private func isSameBelowLink(_ qwink: Qwink) -> Bool {
    guard entry.quotedID != nil, qwink.text.paragraphs.first?.spans.first?.text.hasPrefix("RE:") == true else {
      return false
    }
    var rest = qwink
    rest.text.paragraphs.removeFirst()
    return MessageText.isSame(entry.text, as: rest)
  }
}

extension Entry {
  /// Whether both are equal except for their idempotency keys.
  public func saysSame(as other: Entry) -> Bool {
    var other = other
    other.idempotencyKey = idempotencyKey
    return self == other
  }
}
