/// Which qwinks a view shows. ``init(_:)`` reads it as people write it: `boost and not from:@a`,
/// `has:media lang:sv "train"`.
public indirect enum ViewRule: Hashable, Sendable {
  case all([ViewRule])
  case any([ViewRule])
  case not(ViewRule)
  case sign(Sign)
  case has(Part)
  /// By a handle, with or without a server: who wrote it, who boosted it, who is mentioned.
  case from(String)
  case by(String)
  case to(String)
  case language(String)
  /// Without `#`.
  case tag(String)
  /// Words of which each starts a word of the qwink.
  case text(RuleWords)

  /// What a qwink is, said by a word.
  public enum Sign: String, CaseIterable, Sendable {
    case boost, reply, edited, sensitive, bot
    case boosted, favourite, bookmark, pinned, muted
    case `public`, unlisted, followers, direct

    /// What it means, for the manual.
    public var meaning: String {
      switch self {
      case .boost: "somebody boosted it"
      case .reply: "a reply"
      case .edited: "edited"
      case .sensitive: "its pictures stay hidden at first"
      case .bot: "its author is a bot"
      case .boosted: "you boosted it"
      case .favourite: "one of your favourites"
      case .bookmark: "one of your bookmarks"
      case .pinned: "pinned by its author"
      case .muted: "you muted its thread"
      case .public: "public"
      case .unlisted: "unlisted"
      case .followers: "for followers"
      case .direct: "a direct message"
      }
    }
  }

  /// What a qwink can have, after `has:`.
  public enum Part: String, CaseIterable, Sendable {
    case media, picture, video, audio, poll, link, tag, mention, warning, description
  }

  /// What stands before a colon.
  public enum Field: String, CaseIterable, Sendable {
    case has, from, by, to, lang, tag

    /// What it means, for the manual.
    public var meaning: String {
      switch self {
      case .has: "it has one: " + Part.allCases.map(\.rawValue).joined(separator: ", ")
      case .from: "its author, such as @anna or @anna@tilde.example"
      case .by: "who boosted it"
      case .to: "a user that it mentions"
      case .lang: "the code of its language, such as sv; en finds en-GB too"
      case .tag: "a hashtag; #train is short for tag:train"
      }
    }
  }
}

extension ViewRule {
  /// Whether the rule holds for a row of a timeline.
  public func matches(_ qwink: Qwink) -> Bool {
    switch self {
    case .all(let rules): rules.allSatisfy { $0.matches(qwink) }
    case .any(let rules): rules.contains { $0.matches(qwink) }
    case .not(let rule): !rule.matches(qwink)
    case .sign(let sign): sign.holds(for: qwink)
    case .has(let part): part.isIn(qwink)
    case .from(let handle): Self.isSame(handle, qwink.author)
    case .by(let handle): qwink.booster.map { Self.isSame(handle, $0) } ?? false
    case .to(let handle):
      qwink.mentions.contains { Self.isSame(handle, userName: $0.userName, handle: $0.handle, url: $0.url) }
    case .language(let code):
      qwink.language.map { $0.lowercased() == code || $0.lowercased().hasPrefix(code + "-") } ?? false
    case .tag(let name): qwink.writtenTags.contains { $0.lowercased() == name }
    case .text(let words): words.areIn(qwink)
    }
  }

  /// Words that every qwink has for which the rule holds, so that an index can be asked for them.
  public var neededWords: [RuleWords] {
    switch self {
    case .all(let rules): rules.flatMap(\.neededWords)
    case .text(let words): [words]
    default: []
    }
  }

  private static func isSame(_ handle: String, _ qwinker: Qwinker) -> Bool {
    isSame(handle, userName: qwinker.userName, handle: qwinker.handle, url: qwinker.url)
  }

  /// A name alone is that of anybody who has it; a server, too, must be theirs.
  private static func isSame(_ wanted: String, userName: String, handle: String, url: String?) -> Bool {
    guard wanted.contains("@") else { return userName.lowercased() == wanted }
    if handle.lowercased() == wanted { return true }
    guard wanted.hasPrefix("\(userName.lowercased())@") else { return false }
    let key = Handle.key(wanted)
    if Handle.key(handle) == key { return true }
    // The server leaves its own name out.
    guard !handle.contains("@"), let host = url.flatMap({ WebAddress($0)?.host }) else { return false }
    return Handle.key("\(userName)@\(host)") == key
  }
}

extension ViewRule.Sign {
  fileprivate func holds(for qwink: Qwink) -> Bool {
    switch self {
    case .boost: qwink.booster != nil
    case .reply: qwink.inReplyTo != nil
    case .edited: qwink.editedAt != nil
    case .sensitive: qwink.isSensitive
    case .bot: qwink.author.isBot
    case .boosted: qwink.isBoosted
    case .favourite: qwink.isFavourite
    case .bookmark: qwink.isBookmarked
    case .pinned: qwink.isPinned
    case .muted: qwink.isThreadMuted
    case .public: qwink.visibility == .public
    case .unlisted: qwink.visibility == .unlisted
    case .followers: qwink.visibility == .private
    case .direct: qwink.visibility == .direct
    }
  }
}

extension ViewRule.Part {
  fileprivate func isIn(_ qwink: Qwink) -> Bool {
    switch self {
    case .media: !qwink.attachments.isEmpty
    case .picture: qwink.attachments.contains { $0.kind == .image }
    case .video: qwink.attachments.contains { $0.kind == .video || $0.kind == .animation }
    case .audio: qwink.attachments.contains { $0.kind == .audio }
    case .poll: qwink.poll != nil
    case .link: qwink.card != nil || !qwink.text.links.isEmpty
    case .tag: !qwink.writtenTags.isEmpty
    case .mention: !qwink.mentions.isEmpty
    case .warning: !qwink.contentWarning.isEmpty
    case .description: qwink.attachments.contains { !($0.altText ?? "").isEmpty }
    }
  }
}

extension Qwink {
  /// Its hashtags as they are written.
  public var writtenTags: [String] {
    let written = text.paragraphs.flatMap(\.spans).compactMap { span in
      if case .tag(let name) = span.kind { name } else { nil }
    }
    return tags + written.filter { name in !tags.contains { $0.lowercased() == name.lowercased() } }
  }

  /// The texts by which it is found: content warning, text, poll options, descriptions of media, the title of a link.
  public var findableTexts: [String] {
    [contentWarning, text.plainText] + (poll?.options.map(\.title) ?? []) + attachments.compactMap(\.altText)
      + [card?.title ?? ""]
  }
}
