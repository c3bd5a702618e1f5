import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@Suite(.bounded) struct WordDiffTests {
  /// The pieces in the notation of the screen.
  private func diff(_ old: String, _ new: String) -> String {
    WordDiff.pieces(from: old, to: new).map { piece in
      switch piece.kind {
      case .unchanged: piece.text
      case .removed: "[-\(piece.text)-]"
      case .added: "[+\(piece.text)+]"
      }
    }
    .joined()
  }

  @Test func `a replaced word is a removal and an addition`() {
    #expect(diff("The boat leaves at nine.", "The boat leaves at ten.") == "The boat leaves at [-nine.-][+ten.+]")
  }

  @Test func `adjacent changed words form one piece`() {
    #expect(
      diff("see you at nine sharp", "see you around ten thirty") == "see you [-at nine sharp-][+around ten thirty+]")
  }

  @Test func `a pure addition or removal is one piece`() {
    #expect(diff("One two.", "One and two.") == "One [+and +]two.")
    #expect(diff("One and two.", "One two.") == "One [-and -]two.")
    #expect(diff("", "New.") == "[+New.+]")
    #expect(diff("Gone.", "") == "[-Gone.-]")
    #expect(diff("Same.", "Same.") == "Same.")
    #expect(diff("", "").isEmpty)
  }

  @Test func `long texts with nothing in common are replaced whole`() {
    let old = (0..<1500).map { "old\($0)" }.joined(separator: " ")
    let new = (0..<1500).map { "new\($0)" }.joined(separator: " ")
    #expect(WordDiff.pieces(from: old, to: new).map(\.kind) == [.removed, .added])
  }

  @Test(arguments: [Soak.seed]) func `both texts can be rebuilt from the pieces`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let words = ["a", "b", "c", "  ", "\n", " ", "日本", "👩‍👩‍👧"]
    for _ in 0..<500 {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      }
      let pieces = WordDiff.pieces(from: texts[0], to: texts[1])
      #expect(pieces.filter { $0.kind != .added }.map(\.text).joined() == texts[0])
      #expect(pieces.filter { $0.kind != .removed }.map(\.text).joined() == texts[1])
    }
  }
}
