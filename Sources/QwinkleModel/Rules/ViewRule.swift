/// A rule that selects the qwinks of a view. ``init(_:)`` parses rules as users write them: `boost and not from:@a`,
/// `has:media lang:sv "train"`.
public indirect enum ViewRule: Hashable, Sendable {
  case all([ViewRule])
  case any([ViewRule])
  case not(ViewRule)
  case sign(Sign)
  case has(Part)
  /// The handle, with or without a server, of the author (`from`), the booster (`by`) or a mentioned user (`to`).
  case from(String)
  case by(String)
  case to(String)
  case language(String)
  /// Without `#`.
  case tag(String)
  /// Each word must be a prefix of a word in the qwink.
  case text(RuleWords)
  /// A match of a filter. Users can't write this rule.
  case filter(ContentFilter)

  /// A property of a qwink that a rule tests with a single word, such as `boost`.
  public enum Sign: String, CaseIterable, Sendable {
    case boost, reply, edited, sensitive, bot
    case boosted, favourite, bookmark, pinned, muted
    case `public`, unlisted, followers, direct

    /// An explanation for the manual.
    public var meaning: String {
      switch self {
      case .boost: "a boost"
      case .reply: "a reply"
      case .edited: "edited"
      case .sensitive: "its pictures are hidden at first"
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

  /// An element that `has:` tests for.
  public enum Part: String, CaseIterable, Sendable {
    case media, picture, video, audio, poll, link, tag, mention, warning, description
  }

  /// The word before a colon.
  public enum Field: String, CaseIterable, Sendable {
    case has, from, by, to, lang, tag

    /// An explanation for the manual.
    public var meaning: String {
      switch self {
      case .has: "it has this: " + Part.allCases.map(\.rawValue).joined(separator: ", ")
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
  /// Whether a row of a timeline matches the rule.
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
    case .filter(let filter): filter.match(of: qwink) != nil
    }
  }

  /// Words that every matching qwink contains, for an index query that narrows the candidates.
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

  /// A name without a server matches any account with that name. If the name includes a server, the server must match
  /// too.
  private static func isSame(_ wanted: String, userName: String, handle: String, url: String?) -> Bool {
    guard wanted.contains("@") else { return userName.lowercased() == wanted }
    if handle.lowercased() == wanted { return true }
    guard wanted.hasPrefix("\(userName.lowercased())@") else { return false }
    let key = Handle.key(wanted)
    if Handle.key(handle) == key { return true }
    // The server omits its own host in handles, so take the host from the profile's URL.
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
  /// The qwink's hashtags: the server's list, followed by hashtags in the text that the list lacks.
  public var writtenTags: [String] {
    let written = text.paragraphs.flatMap(\.spans).compactMap { span in
      if case .tag(let name) = span.kind { name } else { nil }
    }
    return tags + written.filter { name in !tags.contains { $0.lowercased() == name.lowercased() } }
  }

  /// The searchable texts: content warning, text, poll options, descriptions of media, and the title of the link
  /// preview.
  public var findableTexts: [String] {
    [contentWarning, text.plainText] + (poll?.options.map(\.title) ?? []) + attachments.compactMap(\.altText)
      + [card?.title ?? ""]
  }
}
