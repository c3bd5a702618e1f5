import QwinkleModel
import Testing

@Suite struct CharacterCountTests {
  @Test func `a long text is counted as the limits say`() {
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
}
