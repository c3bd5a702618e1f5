import SafeText

/// The rules for entries of one purpose: how they start, who may read them, and whether they can be sent. Pure.
public struct EntryRules: Hashable, Sendable {
  public let purpose: EntryPurpose
  /// The author; nil while unknown.
  public let me: Qwinker?

  public init(_ purpose: EntryPurpose, me: Qwinker?) {
    self.purpose = purpose
    self.me = me
  }

  // MARK: Starting

  /// The handles that the purpose addresses, without duplicates, the author of the original first. The user is left
  /// out, except in messages to themselves.
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

  /// The visibilities to choose from, widest first. If there is only one, it can't be changed.
  public var visibilities: [Visibility] {
    let choices: [Visibility] = [.public, .unlisted, .private, .direct]
    switch purpose {
    case .new: return choices
    case .reply(let qwink): return choices.filter { !$0.isWider(than: qwink.visibility) }
    case .edit(let qwink): return [qwink.visibility]
    case .message, .conversation: return [.direct]
    }
  }

  /// Whether the user must choose a visibility: their usual one is unknown, and it could be one of several. Nobody
  /// usually posts direct qwinks.
  public func leavesAudienceOpen(usual: Visibility?) -> Bool {
    usual == nil && visibilities.count { $0 != .direct } > 1
  }

  /// The narrowest visibility for more than some people, if there is one.
  private var narrowest: Visibility { visibilities.last { $0 != .direct } ?? .direct }

  /// The initial entry of a user who usually posts at `usual` visibility; if that is unknown, the narrowest is set that
  /// is for more than some people. An edit starts empty: its text has to be fetched.
  public func start(usual: Visibility?, language: String? = nil, idempotencyKey: String) -> Entry {
    var entry = Entry(text: "", idempotencyKey: idempotencyKey)
    entry.language = language
    entry.visibility = visibility(preferring: usual ?? narrowest)
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
      entry.isSensitive = qwink.isCovered
    }
    return settled(entry)
  }

  /// A saved draft, made ready to send: what was typed stays, what follows from the purpose is set again.
  public func resume(_ draft: Entry) -> Entry {
    var entry = draft
    entry.visibility = visibility(preferring: draft.visibility)
    return settled(entry)
  }

  /// `wish` if it is allowed, else the widest allowed visibility that is narrower. If all are wider, `wish` stays, so
  /// that nobody reads what was meant for fewer. An edit never changes the visibility.
  public func visibility(preferring wish: Visibility) -> Visibility {
    if case .edit(let qwink) = purpose { return qwink.visibility }
    return visibilities.first { !$0.isWider(than: wish) } ?? wish
  }

  /// The allowed visibility after `current`, wrapping around. If `current` is nil or not allowed, the narrowest that is
  /// for more than some people.
  public func visibility(after current: Visibility?) -> Visibility {
    guard let current, let index = visibilities.firstIndex(of: current) else { return narrowest }
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

  /// The entry as it is sent. In a conversation its text also mentions the participants, whom the editor doesn't show.
  /// A blank content warning is dropped.
  public func outgoing(_ entry: Entry) -> Entry {
    var entry = entry
    if entry.contentWarning.trimmed().isEmpty { entry.contentWarning = "" }
    guard case .conversation = purpose else { return entry }
    entry.text = addressed(entry.text)
    return entry
  }

  /// `text`, preceded by the addressees that it doesn't mention.
  public func addressed(_ text: String) -> String {
    let named = Set(Self.names(in: text).map(Handle.key))
    return addressees.filter { !named.contains(Handle.key($0)) }.map { "@\($0) " }.joined() + text
  }

  /// The handles it mentions, without duplicates and without the user: who gets it if it is direct.
  public func recipients(of entry: Entry) -> [String] {
    let own = me?.handle.lowercased()
    return Self.names(in: outgoing(entry).text).filter { $0.lowercased() != own }
  }

  /// Maximum length in bytes of a text that is searched for names and links. No server accepts more, and a search at
  /// each key would make typing slow.
  static let mostBytes = 200_000

  /// Characters left, counted as the server does; negative if it is too long, nil if it is too long to be counted.
  public func remaining(of entry: Entry, limits: ServerInfo.Limits) -> Int? {
    let entry = outgoing(entry)
    guard entry.text.utf8.count <= Self.mostBytes, entry.contentWarning.utf8.count <= Self.mostBytes else { return nil }
    return limits.characters - CharacterCount.count(entry.text, limits: limits) - entry.contentWarning.count
  }

  /// Returns the reason why an entry can't be sent; nil if it can. A text that a server may count as short enough is
  /// left to the server. If `limits` is nil, they are unknown.
  public func problem(with entry: Entry, limits: ServerInfo.Limits?) -> EntryProblem? {
    guard let remaining = remaining(of: entry, limits: limits ?? ServerInfo.Limits()) else { return .farTooLong }
    if let problem = problemBesidesLength(with: entry) { return problem }
    // Some servers don't count the content warning.
    guard remaining < 0, let limits,
      CharacterCount.least(outgoing(entry).text, limits: limits) > limits.characters
    else { return nil }
    return .tooLong(by: -remaining)
  }

  /// The same, however long it is.
  public func problemBesidesLength(with entry: Entry) -> EntryProblem? {
    let text = entry.text.trimmed()
    let start = start(usual: entry.visibility, idempotencyKey: "").text.trimmed()
    if entry.attachmentIDs.isEmpty, text.isEmpty || (text == start && !start.isEmpty) { return .empty }
    if let language = entry.language, !LanguageCode.isCode(language) { return .noLanguage(language) }
    return namesNobody(entry) ? .namesNobody : nil
  }

  /// Whether it is direct and nobody could read it.
  public func namesNobody(_ entry: Entry) -> Bool {
    entry.visibility == .direct && Self.names(in: outgoing(entry).text).isEmpty && !isToOneself
  }

  /// Whether it continues or edits a note to oneself.
  private var isToOneself: Bool {
    switch purpose {
    case .new, .message: false
    case .reply(let qwink): addressees.isEmpty && qwink.visibility == .direct
    case .conversation: addressees.isEmpty
    case .edit(let qwink): qwink.mentions.allSatisfy { $0.id == me?.id }
    }
  }

  /// The handles mentioned in a text, without duplicates, in order; empty if the text is longer than ``mostBytes``.
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

/// Why an entry can't be sent.
public enum EntryProblem: Error, Hashable, Sendable {
  /// Nothing was typed but the names it started with.
  case empty
  /// It exceeds the server's limit by this many characters.
  case tooLong(by: Int)
  /// It is longer than any server accepts.
  case farTooLong
  /// It is direct and mentions nobody.
  case namesNobody
  /// The edit changes nothing.
  case unchanged
  /// Its language is no code.
  case noLanguage(String)
  /// The user hasn't chosen who may read it.
  case noAudience

  /// Shown if the check for an earlier attempt fails.
  public static let unchecked =
    "It may be posted already, and that could not be checked, so it was not sent again."

  /// What is wrong and what to do.
  public var sentence: String {
    switch self {
    case .empty: "Nothing to post: the text is empty."
    case .tooLong(let excess):
      "\(Counted.words(excess, "character")) over the server's limit."
    case .farTooLong: "Far too long for any server."
    case .namesNobody: "No recipients: add an @name."
    case .noAudience: "Choose a visibility first: your account's default is not known."
    case .unchanged: "No changes to save."
    case .noLanguage(let text): "“\(text)” is no language code, such as en or pt-BR."
    }
  }
}
