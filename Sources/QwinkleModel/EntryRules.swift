import SafeText

/// What an entry of one purpose starts with, who may read it, and what stands against sending it. Pure.
public struct EntryRules: Hashable, Sendable {
  public let purpose: EntryPurpose
  /// Who writes; nil: it is not known yet.
  public let me: Qwinker?

  public init(_ purpose: EntryPurpose, me: Qwinker?) {
    self.purpose = purpose
    self.me = me
  }

  // MARK: Starting

  /// The handles of those to whom it goes by its purpose, each once, the author of what is answered first. Oneself is
  /// not among them, unless one writes to oneself.
  public var addressees: [String] {
    switch purpose {
    case .new, .edit: []
    case .reply(let qwink):
      Self.unique(
        ([(qwink.author.id, qwink.author.handle)] + qwink.mentions.map { ($0.id, $0.handle) })
          .filter { id, _ in id != me?.id }.map { $1 })
    case .message(let qwinker): [qwinker.handle]
    case .conversation(let conversation): Self.unique(conversation.participants.map(\.handle))
    }
  }

  /// Who may be allowed to read it, the widest first. One alone cannot be changed.
  public var visibilities: [Visibility] {
    let choices: [Visibility] = [.public, .unlisted, .private]
    switch purpose {
    case .new: return choices
    case .reply(let qwink) where qwink.visibility == .direct: return [.direct]
    case .reply(let qwink): return choices.filter { !$0.isWider(than: qwink.visibility) }
    case .edit(let qwink): return [qwink.visibility]
    case .message, .conversation: return [.direct]
    }
  }

  /// Whether who may read it has to be said, where nobody knows at which visibility somebody usually writes.
  public func leavesAudienceOpen(usual: Visibility?) -> Bool { usual == nil && visibilities.count > 1 }

  /// What it starts as, for somebody who writes at `usual` visibility; where that is not known, for as few as can be.
  /// An edit starts empty: its text has to be fetched.
  public func start(usual: Visibility?, idempotencyKey: String) -> Entry {
    var entry = Entry(text: "", idempotencyKey: idempotencyKey)
    entry.visibility = visibility(preferring: usual ?? visibilities.last ?? .direct)
    switch purpose {
    case .new, .conversation: break
    case .reply(let qwink):
      entry.contentWarning = Self.warning(answering: qwink.contentWarning)
      entry.text = addressees.map { "@\($0) " }.joined()
    case .message:
      entry.text = addressees.map { "@\($0) " }.joined()
    case .edit(let qwink):
      entry.contentWarning = qwink.contentWarning
      entry.language = qwink.language
      entry.isSensitive = qwink.isSensitive
    }
    return settled(entry)
  }

  /// A draft that was kept, as it can be sent now: what its purpose says holds again, what was typed stays.
  public func resume(_ draft: Entry) -> Entry {
    var entry = draft
    entry.visibility = visibility(preferring: draft.visibility)
    return settled(entry)
  }

  /// The wish, or where that is not allowed the widest that is narrower. Nobody gets to read what was meant for fewer:
  /// where all is wider, it stays as it was wished. Who may read what is there already is not changed by an edit.
  public func visibility(preferring wish: Visibility) -> Visibility {
    if case .edit(let qwink) = purpose { return qwink.visibility }
    return visibilities.first { !$0.isWider(than: wish) } ?? wish
  }

  /// The next that may be allowed to read it after `current`, round and round; the narrowest where that is none of
  /// them.
  public func visibility(after current: Visibility?) -> Visibility {
    guard let current, let index = visibilities.firstIndex(of: current) else { return visibilities.last ?? .direct }
    return visibilities[(index + 1) % visibilities.count]
  }

  private func settled(_ entry: Entry) -> Entry {
    var entry = entry
    switch purpose {
    case .new, .message: entry.inReplyTo = nil
    case .reply(let qwink): entry.inReplyTo = qwink.originalID.rawValue
    case .edit(let qwink):
      entry.inReplyTo = nil
      entry.attachmentIDs = qwink.attachments.map(\.id.rawValue)
    case .conversation(let conversation): entry.inReplyTo = conversation.lastQwink?.originalID.rawValue
    }
    return entry
  }

  private static func warning(answering warning: String) -> String {
    warning.isEmpty || warning.lowercased().hasPrefix("re:") ? warning : "re: \(warning)"
  }

  // MARK: Sending

  /// The entry as it is sent: what is written in a conversation names those who take part in it, though they are not
  /// seen in the text. A warning of nothing but spaces is none.
  public func outgoing(_ entry: Entry) -> Entry {
    var entry = entry
    if entry.contentWarning.trimmed().isEmpty { entry.contentWarning = "" }
    guard case .conversation = purpose else { return entry }
    entry.text = addressed(entry.text)
    return entry
  }

  /// `text` with the names of those it goes to before it, but for those that it names itself.
  public func addressed(_ text: String) -> String {
    let named = Set(Self.names(in: text).map { $0.lowercased() })
    return addressees.filter { !named.contains($0.lowercased()) }.map { "@\($0) " }.joined() + text
  }

  /// The handles that it names, each once: where it is private, those who get it. Oneself is left out.
  public func recipients(of entry: Entry) -> [String] {
    let own = me?.handle.lowercased()
    return Self.names(in: outgoing(entry).text).filter { $0.lowercased() != own }
  }

  /// Bytes of a text that are read for names and links. No server takes a longer one, and to count it at each key would
  /// hold the writer up.
  private static let mostBytes = 200_000

  /// Characters that are left, as the server counts; below 0 it is too long. Nil: it is so long that nobody counts it.
  public func remaining(of entry: Entry, limits: ServerInfo.Limits) -> Int? {
    let entry = outgoing(entry)
    guard entry.text.utf8.count <= Self.mostBytes, entry.contentWarning.utf8.count <= Self.mostBytes else { return nil }
    return limits.characters - CharacterCount.count(entry.text, limits: limits) - entry.contentWarning.count
  }

  /// What stands against sending it; nil: nothing.
  public func problem(with entry: Entry, limits: ServerInfo.Limits) -> EntryProblem? {
    guard let remaining = remaining(of: entry, limits: limits) else { return .farTooLong }
    let text = entry.text.trimmed()
    let start = start(usual: entry.visibility, idempotencyKey: "").text.trimmed()
    if entry.attachmentIDs.isEmpty, text.isEmpty || (text == start && !start.isEmpty) { return .empty }
    if remaining < 0 { return .tooLong(by: -remaining) }
    return namesNobody(entry) ? .namesNobody : nil
  }

  /// Whether it is private, and nobody could read it.
  public func namesNobody(_ entry: Entry) -> Bool {
    entry.visibility == .direct && Self.names(in: outgoing(entry).text).isEmpty && !isToOneself
  }

  /// Whether it is private and was so among oneself from the first.
  private var isToOneself: Bool {
    switch purpose {
    case .new, .message: false
    case .reply, .conversation: addressees.isEmpty
    case .edit(let qwink): qwink.mentions.allSatisfy { $0.id == me?.id }
    }
  }

  /// The handles after `@` in a text, each once, in the order in which they stand; none of a text that no server takes.
  static func names(in text: String) -> [String] {
    guard text.utf8.count <= mostBytes else { return [] }
    return unique(
      TextTokens.tokens(of: text).compactMap { token in
        guard case .mention(let name, let server) = token.kind else { return nil }
        return server.map { "\(name)@\($0)" } ?? name
      })
  }

  private static func unique(_ handles: [String]) -> [String] {
    var seen: Set<String> = []
    return handles.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
  }
}

/// Why an entry cannot be sent as it is.
public enum EntryProblem: Error, Hashable, Sendable {
  /// Nothing was written, or nothing but the names that it started with.
  case empty
  /// It has this many characters more than the server takes.
  case tooLong(by: Int)
  /// It is longer than anything that a server takes.
  case farTooLong
  /// It is private, and names nobody who could read it.
  case namesNobody
  /// An edit that changes nothing.
  case unchanged
  /// Nobody has said who may read it.
  case noAudience

  /// What is wrong and what to do.
  public var sentence: String {
    switch self {
    case .empty: "There is nothing to post yet: write something first."
    case .tooLong(let excess):
      "It is \(excess == 1 ? "1 character" : "\(excess) characters") too long for this server."
    case .farTooLong: "It is far too long for any server."
    case .namesNobody: "It names nobody, so nobody could read it: write @ and a name."
    case .noAudience: "Choose first who may read it: nobody knows whom you usually write for."
    case .unchanged: "Nothing has changed yet: write something else, or leave it as it is."
    }
  }
}
