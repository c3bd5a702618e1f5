import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleConfig

/// Damaged files: each gives a sentence with a place, or is fine; none ends the program.
@Suite struct ConfigSoakTests {
  /// Each option, and something of each kind of table. Its one fault is x.
  private static let whole =
    ConfigOption.all.map { "\($0.name) = \($0.standard.toml) # \($0.group.rawValue)\n" }.joined()
      + """

      [accounts."anna@tilde.example"]
      density = "compact"
      x = { a = [1, "2"], b = '''
      3''' }

      [commands]
      words = "wc -w"
      quote = { run = "sed 's/^/> /'", input = "text", output = "entry" }
      [views]
      trains = "has:media lang:sv 'träin'"
      [hooks]
      message = "cat >> ~/messages.json"

      """

  @Test func `what is damaged here is whole`() {
    let reader = ConfigReader(Self.whole)
    #expect(reader.problems.map(\.sentence) == ["An account's options have no parts."], "\(reader.problems)")
    #expect(reader.config.settings.count == ConfigOption.all.count)
    #expect(reader.config.commands.count == 2 && reader.config.views.count == 1 && reader.config.hooks.count == 1)
  }

  @Test func `damaged configurations are read as far as they go`() {
    let whole = Array(Self.whole.utf8)
    for seed in Soak.seeds(200) {
      var random = SplitMix(seed: seed)
      let text = Damage.damaged(whole, &random)
      let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
      let reader = ConfigReader(String(decoding: text, as: UTF8.self))
      for problem in reader.problems {
        let isSentence = [".", "?", "…"].contains { problem.sentence.hasSuffix($0) }
        #expect(isSentence || problem.sentence.hasSuffix("qwinkle config"), "seed \(seed): \(problem)")
        #expect((1...lines + 1).contains(problem.line) && problem.column >= 1, "seed \(seed): \(problem)")
      }
      // What can't be edited safely is left alone. It reads the file several times.
      guard seed.isMultiple(of: 4) else { continue }
      if let edited = try? ConfigEdit(String(decoding: text, as: UTF8.self)).setting(.cache, to: .number(16), in: nil) {
        #expect(ConfigReader(edited).config[.cache].number == 16, "seed \(seed)")
      }
    }
  }
}
