/// A text that a command was given, before the server has answered what is needed to send it: the original of a reply,
/// the recipient, the account's default visibility.
public struct GivenEntry: Hashable, Sendable, Codable {
  /// The purpose of the text, with names that the user typed.
  public enum Target: Hashable, Sendable, Codable {
    case new
    /// A reply to a qwink, which an id or an address names.
    case reply(String)
    /// An edit of a qwink, which an id or an address names.
    case edit(String)
    /// A direct message to a user, by handle or address.
    case message(String)
  }

  public var target: Target
  public var text: String
  /// Nil: the account's default.
  public var visibility: Visibility?
  /// Nil: the content warning that follows from the target.
  public var warning: String?
  public var language: String?
  public var isSensitive: Bool
  public var poll: EntryPoll?
  /// Options that only the command itself carries out, such as files and a time. Two commands are equal only if these
  /// are, too.
  public var options: [String]
  /// Whether the server still has to be asked. False: the entry is complete.
  public var isOpen = true

  /// Stores the arguments of a command.
  public init(
    target: Target, text: String, visibility: Visibility? = nil, warning: String? = nil, language: String? = nil,
    isSensitive: Bool = false, poll: EntryPoll? = nil, options: [String] = []
  ) {
    self.target = target
    self.text = text
    self.visibility = visibility
    self.warning = warning
    self.language = language
    self.isSensitive = isSensitive
    self.poll = poll
    self.options = options
  }

  /// Whether both are from the same command.
  public func isSameCommand(as other: GivenEntry) -> Bool {
    var other = other
    other.isOpen = isOpen
    return self == other
  }

  /// The ``EntryPurpose/key`` of its draft. A message needs only its recipient's name, like any other direct qwink.
  public var purpose: String {
    switch target {
    case .new, .message: EntryPurpose.new.key
    case .reply(let name): EntryPurpose.key(ofReplyTo: Qwink.ID(name))
    case .edit(let name): EntryPurpose.key(ofEditOf: Qwink.ID(name))
    }
  }

  /// Returns the entry, as complete as possible without the server.
  public func draft(idempotencyKey: String) -> Entry {
    var entry = Entry(
      text: text, visibility: visibility ?? .direct, contentWarning: warning ?? "", language: language, poll: poll,
      isSensitive: isSensitive, idempotencyKey: idempotencyKey)
    switch target {
    case .new, .edit: break
    case .reply(let name): entry.inReplyTo = name
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

  /// Returns the complete entry. `usual` is the account's default visibility, and `source` the present text of the
  /// qwink to edit.
  public func complete(
    by rules: EntryRules, usual: Visibility, source: QwinkSource? = nil, idempotencyKey: String
  ) -> Entry {
    // The recipient's name is all that a message needs for a new qwink.
    if case .message = target, rules.purpose == .new { return draft(idempotencyKey: idempotencyKey) }
    var entry = rules.start(usual: visibility ?? usual, idempotencyKey: idempotencyKey)
    entry.text = rules.addressed(text)
    if let source { entry.contentWarning = source.contentWarning }
    if let warning { entry.contentWarning = warning }
    if let language { entry.language = language }
    if isSensitive { entry.isSensitive = true }
    entry.poll = poll
    return entry
  }

  /// Whether its draft leaves the visibility to the user.
  public var leavesAudienceOpen: Bool {
    switch target {
    case .new, .reply: visibility == nil
    case .edit, .message: false
    }
  }
}

/// Values of the options that only the command carries out.
extension GivenEntry {
  /// The files to attach and their descriptions.
  public var files: [GivenFile] {
    let altTexts = values(of: "--alt")
    return values(of: "--attach").enumerated().map { index, path in
      GivenFile(path: path, altText: index < altTexts.count ? altTexts[index] : "")
    }
  }

  /// When the server is to publish it, as typed; nil: at once.
  public var time: String? { values(of: "--at").first }

  /// Whether a text that is too long is posted as a thread.
  public var isThread: Bool { options.contains("--thread") }

  /// Whether the parts of the thread are numbered.
  public var isNumbered: Bool { options.contains("--numbered") }

  private func values(of option: String) -> [String] {
    options.filter { $0.hasPrefix("\(option) ") }.map { String($0.dropFirst(option.count + 1)) }
  }
}

extension OutgoingEntry {
  /// A draft of a command's arguments.
  public init(_ given: GivenEntry, idempotencyKey: String) {
    self.init(
      purpose: given.purpose, entry: given.draft(idempotencyKey: idempotencyKey),
      isAudienceOpen: given.leavesAudienceOpen)
    self.given = given
  }

  /// Whether the server must be asked before it can be sent.
  public var isOpen: Bool { given?.isOpen ?? false }
}
