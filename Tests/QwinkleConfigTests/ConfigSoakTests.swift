import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleConfig

/// Damaged files: each gives a sentence with a place, or is fine; none ends the program.
@Suite struct ConfigSoakTests {
  @Test func `damaged configurations are read as far as they go`() {
    let whole =
      ConfigText.commented().replacing("\n# ", with: "\n")
      + "\n[accounts.\"anna@tilde.example\"]\ndensity = \"compact\"\nx = { a = [1, \"2\"], b = '''\n3''' }\n"
    for seed in Soak.seeds(200) {
      var random = SplitMix(seed: seed)
      let text = Damage.damaged(Array(whole.utf8), &random)
      let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
      let reader = ConfigReader(String(decoding: text, as: UTF8.self))
      for problem in reader.problems {
        let isSentence = [".", "?"].contains { problem.sentence.hasSuffix($0) }
        #expect(isSentence || problem.sentence.hasSuffix("qwinkle config"), "\(seed): \(problem)")
        #expect((1...lines + 1).contains(problem.line) && problem.column >= 1, "\(seed): \(problem)")
      }
      // What can't be edited safely is left alone.
      if let edited = try? ConfigEdit(String(decoding: text, as: UTF8.self)).setting(.cache, to: .number(16), in: nil) {
        #expect(ConfigReader(edited).config[.cache].number == 16, "\(seed)")
      }
    }
  }
}
