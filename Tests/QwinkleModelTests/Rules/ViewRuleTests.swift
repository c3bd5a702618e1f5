import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleModel

@Suite struct ViewRuleTests {
  private func holds(_ rule: String, _ change: (inout Qwink) -> Void = { _ in }) throws -> Bool {
    var qwink = Qwink.sample(text: "The Träin leaves at 8. 電車")
    change(&qwink)
    return try ViewRule(rule).matches(qwink)
  }

  private func problem(_ rule: String) -> String? {
    do throws(RuleProblem) {
      _ = try ViewRule(rule)
      return nil
    } catch {
      return error.words
    }
  }

  @Test func `terms match the properties of a qwink`() throws {
    #expect(try !holds("boost") && holds("boost") { $0.booster = .sample("ben") })
    #expect(try holds("from:@alice") && holds("from:ALICE") && !holds("from:@ben"))
    #expect(try holds("by:ben") { $0.booster = .sample("ben") })
    #expect(try holds("to:@ben") { $0.mentions = [.init(id: "2", userName: "ben", handle: "ben@far.example")] })
    #expect(
      try holds("to:ben@far.example") { $0.mentions = [.init(id: "2", userName: "ben", handle: "ben@far.example")] })
    #expect(
      try !holds("to:ben@near.example") { $0.mentions = [.init(id: "2", userName: "ben", handle: "ben@far.example")] })
    #expect(try holds("from:alice@tilde.example") { $0.author.url = "https://tilde.example/@alice" })
    #expect(try holds("has:media has:picture") { $0.attachments = [Attachment(id: "1", kind: .image)] })
    #expect(try holds("lang:sv") { $0.language = "sv" } && holds("lang:en") { $0.language = "en-GB" })
    #expect(try !holds("lang:sve") { $0.language = "sv" } && !holds("lang:sv"))
    #expect(try holds("#Rail") { $0.tags = ["rail"] } && holds("tag:rail") { $0.tags = ["Rail"] })
    #expect(try holds("direct or followers") { $0.visibility = .private })
    #expect(
      try holds("reply edited sensitive") {
        $0.inReplyTo = "1"
        $0.editedAt = $0.createdAt
        $0.isSensitive = true
      })
  }

  @Test func `quoted text matches beginnings of words regardless of case and accents`() throws {
    #expect(try holds("\"train\"") && holds("'TRAI LEAVES'") && holds("'leaves at'") && !holds("'rain'"))
    #expect(try holds("'電'") && holds("'車'") && !holds("'train gone'"))
    #expect(try holds("'rail'") { $0.tags = ["railway"] })
    #expect(try holds("'bird'") { $0.attachments = [Attachment(id: "1", kind: .image, altText: "A bird")] })
  }

  @Test func `operators have a precedence that parentheses override`() throws {
    #expect(try holds("boost and reply or 'train'") && !holds("boost and (reply or 'train')"))
    #expect(try holds("not boost and not from:@a") && !holds("not (not boost)"))
    #expect(try holds("public 'train' not reply OR boost") && holds("NOT Boost"))
    #expect(try ViewRule("boost and not from:@a") == .all([.sign(.boost), .not(.from("a"))]))
    #expect(try ViewRule("has:media lang:sv \"train\"").neededWords.map(\.text) == ["train"])
    #expect(try ViewRule("boost or 'train'").neededWords.isEmpty && ViewRule("not 'train'").neededWords.isEmpty)
  }

  @Test(arguments: [
    ("", "Column 1: A rule needs a term, such as boost or from:@anna."),
    ("bost", "Column 1: No “bost” in rules. Did you mean boost?"),
    ("boost adn reply", "Column 7: No “adn” in rules. Did you mean and?"),
    ("train", "Column 1: No “train” in rules. Put text in quotes: 'train'."),
    ("boost from", "Column 7: “from” needs a colon and a value: from:…"),
    ("form:@a", "Column 1: No “form:” in rules. Did you mean from:?"),
    ("boost x:1", "Column 7: No “x:” in rules. Known: has:, from:, by:, to:, lang: and tag:."),
    ("has:meda", "Column 5: has: can't be “meda”. Did you mean media?"),
    ("has:", "Column 5: Something is missing after “has:”."),
    ("lang:swedish1-", "Column 6: “swedish1-” is not a language code, such as en."),
    ("from:@a@b@c", "Column 6: “@a@b@c” is not a user, such as @anna."),
    ("tag:\"a b\"", "Column 6: “a b” is not a hashtag."),
    ("é \"train", "Column 3: This quote has no matching quote."),
    ("''", "Column 1: The quotes contain no word."),
    ("boost and", "Column 10: Something is missing at the end."),
    ("or boost", "Column 1: Something is missing before “or”."),
    ("(boost", "Column 1: This “(” has no matching “)”."),
    ("boost)", "Column 6: This “)” has no matching “(”."),
    ("()", "Column 2: Something is missing before “)”."),
  ])
  func `an invalid rule is reported with its column and a suggestion`(rule: String, words: String) {
    #expect(problem(rule) == words)
  }

  @Test func `a rule that is too long or too deep is rejected`() {
    #expect(
      problem(String(repeating: "(", count: 1000))?.hasPrefix(
        "Column 21: Parentheses and not can be nested at most 20 deep.") == true)
    #expect(
      problem(String(repeating: "not ", count: 400) + "boost")?.hasPrefix(
        "Column 81: Parentheses and not can be nested at most 20 deep.")
        == true)
    #expect(problem(String(repeating: "boost ", count: 101))?.hasSuffix("A rule has at most 100 terms.") == true)
    #expect(problem(String(repeating: "x", count: 3000))?.hasPrefix("Column 1: A rule has at most") == true)
  }

  @Test func `an error in a malformed rule has a sentence and a valid offset`() {
    let whole = """
      boost and not from:@a or (has:media lang:sv "träin 電車") and not (#rail or to:ben@far.example 'x') by:"@b" reply
      """
    let qwink = Qwink.sample(text: "A train")
    for seed in Soak.seeds(200) {
      var random = SplitMix(seed: seed)
      let text = String(decoding: Damage.damaged(Array(whole.utf8), &random), as: UTF8.self)
      do throws(RuleProblem) {
        _ = try ViewRule(text).matches(qwink)
      } catch {
        let isSentence = [".", "?", "…", ":?"].contains { error.sentence.hasSuffix($0) }
        let isInside = (0...text.unicodeScalars.count).contains(error.offset)
        #expect(isSentence && isInside, "seed \(seed): \(error) in \(text)")
      }
    }
  }
}
