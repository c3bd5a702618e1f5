/// A post described by a command's arguments. Qwinkle may need data from the server to complete it: the post to reply
/// to, the recipient, or the account's default visibility.
public struct GivenEntry: Hashable, Sendable, Codable {
  /// The purpose of the post, with names as the user typed them.
  public enum Target: Hashable, Sendable, Codable {
    case new
    /// A reply to the qwink with this id or address.
    case reply(String)
    /// A post that quotes the qwink with this id or address.
    case quote(String)
    /// An edit of the qwink with this id or address.
    case edit(String)
    /// A direct message to the user with this handle or address.
    case message(String)
  }

  public var target: Target
  public var text: String
  /// Nil for the account's default visibility.
  public var visibility: Visibility?
  /// Nil to use the content warning of the target post, if any.
  public var warning: String?
  public var language: String?
  public var isSensitive: Bool
  /// Nil for the account's default, or in an edit for the qwink's current policy.
  public var quotePolicy: QuotePolicy?
  public var poll: EntryPoll?
  /// The other options of the command, such as `--attach` and `--at`, each with its value. The command handles them
  /// itself; they are stored here so that commands with different options count as different commands.
  public var options: [String]
  /// Whether data from the server is still missing.
  public var isOpen = true

  public init(
    target: Target, text: String, visibility: Visibility? = nil, warning: String? = nil, language: String? = nil,
    isSensitive: Bool = false, quotePolicy: QuotePolicy? = nil, poll: EntryPoll? = nil, options: [String] = []
  ) {
    self.target = target
    self.text = text
    self.visibility = visibility
    self.warning = warning
    self.language = language
    self.isSensitive = isSensitive
    self.quotePolicy = quotePolicy
    self.poll = poll
    self.options = options
  }

  /// Whether both entries have the same arguments. Ignores ``isOpen``.
  public func isSameCommand(as other: GivenEntry) -> Bool {
    var other = other
    other.isOpen = isOpen
    return self == other
  }

  /// The ``EntryPurpose/key`` of the entry's draft. A message is a new qwink that mentions its recipient, so it has the
  /// key of a new qwink.
  public var purpose: String {
    switch target {
    case .new, .message: EntryPurpose.new.key
    case .reply(let name): EntryPurpose.Kind.reply(to: Qwink.ID(name)).key
    case .quote(let name): EntryPurpose.Kind.quote(of: Qwink.ID(name)).key
    case .edit(let name): EntryPurpose.Kind.edit(Qwink.ID(name)).key
    }
  }

  /// Returns the entry, as complete as possible without the server.
  public func draft(idempotencyKey: String) -> Entry {
    var entry = Entry(
      text: text, visibility: visibility ?? .direct, contentWarning: warning ?? "", language: language, poll: poll,
      isSensitive: isSensitive, idempotencyKey: idempotencyKey)
    entry.quotePolicy = quotePolicy
    switch target {
    case .new, .edit: break
    case .reply(let name): entry.inReplyTo = name
    case .quote(let name): entry.quotedID = name
    case .message(let name):
      entry.visibility = .direct
      let isAddress = name.contains("://")
      guard let handle = isAddress ? WebAddress(name).flatMap(Handle.reading(profile:)) : Handle.reading(name)
      else { break }
      let isNamed = EntryRules.names(in: text).contains { Handle.key($0) == Handle.key(handle) }
      if !isNamed { entry.text = "@\(handle) \(text)" }
    }
    return entry
  }

  /// Returns the complete entry.
  ///
  /// - Parameters:
  ///   - usual: The account's default visibility.
  ///   - source: The current text of the qwink to edit.
  public func complete(
    by rules: EntryRules, usual: Visibility, source: QwinkSource? = nil, idempotencyKey: String
  ) -> Entry {
    // A message needs nothing from the server, because it only mentions the recipient.
    if case .message = target, rules.purpose == .new { return draft(idempotencyKey: idempotencyKey) }
    var entry = rules.start(usual: visibility ?? usual, idempotencyKey: idempotencyKey)
    entry.text = rules.addressed(text)
    if let source { entry.contentWarning = source.contentWarning }
    if let warning { entry.contentWarning = warning }
    if let language { entry.language = language }
    if isSensitive { entry.isSensitive = true }
    if let quotePolicy { entry.quotePolicy = quotePolicy }
    entry.poll = poll
    return entry
  }

  /// Whether the user still has to choose the visibility of the draft.
  public var leavesAudienceOpen: Bool {
    switch target {
    case .new, .reply, .quote: visibility == nil
    case .edit, .message: false
    }
  }
}

/// Values parsed from ``GivenEntry/options``.
extension GivenEntry {
  /// The files to attach and their descriptions.
  public var files: [GivenFile] {
    let altTexts = values(of: "--alt")
    return values(of: "--attach").enumerated().map { index, path in
      GivenFile(path: path, altText: index < altTexts.count ? altTexts[index] : "")
    }
  }

  /// The publication time as typed; nil to publish immediately.
  public var time: String? { values(of: "--at").first }

  /// Whether a text that exceeds the limit is posted as a thread.
  public var isThread: Bool { options.contains("--thread") }

  /// Whether the parts of the thread are numbered.
  public var isNumbered: Bool { options.contains("--numbered") }

  private func values(of option: String) -> [String] {
    options.filter { $0.hasPrefix("\(option) ") }.map { String($0.dropFirst(option.count + 1)) }
  }
}

extension OutgoingEntry {
  /// Creates a draft from a command's arguments.
  public init(_ given: GivenEntry, idempotencyKey: String) {
    self.init(
      purpose: given.purpose, entry: given.draft(idempotencyKey: idempotencyKey),
      isAudienceOpen: given.leavesAudienceOpen)
    self.given = given
  }

  /// Whether the entry can't be sent yet because data from the server is missing.
  public var isOpen: Bool { given?.isOpen ?? false }
}
