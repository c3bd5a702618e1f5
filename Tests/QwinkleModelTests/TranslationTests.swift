import QwinkleModel
import QwinkleTesting
import Testing

@Suite struct TranslationTests {
  private static var qwink: Qwink {
    var qwink = Qwink.sample(id: "9", text: "Guten Morgen", author: .sample("hana"))
    qwink.poll = Poll(id: "3", options: [Poll.Option(title: "Tee", votesCount: 2), Poll.Option(title: "Kaffee")])
    qwink.attachments = [
      Attachment(id: "5", kind: .image, altText: "Ein Boot"), Attachment(id: "6", kind: .image, altText: "Ein Garten"),
    ]
    return qwink
  }

  @Test func `a translation replaces the texts and nothing else`() {
    let translation = Translation(
      text: RichText(plain: "Good morning"), pollOptions: ["Tea", ""], descriptions: ["6": "A garden", "7": "Else"])
    let translated = Self.qwink.translated(by: translation)
    var expected = Self.qwink
    expected.text = RichText(plain: "Good morning")
    expected.poll?.options[0].title = "Tea"
    expected.attachments[1].altText = "A garden"
    #expect(translated == expected)
    #expect(translated.translated(by: translation) == translated, "not idempotent")
  }

  @Test(arguments: [("", "", ""), ("Essen", "Food", "Food"), ("Essen", "", "Essen"), ("", "Food", "")])
  func `a translation neither adds nor removes a warning`(original: String, translated: String, shown: String) {
    var qwink = Self.qwink
    qwink.contentWarning = original
    let translation = Translation(text: RichText(plain: "x"), contentWarning: translated)
    #expect(qwink.translated(by: translation).contentWarning == shown)
  }

  @Test func `a poll with another number of options keeps its own titles`() {
    let translation = Translation(text: RichText(plain: "x"), pollOptions: ["Tea"])
    #expect(Self.qwink.translated(by: translation).poll == Self.qwink.poll)
  }

  @Test func `a filter covers a translation that matches, and never hides its row`() throws {
    let filter = ContentFilter(
      id: "1", title: "Mornings", contexts: [.home], hides: true,
      keywords: [ContentFilter.Keyword(text: "morning", isWhole: true)])
    let translation = Translation(text: RichText(plain: "Good morning"))
    let matches = FilterMatcher([filter]).matches(inTranslated: Self.qwink.translated(by: translation))
    #expect(matches.map(\.title) == ["Mornings"] && matches.allSatisfy { !$0.hides })
    #expect(FilterMatcher([filter]).matches(inTranslated: Self.qwink).isEmpty)
  }

  @Test(arguments: [("de", "German"), ("pt-BR", "Portuguese"), ("ZH_tw", "Chinese"), ("tlh", "tlh"), ("", "")])
  func `frequent languages have names`(code: String, name: String) {
    #expect(LanguageCode.name(of: code) == name)
  }
}
