import Testing

@testable import QwinkleReplay

@Suite struct TapePatternTests {
  @Test func `a pattern is searched in a line or on a screen`() throws {
    let pattern = try TapePattern("^Ho+me$")
    #expect(pattern.isFound(in: "Home"))
    #expect(!pattern.isFound(in: "At Home"))
    #expect(pattern.isFound(onScreen: ["qwinkle", "Hoome", ""]))
    #expect(try TapePattern("a\\nb").isFound(onScreen: ["a", "b"]))
    #expect(try !TapePattern("a.b").isFound(onScreen: ["a", "b"]))
    #expect(try TapePattern("foo\\/bar").isFound(in: "foo/bar"))
    #expect(try TapePattern("[[:digit:]]{2}\\s?$").isFound(in: "at 12 "))
    #expect(try TapePattern("").isFound(in: ""))
  }

  @Test func `a pattern that is invalid or too deep is rejected`() {
    for source in [
      "(", "a{2,1}", "[z-a]", "*", "\\", "(?<n", String(repeating: "(", count: 100_000),
      String(repeating: "a", count: 501),
    ] {
      #expect(throws: TapePatternError.self) { try TapePattern(source) }
    }
    let deep = String(repeating: "(", count: 30) + "a" + String(repeating: ")", count: 30)
    #expect((try? TapePattern(deep))?.isFound(in: "a") == true)
    #expect(throws: TapePatternError.self) { try TapePattern("(\(deep))") }
  }
}
