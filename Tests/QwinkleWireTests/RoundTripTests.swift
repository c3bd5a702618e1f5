import FoundationEssentials
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleWire

@Suite struct RoundTripTests {
  @Test(arguments: [Soak.seed]) func `a qwink survives encoding and decoding`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    for round in 0..<300 {
      let qwink = sample.qwink()
      #expect(try WireDecoder.qwink(from: WireEncoder.qwink(qwink)) == qwink, "round \(round)")
    }
  }

  @Test(arguments: [Soak.seed]) func `a page and a thread survive encoding and decoding`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    let qwinks = (0..<20).map { _ in sample.qwink() }
    let page = try WireDecoder.qwinks(from: WireEncoder.qwinks(qwinks), link: nil)
    #expect(page.items == qwinks)
    #expect(page.damagedCount == 0)
    let thread = QwinkThread(ancestors: Array(qwinks[..<5]), descendants: Array(qwinks[5...]))
    #expect(try WireDecoder.thread(from: WireEncoder.thread(thread)) == thread)
  }

  @Test(arguments: [Soak.seed]) func `a qwinker survives encoding and decoding`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    for round in 0..<200 {
      let qwinker = sample.qwinker()
      #expect(try WireDecoder.qwinker(from: WireEncoder.qwinker(qwinker)) == qwinker, "round \(round)")
      #expect(try WireDecoder.qwinker(from: WireEncoder.qwinker(qwinker, ownNote: "x")) == qwinker, "round \(round)")
    }
  }

  @Test(arguments: [Soak.seed])
  func `conversations and notifications survive encoding and decoding`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    for round in 0..<100 {
      let conversation = sample.conversation()
      let again = try WireDecoder.conversation(from: WireEncoder.conversation(conversation))
      #expect(again == conversation, "round \(round)")
      let notification = sample.notification()
      #expect(
        try WireDecoder.notification(from: WireEncoder.notification(notification)) == notification, "round \(round)")
    }
    let conversations = (0..<20).map { _ in sample.conversation() }
    #expect(
      try WireDecoder.conversations(from: WireEncoder.conversations(conversations), link: nil).items == conversations)
    let notifications = (0..<20).map { _ in sample.notification() }
    #expect(
      try WireDecoder.notifications(from: WireEncoder.notifications(notifications), link: nil).items == notifications)
    let qwinkers = (0..<20).map { _ in sample.qwinker() }
    #expect(try WireDecoder.qwinkers(from: WireEncoder.qwinkers(qwinkers), link: nil).items == qwinkers)
  }

  @Test(arguments: [Soak.seed])
  func `search results and relationships survive encoding and decoding`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    for round in 0..<100 {
      let results = sample.searchResults()
      #expect(try WireDecoder.searchResults(from: WireEncoder.searchResults(results)) == results, "round \(round)")
      let relationships = (0..<5).map { _ in sample.relationship() }
      #expect(try WireDecoder.relationships(from: WireEncoder.relationships(relationships)) == relationships)
      #expect(
        try WireDecoder.relationship(from: WireEncoder.relationship(relationships[0])) == relationships[0])
    }
  }

  @Test(arguments: [Soak.seed])
  func `a history, a source and read positions survive encoding and decoding`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    let author = sample.qwinker()
    for round in 0..<100 {
      let versions = (0..<4).map { _ in sample.version() }
      #expect(try WireDecoder.versions(from: WireEncoder.versions(versions, by: author)) == versions, "round \(round)")
      let positions = ReadPosition.Place.allCases.map { sample.readPosition($0) }
      #expect(try WireDecoder.readPositions(from: WireEncoder.readPositions(positions)) == positions)
    }
    #expect(try WireDecoder.readPositions(from: WireEncoder.readPositions([])).isEmpty)
    let new = [ReadPosition(place: .home, lastReadID: "7"), ReadPosition(place: .notifications, lastReadID: "01\"AB")]
    #expect(try WireDecoder.readPositions(from: WireEncoder.newReadPositions(new)) == new)
    let source = QwinkSource(id: "1", text: "a\r\n\tb\u{202E}\u{1B}[2J", contentWarning: "\u{200F}שלום")
    #expect(try WireDecoder.source(from: WireEncoder.source(source)) == source)
  }

  @Test func `a profile is encoded for update_credentials`() {
    let body = WireEncoder.ownProfile(OwnProfile(displayName: "A \"B\"", note: "x\ny <z>"))
    #expect(String(decoding: body, as: UTF8.self) == #"{"display_name":"A \"B\"","note":"x\ny <z>"}"#)
  }

  @Test(arguments: [Soak.seed]) func `a rich text survives conversion to HTML and back`(seed: UInt64) {
    var sample = Sample(seed: seed)
    for round in 0..<2000 {
      let text = sample.richText()
      let html = HTMLWriter.html(from: text, base: "https://example.org/x")
      #expect(HTMLReader.richText(from: html) == text, "round \(round): \(html)")
    }
  }

  @Test func `lists, quotes and code survive conversion to HTML and back`() {
    let text = RichText([
      .init([.init("said")], style: .quote), .init([.init("one")], style: .item(sign: "•", depth: 0)),
      .init([.init("inner")], style: .item(sign: "1.", depth: 1)),
      .init([.init("more")], style: .item(sign: "", depth: 1)),
      .init([.init("next")], style: .item(sign: "2.", depth: 1)),
      .init([.init("two")], style: .item(sign: "•", depth: 0)), .init([.init("a\n\n  b", kind: .code)], style: .code),
      .init([.init("seven")], style: .item(sign: "7.", depth: 0)), .init([.init("end")]),
    ])
    #expect(HTMLReader.richText(from: HTMLWriter.html(from: text)) == text)
  }

  @Test func `an instance survives encoding and decoding in both versions`() throws {
    var info = ServerInfo(
      title: "A & B", domain: "example.org:8420", version: "4.2.0 (compatible; Qwinkle 0.1)",
      summary: "One < two\nlines",
      streamingURL: "wss://example.org", limits: .init(characters: 640, charactersPerLink: 20, attachments: 2))
    info.isOpen = true
    info.rules = [ServerRule(id: "7", text: "Be <kind>.", hint: "Always.")]
    info.thumbnailURL = "https://example.org/thumbnail.png"
    info.stats = ServerInfo.Stats(users: 3, posts: 4, active: 2)
    var (first, second) = (info, info)
    first.isFirstVersion = true
    first.stats = ServerInfo.Stats(users: 3, posts: 4)
    second.stats = ServerInfo.Stats(active: 2)
    #expect(try WireDecoder.serverInfo(from: WireEncoder.serverInfoV1(info)) == first)
    #expect(try WireDecoder.serverInfo(from: WireEncoder.serverInfoV2(info)) == second)
  }

  @Test(arguments: [Soak.seed]) func `an entry survives encoding and decoding except for its key`(seed: UInt64) throws {
    var sample = Sample(seed: seed)
    for visibility in Visibility.allCases {
      let entry = Entry(
        text: "Line 1\n\n\"\(sample.line())\"\t", visibility: visibility, contentWarning: sample.line(), language: "en",
        inReplyTo: "01ABC", idempotencyKey: "key")
      var expected = entry
      expected.idempotencyKey = ""
      expected.isSensitive = true
      let body = WireEncoder.entry(entry)
      #expect(try RequestParameters(body: body, contentType: "application/json; charset=utf-8").entry() == expected)
      #expect(try RequestParameters(body: body, contentType: nil).entry() == expected)
    }
  }

  @Test func `a status has every key that clients require`() throws {
    // Any seed works, because every status has the same keys.
    var sample = Sample(seed: 6)
    let text = String(decoding: WireEncoder.qwink(sample.qwink()), as: UTF8.self)
    let keys = """
      id created_at in_reply_to_id in_reply_to_account_id sensitive spoiler_text visibility language uri url \
      replies_count reblogs_count favourites_count edited_at content reblog application account media_attachments \
      mentions tags emojis card poll favourited reblogged muted bookmarked pinned username acct display_name locked bot \
      note avatar avatar_static header header_static followers_count following_count statuses_count last_status_at fields
      """
    for key in keys.split(separator: " ") {
      #expect(text.contains("\"\(key)\":"), "\(key)")
    }
  }
}
