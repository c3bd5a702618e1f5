import FoundationEssentials
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

/// Changes of the server's JSON that retain unknown members.
@Suite(.bounded) struct JSONUpdateTests {
  private typealias Change = @Sendable (inout Qwink) -> Void

  private static let changes: [(name: String, change: Change)] = [
    ("nothing", { _ in }),
    ("favourite", { $0 = $0.setting(.favourite, to: !$0.isFavourite) }),
    ("boost", { $0 = $0.setting(.boost, to: !$0.isBoosted) }),
    ("bookmark", { $0 = $0.setting(.bookmark, to: !$0.isBookmarked) }),
    ("pin", { $0.isPinned.toggle() }),
    ("thread mute", { $0.isThreadMuted.toggle() }),
    ("text", { $0.text = RichText(plain: "new & <old>") }),
    ("edit", { $0.editedAt = $0.createdAt.addingTimeInterval(60) }),
    ("content warning", { $0.contentWarning = $0.contentWarning.isEmpty ? "spiders" : "" }),
    ("attachments", { $0.attachments = [] }),
    ("poll", { $0.poll?.votesCount += 1 }),
    ("no poll", { $0.poll = nil }),
    ("deleted quote", { if let id = $0.quote?.id { $0.quote = Qwink.Quote(id: id, state: .deleted) } }),
    ("author", { $0.author.displayName = "Somebody Else" }),
  ]

  private static let unknown = Array(#"{"mood":["calm",{"a":1}]}"#.utf8)

  @Test(arguments: changes.indices)
  func `updated JSON decodes to the new post and retains unknown members`(index: Int) throws {
    let posts = try Soak.sample(Self.posts.get(), of: 6)
    #expect(posts.count > 10)
    for post in posts {
      let (old, words) = (post.qwink, "\(Self.changes[index].name) in \(post.words)")
      var new = old
      Self.changes[index].change(&new)
      let updated = WireEncoder.update(Self.withUnknown(post.source), of: old, to: new)
      let found = try WireDecoder.qwink(from: updated)
      let wanted = try WireDecoder.qwink(from: WireEncoder.qwink(new))
      // The encoding of an unchanged member can decode to other values than the server's JSON, so compare what changed.
      let before = try WireDecoder.qwink(from: WireEncoder.qwink(old))
      if wanted == before {
        #expect(found == old, "\(words)")
      } else {
        #expect(try WireDecoder.qwink(from: WireEncoder.qwink(found)) == wanted, "\(words)")
      }
      // An edit of the text discards unknown members, because they may repeat the former text.
      if new.text != old.text || new.contentWarning != old.contentWarning { continue }
      #expect(JSONParts.member("x_new", of: updated) == Self.unknown, "\(words)")
      if let inner = JSONParts.member("reblog", of: updated) {
        #expect(JSONParts.member("x_new", of: inner) == Self.unknown, "\(words)")
      }
    }
  }

  /// All recorded posts of timelines, with a description of their response.
  private static let posts = Result {
    try Corpus.all.flatMap { corpus in
      try corpus.good().flatMap { _, body, kind, words in
        guard kind == .timeline else { return [(qwink: Qwink, source: [UInt8], words: String)]() }
        let page = try WireDecoder.qwinks(from: body, link: nil)
        return zip(page.items, page.sources).map { (qwink: $0, source: $1, words: words) }
      }
    }
  }

  private static func withUnknown(_ source: [UInt8]) -> [UInt8] {
    var values = [(name: "x_new", value: unknown)]
    if let inner = JSONParts.member("reblog", of: source) {
      values.append(("reblog", JSONParts.object(inner, setting: [("x_new", unknown)])))
    }
    return JSONParts.object(source, setting: values)
  }

  @Test(arguments: [
    #"{"id":"7","content":"<p>secret</p>","account":{"id":"3","username":"eve","acct":"eve"}}"#,
    #"{"state":"accepted","quoted_status":{"id":"7","content":"secret","account":{"id":"3","username":"eve"}}}"#,
  ])
  func `nothing of a deleted quoted post stays in either form of a quote`(quote: String) throws {
    let content = "<p class='quote-inline'>RE: <a href='https://a.example/7'>x</a></p><p>hi</p>"
    let json =
      #"{"id":"1","created_at":"2026-01-01T00:00:00Z","content":"\#(content)","#
      + #""account":{"id":"2","username":"ann"},"quote":\#(quote)}"#
    let source = Array(json.utf8)
    let old = try WireDecoder.qwink(from: source)
    let new = try #require(old.withholdingQuote(of: "7"))
    let updated = WireEncoder.update(source, of: old, to: new)
    #expect(!String(decoding: updated, as: UTF8.self).contains("secret"))
    let found = try WireDecoder.qwink(from: updated)
    #expect(found.quote == new.quote && found.text == new.text)
  }
}
