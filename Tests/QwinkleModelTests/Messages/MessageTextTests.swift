import FoundationEssentials
import QwinkleModel
import Testing

@Suite struct MessageTextTests {
  private func qwink(_ spans: [RichText.Span]) -> Qwink {
    Qwink(
      id: "1", author: Qwinker(id: "1", userName: "alice"), createdAt: Date(timeIntervalSince1970: 0),
      text: RichText([RichText.Paragraph(spans)]),
      mentions: [
        .init(id: "2", userName: "bob", handle: "bob", url: "https://here/@bob"),
        .init(id: "3", userName: "carol", handle: "carol@there", url: "https://there/@carol"),
      ])
  }

  private let bob = RichText.Span("@bob", kind: .mention(url: "https://here/@bob"))
  private let carol = RichText.Span("@carol", kind: .mention(url: "https://there/users/carol"))

  private func shown(_ spans: RichText.Span..., among people: Set<Qwinker.ID> = ["2", "3"]) -> String {
    MessageText.shown(qwink(spans), among: people).plainText
  }

  @Test func `mentions of participants are hidden at the beginning`() {
    #expect(shown(bob, .init(" "), carol, .init(" hello")) == "hello")
    #expect(shown(bob, .init("\nhello")) == "hello")
  }

  @Test func `mentions after the beginning are shown`() {
    #expect(shown(bob, .init(" ask "), carol) == "ask @carol")
    #expect(shown(.init("hi "), bob) == "hi @bob")
  }

  @Test func `mentions of other people are shown`() {
    #expect(shown(bob, .init(" "), carol, .init(" hello"), among: ["2"]) == "@carol hello")
    #expect(shown(.init("@dave", kind: .mention(url: "https://x/@dave")), .init(" hello")) == "@dave hello")
  }

  @Test func `a message of mentions alone is shown unchanged`() {
    #expect(shown(bob, .init(" "), carol) == "@bob @carol")
  }

  @Test func `a sent message is recognized despite the server's formatting`() {
    let came = qwink([
      bob, .init(" see "), .init("here.example/a…", kind: .link(url: "https://here.example/abc")), .init(" soon"),
    ])
    #expect(MessageText.isSame("@bob see https://here.example/abc  soon", as: came))
    #expect(!MessageText.isSame("@bob see https://here.example/abc later", as: came))
    #expect(!MessageText.isSame("", as: came))
  }

  @Test func `a sent message is recognized without linked mentions, as on snac`() {
    let plain = qwink([.init("@bob @carol@there.example see "), .init("https://here.example/abc"), .init(" soon")])
    #expect(MessageText.isSame("@bob @carol@there.example see https://here.example/abc soon", as: plain))
    #expect(!MessageText.isSame("@bob see https://here.example/abc later", as: plain))
    #expect(MessageText.isSame("@bob *really* soon", as: qwink([.init("@bob really soon")])))
    // An @ inside a word is not a mention.
    #expect(!MessageText.isSame("a@b", as: qwink([.init("a")])))
  }
}
