import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleConfig

/// Malformed configuration files: every problem has a sentence and a position, and none crashes the program.
@Suite struct ConfigSoakTests {
  /// Every option and every kind of table. `x` is the only error.
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

  @Test func `the original configuration has only its one known problem`() {
    let reader = ConfigReader(Self.whole)
    #expect(reader.problems.map(\.sentence) == ["An account's options can't be nested."], "\(reader.problems)")
    #expect(reader.config.settings.count == ConfigOption.all.count)
    #expect(reader.config.commands.count == 2 && reader.config.views.count == 1 && reader.config.hooks.count == 1)
  }

  @Test func `problems of a malformed configuration have valid positions`() {
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
      // An edit either fails or sets the option. It parses the file several times, so not every seed is tested.
      guard seed.isMultiple(of: 4) else { continue }
      if let edited = try? ConfigEdit(String(decoding: text, as: UTF8.self)).setting(.cache, to: .number(16), in: nil) {
        #expect(ConfigReader(edited).config[.cache].number == 16, "seed \(seed)")
      }
    }
  }
}
