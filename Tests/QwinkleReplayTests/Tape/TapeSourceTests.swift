@testable import QwinkleReplay
import Terminal
import Testing

@Suite struct TapeSourceTests {
  private func parse(_ text: String, _ others: [String: String]) throws(TapeErrors) -> Tape {
    try TapeParser.parse(text, name: "main.tape") { path in
      guard let text = others[path] else { throw NoTape(path: path) }
      return text
    }
  }

  @Test func `a sourced tape is inserted without its outputs`() throws {
    let tape = try parse(
      "Up Source a.tape Down", ["a.tape": "\nEnter Output x.cast\nSource \"b/b.tape\"", "b/b.tape": "Tab"])
    #expect(tape.commands.flatMap(\.step.keys) == [Key(.up), Key(.enter), Key(.tab), Key(.down)])
    #expect(
      tape.commands.map(\.place.description) == ["main.tape:1:1", "a.tape:2:1", "b/b.tape:1:1", "main.tape:1:18"])
    #expect(tape.notes.map(\.description) == ["a.tape:2:7: Output “x.cast” has no effect in a sourced tape."])
  }

  @Test func `a tape that cannot be sourced is reported with its position`() throws {
    let endless = [
      "a.tape": "Enter\nSource a.tape", "b.tape": "Source c.tape", "c.tape": "Source b.tape", "d.tape": "Sleep x",
    ]
    let error = #expect(throws: TapeErrors.self) {
      try parse("Source a.tape\nSource b.tape\nSource no.tape\nSource d.tape\nSource x.txt\nSource main.tape", endless)
    }
    #expect(
      error?.errors.map(\.description) == [
        "a.tape:2:8: “a.tape” sources itself, via “main.tape”, “a.tape”.",
        "c.tape:1:8: “b.tape” sources itself, via “main.tape”, “b.tape”, “c.tape”.",
        "main.tape:3:8: Cannot read the tape “no.tape”: there is no no.tape",
        "d.tape:1:7: “x” is not a time. Sleep needs a time: Sleep 500ms, Sleep 2s, Sleep 0.5.",
        "main.tape:5:8: “x.txt” is not a tape. Source needs a .tape file.",
        "main.tape:6:8: “main.tape” sources itself, via “main.tape”.",
      ])
  }

  @Test func `nested tapes are limited in depth and number`() throws {
    let chain = Dictionary(uniqueKeysWithValues: (0..<30).map { ("\($0).tape", "Source \($0 + 1).tape") })
    let deep = #expect(throws: TapeErrors.self) { try parse("Source 0.tape", chain) }
    #expect(deep?.description == "7.tape:1:8: Tapes are nested more than 8 deep.")
    let wide = Dictionary(
      uniqueKeysWithValues: (0..<8).map { level in
        ("\(level).tape", level == 7 ? "Enter" : String(repeating: "Source \(level + 1).tape\n", count: 20))
      })
    let most = #expect(throws: TapeErrors.self) { try parse("Source 0.tape", wide) }
    #expect(most?.description.contains("Too many sourced tapes.") == true)
  }

  @Test func `the length of a tape is limited`() throws {
    let long = #expect(throws: TapeErrors.self) {
      try parse(String(repeating: "#", count: TapeParser.greatestLength + 1), [:])
    }
    #expect(
      long?.description
        == "main.tape:1:1: The tape is longer than 1048576 bytes. Split it, and join the parts with Source.")
    let many = #expect(throws: TapeErrors.self) {
      try parse(String(repeating: "Tab ", count: TapeParser.mostCommands + 1), [:])
    }
    #expect(many?.errors.first?.place == TapePlace(file: "main.tape", line: 1, column: 4 * TapeParser.mostCommands + 1))
    #expect(many?.errors.count == 1)
  }
}
