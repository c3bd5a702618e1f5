public import FoundationEssentials

/// A pending request to an account's server and its state.
public struct OutboxItem: Hashable, Sendable, Identifiable {
  /// The kind of request.
  public enum Kind: String, Sendable, CaseIterable {
    case post, reply, edit, message, delete, reaction, follow

    /// The kind of an entry with this ``EntryPurpose/key``.
    public init(ofPurpose purpose: String) {
      switch EntryPurpose.Kind(key: purpose) {
      case .reply: self = .reply
      case .edit: self = .edit
      case .message, .conversation: self = .message
      case .new, .quote, nil: self = .post
      }
    }
  }

  /// The state of an item. Items that were sent are removed from the outbox.
  public enum State: String, Sendable, CaseIterable {
    /// Being written. Sent only at the user's command.
    case draft
    /// Sent after a few seconds unless the user undoes it. Quitting sends it at once; a crash leaves a draft.
    case undoable
    /// Waiting for earlier items, for the server, or for its next attempt.
    case queued
    /// A request is in progress.
    case sending
    /// Possibly delivered. Qwinkle checks the server before it sends the item again.
    case uncertain
    /// Rejected by the server. Waits for the user.
    case failed
  }

  /// The content of an item.
  public enum Content: Hashable, Sendable {
    /// A post, a reply, an edit or a message.
    case entry(OutgoingEntry)
    /// A reaction, a follow or a deletion.
    case change(OutgoingChange)
  }

  /// Unique in the account, also across restarts.
  public var id: String
  public let kind: Kind
  public var state: State
  public var content: Content
  /// The position in the outbox, in queue order. 0 for a draft, and until the item is saved.
  public var position: Int
  /// A key for ordering, not a thread of posts. Items with the same key are sent in order, one at a time. Nil if the
  /// item never waits for other items.
  public var thread: String?
  /// The id of the parent item, which must be sent first. Nil if the item doesn't reply to another item in the outbox.
  public var waitsFor: String?
  /// The time of the next attempt, by this machine's clock; nil to try immediately.
  public var nextAttempt: Date?
  /// Number of consecutive failed attempts.
  public var attemptCount: Int
  /// Whether the item is on hold. It isn't sent until released.
  public var isHeld: Bool
  /// The reason for the delay or failure, as sentences. Nil if no attempt failed.
  public var reason: String?
  /// Whether another running process owns the item, so that it can't be changed here. Not saved.
  public var isElsewhere = false

  /// Creates an item. Its position is set when it is saved.
  public init(
    id: String = UUID().uuidString, kind: Kind, state: State = .queued, content: Content, position: Int = 0,
    thread: String? = nil, waitsFor: String? = nil, nextAttempt: Date? = nil, attemptCount: Int = 0,
    isHeld: Bool = false, reason: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.state = state
    self.content = content
    self.position = position
    self.thread = thread
    self.waitsFor = waitsFor
    self.nextAttempt = nextAttempt
    self.attemptCount = attemptCount
    self.isHeld = isHeld
    self.reason = reason
  }

  /// Creates an item that sends `entry`.
  public init(_ entry: OutgoingEntry) {
    let kind = Kind(ofPurpose: entry.purpose)
    self.init(id: entry.id, kind: kind, content: .entry(entry), thread: entry.thread)
  }

  /// Creates an item that sends `entry`, the version of `outgoing` for the server. `date` is the time at which it was
  /// queued. If an earlier attempt may have succeeded, the item is uncertain.
  public init(_ outgoing: OutgoingEntry, sending entry: Entry, at date: Date) {
    var outgoing = outgoing
    for index in outgoing.attempts.indices where outgoing.attempts[index].reason == nil {
      outgoing.attempts[index].reason = OutgoingEntry.Attempt.endedReason
    }
    outgoing.sent = entry
    outgoing.writtenAt = date
    self.init(outgoing)
    if isDoubtful { state = .uncertain }
  }

  /// Creates an item that sends `change`.
  public init(_ change: OutgoingChange) {
    self.init(id: UUID().uuidString, kind: change.what.kind, content: .change(change), thread: change.thread)
  }

  /// Creates items for the parts of a thread. The first part is queued like any other entry. Each further part replies
  /// to the previous part and waits for that part only.
  public static func thread(of entries: [OutgoingEntry]) -> [OutboxItem] {
    var items: [OutboxItem] = []
    for entry in entries {
      guard let last = items.last else {
        items.append(OutboxItem(entry))
        continue
      }
      items.append(
        OutboxItem(id: entry.id, kind: .reply, content: .entry(entry), thread: "after/\(last.id)", waitsFor: last.id))
    }
    return items
  }

  /// Creates an item for a message that an earlier version of Qwinkle saved. It is sent only at the user's command.
  public init(earlier message: OutgoingMessage) {
    let isDoubtful = message.failure?.isDoubtful ?? true
    let attempt = OutgoingEntry.Attempt(
      entry: message.entry, at: message.writtenAt,
      reason: message.failure?.sentence ?? OutgoingEntry.Attempt.endedReason)
    var typed = message.entry
    typed.text = message.text
    let entry = OutgoingEntry(
      id: message.id, purpose: EntryPurpose.Kind.conversation(Conversation.ID(message.conversation)).key, entry: typed,
      attempts: isDoubtful ? [attempt] : [], sent: message.entry, writtenAt: message.writtenAt)
    self.init(entry)
    state = isDoubtful ? .uncertain : .failed
    isHeld = isDoubtful
    attemptCount = 1
    reason = attempt.reason.map(Self.cause)
  }

  /// Extracts the cause from an error message of an earlier version of Qwinkle.
  private static func cause(_ sentence: String) -> String {
    var cause = sentence[...]
    if cause.hasPrefix("Not sent. ") { cause = cause.dropFirst("Not sent. ".count) }
    if let end = cause.firstRange(of: " It may have arrived:") { cause = cause[..<end.lowerBound] }
    return String(cause)
  }

  /// The entry, unless the item is a change.
  public var entry: OutgoingEntry? {
    get { if case .entry(let entry) = content { entry } else { nil } }
    set { if let newValue { content = .entry(newValue) } }
  }

  /// The change, unless the item is an entry.
  public var change: OutgoingChange? { if case .change(let change) = content { change } else { nil } }

  /// Returns a copy with a new id.
  public func renamed() -> OutboxItem {
    var item = self
    let id = UUID().uuidString
    item.id = id
    item.entry?.id = id
    return item
  }

  /// Turns the entry into a reply to `qwink`, which the parent item created. The entry no longer waits for that item.
  public mutating func reply(to qwink: Qwink.ID) {
    waitsFor = nil
    guard var entry else { return }
    entry.purpose = EntryPurpose.Kind.reply(to: qwink).key
    entry.entry.inReplyTo = qwink.rawValue
    entry.sent?.inReplyTo = qwink.rawValue
    self.entry = entry
    thread = entry.thread
  }

  /// Whether this item can be sent before `other`, an earlier item with the same ``thread`` that isn't being sent yet.
  func passesWaiting(_ other: OutboxItem) -> Bool { kind == .delete && other.kind == .edit }

  /// Replaces the id of a qwink to which the server gave a new id when it was edited.
  public mutating func replaceID(_ old: Qwink.ID, by new: Qwink.ID) {
    switch content {
    case .change(var change):
      guard change.what != .follow, change.target == old.rawValue else { return }
      change.target = new.rawValue
      content = .change(change)
      thread = change.thread
    case .entry(var entry):
      let hasOwnThread = thread == entry.thread
      if entry.kind == .edit(old) { entry.purpose = EntryPurpose.Kind.edit(new).key }
      if entry.kind == .reply(to: old) { entry.purpose = EntryPurpose.Kind.reply(to: new).key }
      if entry.kind == .quote(of: old) { entry.purpose = EntryPurpose.Kind.quote(of: new).key }
      if entry.entry.quotedID == old.rawValue { entry.entry.quotedID = new.rawValue }
      if entry.sent?.quotedID == old.rawValue { entry.sent?.quotedID = new.rawValue }
      if entry.entry.inReplyTo == old.rawValue { entry.entry.inReplyTo = new.rawValue }
      if entry.sent?.inReplyTo == old.rawValue { entry.sent?.inReplyTo = new.rawValue }
      content = .entry(entry)
      if hasOwnThread { thread = entry.thread }
    }
  }

  /// A key shared by all items with the same purpose: an entry's ``EntryPurpose/key``, or a change's
  /// ``OutgoingChange/key``.
  public var purpose: String {
    switch content {
    case .entry(let entry): entry.purpose
    case .change(let change): change.key
    }
  }

  /// Whether the item was possibly delivered already, and sending it again would create a duplicate. False for edits.
  public var isDoubtful: Bool { kind != .edit && entry?.isDoubtful ?? false }
}

/// A boost, favourite, bookmark or follow to add or remove, or a qwink to delete. Safe to repeat.
public struct OutgoingChange: Hashable, Sendable, Codable {
  /// The kind of change.
  public enum What: Hashable, Sendable {
    case reaction(Reaction), follow, delete

    /// The kind of the change's outbox items.
    public var kind: OutboxItem.Kind {
      switch self {
      case .reaction: .reaction
      case .follow: .follow
      case .delete: .delete
      }
    }
  }

  public var what: What
  /// The id of the qwink or qwinker.
  public var target: String
  /// Whether to add rather than remove the boost, favourite, bookmark or follow. True for a deletion.
  public var isOn: Bool
  /// The state that the server last reported.
  public var wasOn: Bool
  /// A title for lists: `@erin`, or the beginning of a qwink.
  public var title: String
  /// The changed options of a follow. Nil for other changes, and for a follow with the usual options.
  public var options: FollowOptions?

  public init(
    _ what: What, of target: String, isOn: Bool = true, wasOn: Bool = false, title: String = "",
    options: FollowOptions? = nil
  ) {
    self.what = what
    self.target = target
    self.isOn = isOn
    self.wasOn = wasOn
    self.title = title
    self.options = options
  }

  /// Equal for all changes of the same kind to the same target, such as `favourite/7`.
  public var key: String { "\(what.rawValue)/\(target)" }

  /// A key for ordering: changes with the same key are sent in order. A deletion has the key of an edit of the same
  /// qwink, so that it waits for an edit in progress, which may change the qwink's id.
  public var thread: String { what == .delete ? EntryPurpose.Kind.edit(Qwink.ID(target)).key : key }

  /// The reaction; nil for follows and deletions.
  public var reaction: Reaction? { if case .reaction(let reaction) = what { reaction } else { nil } }
}

/// The stored form is one word, such as `favourite` or `delete`.
extension OutgoingChange.What: RawRepresentable, Codable {
  private static let follows = "follow"
  private static let deletes = "delete"

  public init?(rawValue: String) {
    switch rawValue {
    case Self.follows: self = .follow
    case Self.deletes: self = .delete
    default:
      guard let reaction = Reaction(rawValue: rawValue) else { return nil }
      self = .reaction(reaction)
    }
  }

  public var rawValue: String {
    switch self {
    case .reaction(let reaction): reaction.rawValue
    case .follow: Self.follows
    case .delete: Self.deletes
    }
  }
}
