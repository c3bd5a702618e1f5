import SafeText

/// The rules for entries with one purpose: initial content, audience, and conditions for sending.
public struct EntryRules: Hashable, Sendable {
  public let purpose: EntryPurpose
  /// The author, if known.
  public let me: Qwinker?

  public init(_ purpose: EntryPurpose, me: Qwinker?) {
    self.purpose = purpose
    self.me = me
  }

  // MARK: Starting

  /// Handles that the purpose addresses, without duplicates. A reply's list starts with the parent's author. The user
  /// is left out, except in messages to themselves.
  public var addressees: [String] {
    switch purpose {
    case .new, .quote, .edit: []
    case .reply(let qwink):
      Self.unique(
        ([(qwink.author.id, qwink.author.handle)] + qwink.mentions.map { ($0.id, $0.handle) })
          .filter { id, _ in id != me?.id }.map { $1 })
    case .message(let qwinker): [qwinker.handle]
    case .conversation(let conversation): Self.unique(conversation.participants.map(\.handle))
    }
  }

  /// The allowed visibilities, widest first. If only one is allowed, the user can't change it.
  public var visibilities: [Visibility] {
    let choices: [Visibility] = [.public, .unlisted, .private, .direct]
    switch purpose {
    case .new: return choices
    case .reply(let qwink): return choices.filter { !$0.isWider(than: qwink.visibility) }
    // Servers accept quotes of followers-only posts only in posts for followers or for mentioned users.
    case .quote(let qwink): return qwink.visibility.hasQuotePolicy ? choices : [.private, .direct]
    case .edit(let qwink): return [qwink.visibility]
    case .message, .conversation: return [.direct]
    }
  }

  /// Whether the user must choose a visibility, because the account's default is unknown and more than one visibility
  /// is allowed. Direct visibility is ignored, because it's never the default.
  public func leavesAudienceOpen(usual: Visibility?) -> Bool {
    usual == nil && visibilities.count { $0 != .direct } > 1
  }

  /// The narrowest allowed visibility that isn't direct, or else direct.
  private var narrowest: Visibility { visibilities.last { $0 != .direct } ?? .direct }

  /// Returns the initial entry. `usual` is the default visibility of the user's account. If it's nil, the entry gets
  /// the narrowest visibility that isn't direct. An edit starts with an empty text, because the caller has to fetch the
  /// qwink's source.
  public func start(usual: Visibility?, language: String? = nil, idempotencyKey: String) -> Entry {
    var entry = Entry(text: "", idempotencyKey: idempotencyKey)
    entry.language = language
    entry.visibility = visibility(preferring: usual ?? narrowest)
    switch purpose {
    case .new, .quote, .conversation: break
    case .reply(let qwink):
      entry.contentWarning = Self.warning(answering: qwink.contentWarning)
      entry.text = addressees.map { "@\($0) " }.joined()
    case .message:
      entry.text = addressees.map { "@\($0) " }.joined()
    case .edit(let qwink):
      entry.contentWarning = qwink.contentWarning
      entry.language = qwink.language
      entry.isSensitive = qwink.isCovered
      entry.quotePolicy = qwink.quoteApproval?.policy
    }
    return settled(entry)
  }

  /// Prepares a saved draft for sending. Preserves the text. Updates the visibility, the parent and an edit's
  /// attachments, because they depend on the purpose.
  public func resume(_ draft: Entry) -> Entry {
    var entry = draft
    entry.visibility = visibility(preferring: draft.visibility)
    return settled(entry)
  }

  /// Returns `wish` if it's allowed, or else the widest allowed visibility that is narrower than `wish`. If all allowed
  /// visibilities are wider than `wish`, returns `wish`, so that the audience never grows. For an edit, returns the
  /// qwink's visibility, which can't change.
  public func visibility(preferring wish: Visibility) -> Visibility {
    if case .edit(let qwink) = purpose { return qwink.visibility }
    return visibilities.first { !$0.isWider(than: wish) } ?? wish
  }

  /// Returns the allowed visibility after `current`, wrapping around. If `current` is nil or not allowed, returns the
  /// narrowest visibility that isn't direct.
  public func visibility(after current: Visibility?) -> Visibility {
    guard let current, let index = visibilities.firstIndex(of: current) else { return narrowest }
    return visibilities[(index + 1) % visibilities.count]
  }

  private func settled(_ entry: Entry) -> Entry {
    var entry = entry
    switch purpose {
    case .new, .message: (entry.inReplyTo, entry.quotedID) = (nil, nil)
    // A redrafted reply may also quote a post.
    case .reply(let qwink): entry.inReplyTo = qwink.originalID.rawValue
    case .quote(let qwink): (entry.inReplyTo, entry.quotedID) = (nil, qwink.originalID.rawValue)
    case .edit(let qwink):
      (entry.inReplyTo, entry.quotedID) = (nil, nil)
      // A server may replace a policy that an edit omits by the account's default.
      entry.quotePolicy = entry.quotePolicy ?? qwink.quoteApproval?.policy
      entry.attachmentIDs = qwink.attachments.map(\.id.rawValue)
    case .conversation(let conversation): entry.inReplyTo = conversation.lastQwink?.originalID.rawValue
    }
    return entry
  }

  private static func warning(answering warning: String) -> String {
    warning.isEmpty || warning.lowercased().hasPrefix("re:") ? warning : "re: \(warning)"
  }

  // MARK: Sending

  /// Returns the entry as it's sent. In a conversation, adds mentions of the participants, which the editor hides.
  /// Removes a blank content warning.
  public func outgoing(_ entry: Entry) -> Entry {
    var entry = entry
    if entry.contentWarning.trimmed().isEmpty { entry.contentWarning = "" }
    if !entry.visibility.hasQuotePolicy { entry.quotePolicy = nil }
    guard case .conversation = purpose else { return entry }
    entry.text = addressed(entry.text)
    return entry
  }

  /// Returns `text`, preceded by mentions of the addressees that it doesn't mention.
  public func addressed(_ text: String) -> String {
    let named = Set(Self.names(in: text).map(Handle.key))
    return addressees.filter { !named.contains(Handle.key($0)) }.map { "@\($0) " }.joined() + text
  }

  /// Returns the mentioned handles without duplicates and without the user. They are the recipients of a direct entry.
  public func recipients(of entry: Entry) -> [String] {
    let own = me?.handle.lowercased()
    return Self.names(in: outgoing(entry).text).filter { $0.lowercased() != own }
  }

  /// Maximum length in bytes of a text that is searched for mentions and links. No server accepts longer texts, and
  /// searching them after each key would slow down typing.
  static let mostBytes = 200_000

  /// Returns the number of characters left, counted as the server does. The number is negative if the entry is too
  /// long. Returns nil if the text or the content warning is longer than ``mostBytes``.
  public func remaining(of entry: Entry, limits: ServerInfo.Limits) -> Int? {
    let entry = outgoing(entry)
    guard entry.text.utf8.count <= Self.mostBytes, entry.contentWarning.utf8.count <= Self.mostBytes else { return nil }
    return limits.characters - CharacterCount.count(entry.text, limits: limits) - entry.contentWarning.count
  }

  /// Returns the reason why an entry can't be sent, or nil if it can. Servers count some texts differently, so an entry
  /// is rejected as too long only if the lowest of all known counts exceeds the limit. In other cases the server
  /// decides. If `limits` is nil because the server's limits are unknown, the length is only compared with
  /// ``mostBytes``.
  public func problem(with entry: Entry, limits: ServerInfo.Limits?) -> EntryProblem? {
    guard let remaining = remaining(of: entry, limits: limits ?? ServerInfo.Limits()) else { return .farTooLong }
    if let problem = problemBesidesLength(with: entry) { return problem }
    // Check the text without the content warning, which some servers don't count.
    guard remaining < 0, let limits,
      CharacterCount.least(outgoing(entry).text, limits: limits) > limits.characters
    else { return nil }
    return .tooLong(by: -remaining)
  }

  /// Like ``problem(with:limits:)``, but without checking the length.
  public func problemBesidesLength(with entry: Entry) -> EntryProblem? {
    let text = entry.text.trimmed()
    let start = start(usual: entry.visibility, idempotencyKey: "").text.trimmed()
    if entry.attachmentIDs.isEmpty, text.isEmpty || (text == start && !start.isEmpty) { return .empty }
    if let language = entry.language, !LanguageCode.isCode(language) { return .noLanguage(language) }
    if let author = unmentionedQuotedAuthor(of: entry) { return .omitsQuotedAuthor(author) }
    return namesNobody(entry) ? .namesNobody : nil
  }

  /// Whether the entry is direct and mentions no account. False if the entry continues or edits a note of the user to
  /// themselves.
  public func namesNobody(_ entry: Entry) -> Bool {
    entry.visibility == .direct && Self.names(in: outgoing(entry).text).isEmpty && !isToOneself
  }

  /// Returns the handle of the quoted author if the entry is direct and doesn't mention them. Servers reject such
  /// quotes.
  private func unmentionedQuotedAuthor(of entry: Entry) -> String? {
    guard case .quote(let qwink) = purpose, entry.visibility == .direct, qwink.author.id != me?.id else { return nil }
    let key = Handle.key(qwink.author.handle)
    return Self.names(in: entry.text).contains { Handle.key($0) == key } ? nil : qwink.author.handle
  }

  /// Whether the entry continues or edits a note of the user to themselves.
  private var isToOneself: Bool {
    switch purpose {
    case .new, .quote, .message: false
    case .reply(let qwink): addressees.isEmpty && qwink.visibility == .direct
    case .conversation: addressees.isEmpty
    case .edit(let qwink): qwink.mentions.allSatisfy { $0.id == me?.id }
    }
  }

  /// Handles mentioned in a text, in order and without duplicates. Empty if the text is longer than ``mostBytes``.
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

/// The reason why an entry can't be sent.
public enum EntryProblem: Error, Hashable, Sendable {
  /// The entry has no attachments, and no text except the initial mentions.
  case empty
  /// The entry exceeds the server's limit by this many characters.
  case tooLong(by: Int)
  /// The entry is longer than any server accepts.
  case farTooLong
  /// The entry is direct and has no mentions.
  case namesNobody
  /// The entry is direct and quotes a post of this user, but doesn't mention the user.
  case omitsQuotedAuthor(String)
  /// The edit changes nothing.
  case unchanged
  /// The language isn't a valid code.
  case noLanguage(String)
  /// The user hasn't chosen an audience.
  case noAudience

  /// Shown if Qwinkle can't determine whether an earlier attempt succeeded.
  public static let unchecked =
    "Not sent again: Qwinkle could not check whether it was already posted."

  /// The problem and a solution.
  public var sentence: String {
    switch self {
    case .empty: "Nothing to send: the text is empty."
    case .tooLong(let excess):
      "\(Counted.words(excess, "character")) over the server's limit."
    case .farTooLong: "Far too long for any server."
    case .namesNobody: "No recipients: add an @name."
    case .omitsQuotedAuthor(let handle): "A direct post that quotes @\(handle) must mention @\(handle)."
    case .noAudience: "Choose a visibility first: your account's default is not known."
    case .unchanged: "No changes to save."
    case .noLanguage(let text): "“\(text)” is not a language code, such as en or pt-BR."
    }
  }
}
