import Testing

@testable import Terminal

/// Forms of text for terminals without Unicode or with wider characters.
@Suite struct TextFormTests {
  @Test(arguments: [
    ("é", "e"), ("ß", "ss"), ("Ä", "A"), ("─", "-"), ("▌", "|"), ("…", "~"), ("“", "\""), ("日", "?"), ("👍🏽", "?"),
    ("e\u{301}", "e"), ("\u{1B}", "?"), ("\u{9B}", "?"), ("a", "a"), ("~", "~"), ("æ", "ae"),
  ])
  func `each cluster has an ASCII form`(cluster: Character, text: String) {
    let drawn = RenderedGrapheme(reducing: cluster, form: .ascii)
    #expect(drawn.text == text)
    #expect(drawn.columns == text.count)
  }

  @Test(arguments: ["─", "▌", "…", "★", "●", "•", "↻"] as [Character])
  func `ornaments are ASCII if lines are wide`(cluster: Character) {
    let drawn = RenderedGrapheme(reducing: cluster, form: .wideUnicode)
    #expect(drawn.columns == 1 && drawn.text.utf8.count == 1)
  }

  @Test func `letters are unchanged if lines are wide`() {
    #expect(RenderedGrapheme(reducing: "é", form: .wideUnicode).text == "é")
    #expect(RenderedGrapheme(reducing: "日", form: .wideUnicode).text == "日")
  }
}
