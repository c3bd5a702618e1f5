import TerminalTesting
import Testing

@testable import QwinkleModel

@Suite struct ThreadSplitterTests {
  private func limits(_ characters: Int) -> ServerInfo.Limits { ServerInfo.Limits(characters: characters) }

  private func parts(_ text: String, _ characters: Int, numbered: Bool = false) -> [String]? {
    ThreadSplitter(limits: limits(characters), isNumbered: numbered).parts(of: text)
  }

  @Test func `a text that fits is one part without a number`() {
    #expect(parts("Twenty letters here. ", 20, numbered: true) == ["Twenty letters here."])
  }

  @Test func `a part ends with a paragraph if possible or else a sentence or word`() {
    #expect(
      parts("One sentence here.\n\nAnother. And one more.", 30) == ["One sentence here.", "Another. And one more."])
    #expect(
      parts("One sentence here. “Another one!” And one more.", 36) == [
        "One sentence here. “Another one!”", "And one more.",
      ])
    #expect(parts("one two three four five six", 14) == ["one two three", "four five six"])
    // The sentence ends too early, so the part ends with a word.
    #expect(parts("No. one two three four five", 16) == ["No. one two", "three four five"])
  }

  @Test func `a line is not split if it fits`() {
    #expect(parts("milk and bread\nten apples\nand a loaf", 28) == ["milk and bread\nten apples", "and a loaf"])
  }

  @Test func `links and mentions count as on the server and are never split`() {
    let link = "https://example.org/" + String(repeating: "long/", count: 20)
    #expect(
      parts("See \(link) and @bob@a.very.long.example.org there", 34) == [
        "See \(link) and", "@bob@a.very.long.example.org there",
      ])
    #expect(parts("aaaa \(link) bbbb", 23) == ["aaaa", link, "bbbb"])
  }

  @Test func `a word longer than the limit is split after a sentence if possible`() {
    #expect(parts(String(repeating: "x", count: 25), 10)?.map(\.count) == [10, 10, 5])
    #expect(parts("今日は雨です。明日は晴れでしょう。傘は要りません。", 20) == ["今日は雨です。明日は晴れでしょう。", "傘は要りません。"])
    #expect(parts(String(repeating: "👨‍👩‍👧", count: 15), 10)?.map(\.count) == [10, 5])
  }

  @Test func `numbers are appended within the limit`() throws {
    let words = (1...40).map { "word\($0)" }.joined(separator: " ")
    let few = try #require(parts(words, 120, numbered: true))
    #expect(few.count == 3 && few[0].hasSuffix(" (1/3)") && few[2].hasSuffix(" (3/3)"))
    let many = try #require(parts(words, 30, numbered: true))
    #expect(many.count > 9 && many.allSatisfy { $0.count <= 30 } && many[0].hasSuffix(" (1/\(many.count))"))
  }

  @Test func `a text with too many parts or too little room is rejected`() {
    #expect(parts(String(repeating: "word ", count: 200), 12) == nil)
    #expect(ThreadSplitter(limits: limits(500), reserved: 495).parts(of: String(repeating: "word ", count: 20)) == nil)
  }

  @Test(arguments: Soak.seeds(40)) func `every part fits and no text is lost`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = [
      "a", "word", "Sentence.", "“quoted!”", "https://example.org/a/long/path", "@bob@example.org", "#tag", "\n",
      "\n\n",
      "  ", "👍🏽", "漢字かな。", String(repeating: "x", count: 70), "fin?",
    ]
    let text = (0..<120).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined(separator: " ")
    var limit = 60 + Int(random.next() % 100)
    let isNumbered = random.next() % 2 == 0
    // A small limit may need too many parts.
    if parts(text, limit, numbered: isNumbered) == nil { limit = 300 }
    let thread = try #require(parts(text, limit, numbered: isNumbered))
    #expect(thread.count > 1)
    for part in thread { #expect(CharacterCount.count(part, limits: limits(limit)) <= limit, "\(part)") }
    let bare =
      isNumbered
      ? thread.enumerated().map { index, part in
        String(part.dropLast(" (\(index + 1)/\(thread.count))".count))
      } : thread
    #expect(bare.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
  }
}
