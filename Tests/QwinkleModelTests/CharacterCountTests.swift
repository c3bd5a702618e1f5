import QwinkleModel
import Testing

@Suite struct CharacterCountTests {
  @Test func `links and mentions in a text count as the limits define`() {
    let limits = ServerInfo.Limits()
    #expect(CharacterCount.count("", limits: limits) == 0)
    #expect(CharacterCount.count("a 👩‍👩‍👧‍👦 é", limits: limits) == 5)
    #expect(CharacterCount.count("see https://example.org/very/long/path.", limits: limits) == 4 + 23 + 1)
    #expect(CharacterCount.count("@bob@example.org hi", limits: limits) == 7)
    #expect(CharacterCount.count("@alice hi", limits: limits) == 9)
    #expect(CharacterCount.count("@bob.b-c@example.org hi", limits: limits) == 11)
    #expect(CharacterCount.count("(@bob@example.org).", limits: limits) == 7)
    #expect(CharacterCount.count("@bob.@example.org", limits: limits) == 17)
    #expect(CharacterCount.count("@alice.bob and @a-b", limits: limits) == 19)
  }

  @Test(arguments: ["http", "https", "dat", "dweb", "ipfs", "ipns", "ssb", "gopher", "gemini", "GEMINI"])
  func `a link of any scheme counts 23 characters`(scheme: String) {
    let limits = ServerInfo.Limits()
    let link = "\(scheme)://example.org/" + String(repeating: "a", count: 90)
    #expect(CharacterCount.count(link, limits: limits) == 23)
    #expect(CharacterCount.count("(see \(link)).", limits: limits) == 5 + 23 + 2)
    #expect(CharacterCount.count("x\(link)", limits: limits) == link.count + 1)
  }

  @Test func `a gemini link is plain text except in the count`() {
    #expect(TextTokens.tokens(of: "gemini://example.org").map(\.kind) == [.text])
  }

  @Test(arguments: [
    ("plain text", 10), ("  trimmed \n", 7), ("http://a.b", 10), ("https://example.org/a-long-path", 23),
    ("finger://example.org/a-long-path", 23), ("(see:finger://example.org/a-long-path", 28),
    ("xmpp:somebody@example.org?message", 23), ("magnet:?xt=urn:btih:0123456789abcdef", 23), ("@bob@example.org hi", 7),
    ("a: b", 4), ("://", 3),
  ])
  func `the least count uses the shorter length of each link`(text: String, count: Int) {
    #expect(CharacterCount.least(text, limits: ServerInfo.Limits()) == count)
  }
}
