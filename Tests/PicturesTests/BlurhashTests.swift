import Pictures
import Terminal
import TerminalTesting
import Testing

struct BlurhashTests {
  /// The example of <https://blurha.sh>: bright above, a dark middle.
  private static let example = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

  @Test func `a hash becomes cells, two pixels each`() throws {
    let picture = try #require(Blurhash(Self.example)).picture(Size(rows: 4, columns: 8))
    #expect(picture.cells.count == 32)
    #expect(Set(picture.cells.map(\.character)) == ["▀"])
    #expect(Set(picture.cells.map(\.style)).count > 8)
  }

  @Test(arguments: [
    "", "LEHV6", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnj1", "L HV6nWB2yk8pyo0adR*.7kCMdnj",
  ])
  func `other words are no hash`(text: String) {
    #expect(Blurhash(text) == nil)
  }

  @Test(arguments: Soak.seeds(20)) func `no hash breaks anything`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    for components in 0..<81 {
      let count = 4 + 2 * (components % 9 + 1) * (components / 9 + 1)
      let text =
        String(digits[components]) + String((1..<count).map { _ in digits.randomElement(using: &random) ?? "0" })
      #expect(Blurhash(text)?.picture(Size(rows: 2, columns: 3)).cells.count == 6)
    }
  }
}
