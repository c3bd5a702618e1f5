public import FoundationEssentials

/// Something that an account's server is to be told, and how far that has come.
public struct OutboxItem: Hashable, Sendable, Identifiable {
  /// What the server is told.
  public enum Kind: String, Sendable, CaseIterable {
    case post, reply, edit, message, delete, reaction, follow

    /// The kind of an entry for an ``EntryPurpose/key``.
    public init(ofPurpose purpose: String) {
      switch purpose.prefix(while: { $0 != "/" }) {
      case "reply": self = .reply
      case "edit": self = .edit
      case "message", "conversation": self = .message
      default: self = .post
      }
    }
  }

  /// How far it has come. What was sent is no item any more.
  public enum State: String, Sendable, CaseIterable {
    /// It is being written, and sent only when the user says so.
    case draft
    /// It is sent in some seconds, unless its writer takes it back meanwhile. What a program leaves behind so becomes a
    /// draft.
    case undoable
    /// It waits for its turn, for the server or for the time of its next attempt.
    case queued
    /// A request is on its way.
    case sending
    /// It may have arrived. It is looked for before it is sent again.
    case uncertain
    /// The server doesn't take it. Nothing more happens without the user.
    case failed
  }

  /// What it has in it.
  public enum Content: Hashable, Sendable {
    /// A post, a reply, an edit or a message.
    case entry(OutgoingEntry)
    /// A reaction, a follow or a deletion.
    case change(OutgoingChange)
  }

  /// Unique in the account, also after a restart.
  public var id: String
  public let kind: Kind
  public var state: State
  public var content: Content
  /// Its place in the outbox: lower ones were queued earlier. 0 for a draft.
  public var position: Int
  /// What must be sent in order: items with the same thread wait for each other. Nil: it waits for none.
  public var thread: String?
  /// The item that it replies to; it waits until that was sent. Nil if there is none.
  public var waitsFor: String?
  /// When to try again, by this machine's clock; nil: at once.
  public var nextAttempt: Date?
  /// How often it was tried in a row without success.
  public var attemptCount: Int
  /// Whether the user has held it: it isn't sent until released.
  public var isHeld: Bool
  /// Why it waits or failed, as sentences; nil if nothing went wrong.
  public var reason: String?
  /// Whether another running program has it. Then it can't be changed here. Not saved.
  public var isElsewhere = false

  /// An item in the outbox, at first without a position.
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

  /// An item for `entry`, to be sent.
  public init(_ entry: OutgoingEntry) {
    let kind = Kind(ofPurpose: entry.purpose)
    self.init(id: entry.id, kind: kind, content: .entry(entry), thread: entry.thread)
  }

  /// An item for `outgoing`, written at `date`, with `entry` as the text for the server.
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

  /// An item for `change`, to be sent.
  public init(_ change: OutgoingChange, id: String = UUID().uuidString) {
    self.init(id: id, kind: change.what.kind, content: .change(change), thread: change.thread)
  }

  /// Items for the parts of a thread, each of which waits for the one before: it replies to that. They wait for nothing
  /// else, and nothing waits behind them while they do.
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

  /// A message that an earlier version kept. It is sent only when the user says so.
  public init(earlier message: OutgoingMessage) {
    let isDoubtful = message.failure?.isDoubtful ?? true
    let attempt = OutgoingEntry.Attempt(
      entry: message.entry, at: message.writtenAt,
      reason: message.failure?.sentence ?? OutgoingEntry.Attempt.endedReason)
    var typed = message.entry
    typed.text = message.text
    let entry = OutgoingEntry(
      id: message.id, purpose: EntryPurpose.key(ofConversation: Conversation.ID(message.conversation)), entry: typed,
      attempts: isDoubtful ? [attempt] : [], sent: message.entry, writtenAt: message.writtenAt)
    self.init(entry)
    state = isDoubtful ? .uncertain : .failed
    isHeld = isDoubtful
    attemptCount = 1
    reason = attempt.reason.map(Self.cause)
  }

  /// What an earlier version's sentence about a message says of the cause.
  private static func cause(_ sentence: String) -> String {
    var cause = sentence[...]
    if cause.hasPrefix("Not sent. ") { cause = cause.dropFirst("Not sent. ".count) }
    if let end = cause.firstRange(of: " It may have arrived:") { cause = cause[..<end.lowerBound] }
    return String(cause)
  }

  /// The entry; nil if it is none.
  public var entry: OutgoingEntry? {
    get { if case .entry(let entry) = content { entry } else { nil } }
    set { if let newValue { content = .entry(newValue) } }
  }

  /// The change; nil if it is none.
  public var change: OutgoingChange? { if case .change(let change) = content { change } else { nil } }

  /// The same under a new id.
  public func renamed() -> OutboxItem {
    var item = self
    let id = UUID().uuidString
    item.id = id
    item.entry?.id = id
    return item
  }

  /// Makes an entry that waited for another one the reply to what that became.
  public mutating func reply(to qwink: Qwink.ID) {
    waitsFor = nil
    guard var entry else { return }
    entry.purpose = EntryPurpose.key(ofReplyTo: qwink)
    entry.entry.inReplyTo = qwink.rawValue
    entry.sent?.inReplyTo = qwink.rawValue
    self.entry = entry
    thread = entry.thread
  }

  /// Whether it is sent before `other`, an earlier item of the same thread without a request in progress.
  func passesWaiting(_ other: OutboxItem) -> Bool { kind == .delete && other.kind == .edit }

  /// Replaces the id of a qwink that got another one by an edit.
  public mutating func replaceID(_ old: Qwink.ID, by new: Qwink.ID) {
    switch content {
    case .change(var change):
      guard change.what != .follow, change.target == old.rawValue else { return }
      change.target = new.rawValue
      content = .change(change)
      thread = change.thread
    case .entry(var entry):
      let hasOwnThread = thread == entry.thread
      if EntryPurpose.qwinkEdited(byKey: entry.purpose) == old { entry.purpose = EntryPurpose.key(ofEditOf: new) }
      if EntryPurpose.qwinkRepliedTo(byKey: entry.purpose) == old { entry.purpose = EntryPurpose.key(ofReplyTo: new) }
      if entry.entry.inReplyTo == old.rawValue { entry.entry.inReplyTo = new.rawValue }
      if entry.sent?.inReplyTo == old.rawValue { entry.sent?.inReplyTo = new.rawValue }
      content = .entry(entry)
      if hasOwnThread { thread = entry.thread }
    }
  }

  /// The key by which drafts and changes of the same thing are found.
  public var purpose: String {
    switch content {
    case .entry(let entry): entry.purpose
    case .change(let change): change.key
    }
  }

  /// Whether it may have arrived already, and doing it twice would show.
  public var isDoubtful: Bool { kind != .edit && entry?.isDoubtful ?? false }
}

/// Something to be turned on or off on the server, or deleted there. Doing it twice does no harm.
public struct OutgoingChange: Hashable, Sendable, Codable {
  /// What is changed.
  public enum What: String, Hashable, Sendable, Codable, CaseIterable {
    case boost, favourite, bookmark, follow, delete

    /// The kind of its items.
    public var kind: OutboxItem.Kind {
      switch self {
      case .boost, .favourite, .bookmark: .reaction
      case .follow: .follow
      case .delete: .delete
      }
    }
  }

  public var what: What
  /// The id of the qwink or qwinker.
  public var target: String
  /// Whether it is turned on. True for a deletion.
  public var isOn: Bool
  /// The state that the server last told.
  public var wasOn: Bool
  /// Whose and what it is, for lists: `@erin`, or the beginning of a qwink.
  public var title: String

  public init(_ what: What, of target: String, isOn: Bool = true, wasOn: Bool = false, title: String = "") {
    self.what = what
    self.target = target
    self.isOn = isOn
    self.wasOn = wasOn
    self.title = title
  }

  /// The same for all changes of the same thing, such as `favourite/7`.
  public var key: String { "\(what.rawValue)/\(target)" }

  /// The order it must be sent in. A deletion waits for an edit in progress, which may change the id of the qwink.
  public var thread: String { what == .delete ? EntryPurpose.key(ofEditOf: Qwink.ID(target)) : key }

  /// The reaction; nil if it is none.
  public var reaction: Reaction? {
    switch what {
    case .boost: .boost
    case .favourite: .favourite
    case .bookmark: .bookmark
    case .follow, .delete: nil
    }
  }
}
