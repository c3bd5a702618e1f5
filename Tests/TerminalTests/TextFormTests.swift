import Testing

@testable import Terminal

/// The forms of text for terminals that have no Unicode, or draw it wider.
@Suite struct TextFormTests {
  @Test(arguments: [
    ("é", "e"), ("ß", "ss"), ("Ä", "A"), ("─", "-"), ("▌", "|"), ("…", "~"), ("“", "\""), ("日", "?"), ("👍🏽", "?"),
    ("e\u{301}", "e"), ("\u{1B}", "?"), ("\u{9B}", "?"), ("a", "a"), ("~", "~"), ("æ", "ae"),
  ])
  func `each cluster has a form in ASCII`(cluster: Character, text: String) {
    let drawn = RenderedGrapheme(reducing: cluster, form: .ascii)
    #expect(drawn.text == text)
    #expect(drawn.columns == text.count)
  }

  @Test(arguments: ["─", "▌", "…", "★", "●", "•", "↻"] as [Character])
  func `where lines are wide, ornaments are ASCII`(cluster: Character) {
    let drawn = RenderedGrapheme(reducing: cluster, form: .wideUnicode)
    #expect(drawn.columns == 1 && drawn.text.utf8.count == 1)
  }

  @Test func `where lines are wide, letters stay what they are`() {
    #expect(RenderedGrapheme(reducing: "é", form: .wideUnicode).text == "é")
    #expect(RenderedGrapheme(reducing: "日", form: .wideUnicode).text == "日")
  }
}
