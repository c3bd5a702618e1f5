import FoundationEssentials
import QwinkleModel
import Testing

@Suite struct EntryRulesTests {
  private static let mara = qwinker("mara")
  private static let erin = qwinker("erin")
  private static let bob = Qwinker(id: "b", userName: "bob", handle: "Bob@example.org")
  private let limits = ServerInfo.Limits()

  private static func qwinker(_ name: String) -> Qwinker {
    Qwinker(id: Qwinker.ID("\(name)-id"), userName: name)
  }

  private static func mention(_ qwinker: Qwinker) -> Qwink.Mention {
    Qwink.Mention(id: qwinker.id, userName: qwinker.userName, handle: qwinker.handle)
  }

  private static func qwink(
    by author: Qwinker = erin, naming mentions: [Qwinker] = [], _ visibility: Visibility = .public,
    warning: String = ""
  ) -> Qwink {
    var qwink = Qwink(
      id: "7", author: author, createdAt: Date(timeIntervalSince1970: 0), text: RichText(plain: "Hello"))
    qwink.mentions = mentions.map(mention)
    qwink.visibility = visibility
    qwink.contentWarning = warning
    return qwink
  }

  private func start(_ purpose: EntryPurpose, usual: Visibility = .public) -> Entry {
    EntryRules(purpose, me: Self.mara).start(usual: usual, idempotencyKey: "k")
  }

  private func problem(_ text: String, _ purpose: EntryPurpose = .new, _ visibility: Visibility = .public)
    -> EntryProblem?
  {
    EntryRules(purpose, me: Self.mara)
      .problem(with: Entry(text: text, visibility: visibility, idempotencyKey: "k"), limits: limits)
  }

  // MARK: Recipients

  @Test func `a reply mentions the author and then each other person except the user`() {
    let qwink = Self.qwink(naming: [Self.bob, Self.mara, Self.erin, Self.bob, Self.qwinker("carol")])
    #expect(start(.reply(to: qwink)).text == "@erin @Bob@example.org @carol ")
    #expect(start(.reply(to: qwink)).inReplyTo == "7")
  }

  @Test func `a reply to a boost mentions the author rather than the booster`() {
    var boost = Self.qwink()
    boost.id = "9"
    boost.originalID = "7"
    boost.booster = Self.bob
    #expect(start(.reply(to: boost)).text == "@erin ")
    #expect(start(.reply(to: boost)).inReplyTo == "7")
  }

  @Test func `a reply to the user's own qwink does not mention the user`() {
    #expect(start(.reply(to: Self.qwink(by: Self.mara))).text == "")
    #expect(start(.reply(to: Self.qwink(by: Self.mara, naming: [Self.erin]))).text == "@erin ")
  }

  @Test func `a message mentions its recipient even if that is the user`() {
    #expect(start(.message(to: Self.bob)).text == "@Bob@example.org ")
    #expect(start(.message(to: Self.mara)).text == "@mara ")
    #expect(start(.message(to: Self.bob)).visibility == .direct)
    #expect(start(.message(to: Self.bob)).inReplyTo == nil)
  }

  @Test func `recipients in a conversation are sent but not shown`() {
    var last = Self.qwink(by: Self.bob, .direct)
    last.id = "12"
    last.originalID = "12"
    let conversation = Conversation(id: "1", participants: [Self.bob, Self.erin], lastQwink: last)
    let rules = EntryRules(.conversation(conversation), me: Self.mara)
    var entry = rules.start(usual: .public, idempotencyKey: "k")
    #expect(entry.text == "" && entry.visibility == .direct && entry.inReplyTo == "12")
    entry.text = "Nine, says @ERIN."
    #expect(rules.outgoing(entry).text == "@Bob@example.org Nine, says @ERIN.")
    #expect(rules.recipients(of: entry) == ["bob@example.org", "erin"])
    #expect(rules.remaining(of: entry, limits: limits) == limits.characters - "@Bob Nine, says @ERIN.".count)
  }

  // MARK: Visibility

  @Test(arguments: Visibility.allCases, [Visibility.public, .unlisted, .private])
  func `a reply is no wider than its parent or the user's default`(parent: Visibility, usual: Visibility) {
    let rules = EntryRules(.reply(to: Self.qwink(parent)), me: Self.mara)
    let visibility = rules.start(usual: usual, idempotencyKey: "k").visibility
    #expect(!visibility.isWider(than: parent) && !visibility.isWider(than: usual))
    #expect(visibility == parent.narrower(usual))
    #expect(rules.visibilities.contains(visibility))
    #expect(rules.visibilities.allSatisfy { !$0.isWider(than: parent) })
    #expect(rules.visibilities.last == .direct && (parent == .direct) == (rules.visibilities == [.direct]))
  }

  @Test func `a draft too wide for its purpose is narrowed and retains its text`() {
    let rules = EntryRules(.reply(to: Self.qwink(.private)), me: Self.mara)
    let draft = Entry(text: "@erin so", contentWarning: "w", inReplyTo: "other", idempotencyKey: "k")
    let entry = rules.resume(draft)
    #expect(entry.visibility == .private)
    #expect(entry.text == "@erin so" && entry.contentWarning == "w" && entry.inReplyTo == "7")
  }

  @Test func `an edit preserves visibility, attachments and language`() {
    var qwink = Self.qwink(by: Self.mara, .unlisted, warning: "film")
    qwink.attachments = [Attachment(id: "3", kind: .image), Attachment(id: "4", kind: .image)]
    qwink.isSensitive = true
    qwink.language = "de"
    let entry = start(.edit(qwink))
    #expect(EntryRules(.edit(qwink), me: Self.mara).visibilities == [.unlisted])
    #expect(entry.visibility == .unlisted && entry.attachmentIDs == ["3", "4"])
    #expect(entry.isSensitive && entry.language == "de" && entry.contentWarning == "film")
  }

  // MARK: Warnings

  @Test(arguments: [("", ""), ("film", "re: film"), ("re: film", "re: film"), ("RE:film", "RE:film")])
  func `a reply adopts the warning with a single re prefix`(warning: String, taken: String) {
    #expect(start(.reply(to: Self.qwink(warning: warning))).contentWarning == taken)
  }

  // MARK: Problems

  @Test func `an entry that is empty or has only the initial mentions is not sent`() {
    #expect(problem(" \n ") == .empty)
    #expect(problem("@erin", .reply(to: Self.qwink())) == .empty)
    #expect(problem("", .reply(to: Self.qwink())) == .empty)
    #expect(problem("@erin yes", .reply(to: Self.qwink())) == nil)
    #expect(problem("@bob", .reply(to: Self.qwink())) == nil)
    #expect(problem("@bob") == nil)
  }

  @Test func `an entry with attachments needs no text`() {
    var qwink = Self.qwink(by: Self.mara)
    qwink.attachments = [Attachment(id: "3", kind: .image)]
    let rules = EntryRules(.edit(qwink), me: Self.mara)
    #expect(rules.problem(with: rules.start(usual: .public, idempotencyKey: "k"), limits: limits) == nil)
  }

  @Test func `the count includes the warning and shortens links and mentions`() {
    let rules = EntryRules(.new, me: Self.mara)
    var entry = Entry(
      text: "https://example.org/" + String(repeating: "a", count: 90) + " @bob@example.org", contentWarning: "film",
      idempotencyKey: "k")
    #expect(rules.remaining(of: entry, limits: limits) == limits.characters - (23 + 1 + 4 + 4))
    entry.contentWarning = String(repeating: "w", count: 473)
    #expect(rules.remaining(of: entry, limits: limits) == -1)
  }

  /// Texts that are 20 characters too long by this client's count, and whether another count may accept them.
  @Test(arguments: [
    ("", false), ("finger://example.org/a/path/of/more/than/20/characters", true),
    ("magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef", true), ("https://a.b", true),
    ("https://example.org/of/23/characters", false), (String(repeating: " ", count: 20), true),
  ])
  func `a text is rejected only if it is too long by every count`(end: String, isLeftToServer: Bool) {
    let rules = EntryRules(.new, me: Self.mara)
    let start = end + " "
    let excess = end.hasPrefix("https://a.b") ? 5 : 20
    let used = CharacterCount.count(start, limits: limits)
    let text = String(repeating: "w", count: limits.characters + excess - used) + " " + end
    let entry = Entry(text: text, idempotencyKey: "k")
    #expect(rules.remaining(of: entry, limits: limits) == -excess)
    #expect(rules.problem(with: entry, limits: limits) == (isLeftToServer ? nil : .tooLong(by: excess)))
    #expect(rules.problem(with: entry, limits: nil) == nil)
  }

  @Test func `a text made too long by its warning is left to the server`() {
    let rules = EntryRules(.new, me: Self.mara)
    let entry = Entry(text: "Hello", contentWarning: String(repeating: "w", count: 500), idempotencyKey: "k")
    #expect(rules.remaining(of: entry, limits: limits) == -5)
    #expect(rules.problem(with: entry, limits: limits) == nil)
  }

  @Test func `an extremely long text is neither counted nor sent`() {
    let rules = EntryRules(.message(to: Self.erin), me: Self.mara)
    let large = ServerInfo.Limits(characters: 100_000_000)
    for text in [String(repeating: "@erin ", count: 180_000), String(repeating: "🦊", count: 60_000)] {
      let entry = Entry(text: text, visibility: .direct, idempotencyKey: "k")
      #expect(rules.remaining(of: entry, limits: large) == nil)
      #expect(rules.problem(with: entry, limits: large) == .farTooLong)
    }
    let entry = Entry(text: "@erin " + String(repeating: "a", count: 150_000), visibility: .direct, idempotencyKey: "k")
    #expect(rules.remaining(of: entry, limits: large) == large.characters - 150_006)
    #expect(rules.problem(with: entry, limits: large) == nil)
  }

  @Test func `a direct message must mention a recipient`() {
    #expect(problem("hello", .message(to: Self.erin), .direct) == .namesNobody)
    #expect(problem("hello erin@example.org", .message(to: Self.erin), .direct) == .namesNobody)
    #expect(problem("@carol hello", .message(to: Self.erin), .direct) == nil)
    #expect(problem("hello", .reply(to: Self.qwink(.direct)), .direct) == .namesNobody)
    #expect(problem("hello") == nil)
  }

  @Test func `a direct message to the user alone needs no mention`() {
    #expect(problem("hello", .reply(to: Self.qwink(by: Self.mara, .direct)), .direct) == nil)
    #expect(problem("hello", .reply(to: Self.qwink(by: Self.mara)), .direct) == .namesNobody)
    #expect(problem("hello", .conversation(Conversation(id: "1", participants: [])), .direct) == nil)
    #expect(problem("@mara hello", .message(to: Self.mara), .direct) == nil)
  }

  @Test func `the recipients are the mentioned accounts except the user`() {
    let rules = EntryRules(.message(to: Self.bob), me: Self.mara)
    let entry = Entry(text: "@bob@example.org, @mara and @Erin: @erin!", visibility: .direct, idempotencyKey: "k")
    #expect(rules.recipients(of: entry) == ["bob@example.org", "erin"])
  }
}

@Suite struct LanguageCodeTests {
  @Test func `a language code has two or three letters and then hyphenated subtags`() {
    for code in ["de", "nds", "pt-BR", "zh-Hant-TW", "sl-rozaj-biske-1994"] { #expect(LanguageCode.isCode(code)) }
    for text in [
      "", "d", "german", "pt_BR", "pt-", "-de", "de ", "dé", "en-" + String(repeating: "abcdefgh-", count: 5),
    ] {
      #expect(!LanguageCode.isCode(text), "\(text)")
    }
  }

  @Test func `an entry with an invalid language is not sent`() {
    var entry = Entry(text: "Hello", language: "german", idempotencyKey: "k")
    let rules = EntryRules(.new, me: nil)
    #expect(rules.problem(with: entry, limits: ServerInfo.Limits()) == .noLanguage("german"))
    entry.language = "de"
    #expect(rules.problem(with: entry, limits: ServerInfo.Limits()) == nil)
  }
}

@Suite struct MentionTokenTests {
  private func names(_ text: String) -> [String] {
    TextTokens.tokens(of: text).compactMap { token in
      guard case .mention(let name, let server) = token.kind else { return nil }
      return server.map { "\(name)@\($0)" } ?? name
    }
  }

  @Test func `a mention with a server may contain dots and hyphens`() {
    #expect(names("@bob.b@example.org, @a-b.c@x.y. @carol.") == ["bob.b@example.org", "a-b.c@x.y", "carol"])
    #expect(names("@alice.bob hi @alice-") == ["alice", "alice"])
    #expect(names("@.b@example.org @b.@example.org @@x me@example.org") == ["b", "example"])
  }
}

@Suite struct EntryCodingTests {
  @Test func `a draft of an earlier version is decoded`() throws {
    let json = #"{"text":"half","visibility":"unlisted","contentWarning":"","idempotencyKey":"k"}"#
    let entry = try JSONDecoder().decode(Entry.self, from: Data(json.utf8))
    #expect(entry == Entry(text: "half", visibility: .unlisted, idempotencyKey: "k"))
  }

  @Test func `a draft without a visibility is not decoded`() {
    let json = #"{"text":"half","contentWarning":"","idempotencyKey":"k"}"#
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Entry.self, from: Data(json.utf8)) }
  }
}
