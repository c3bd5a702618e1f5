import Pictures
import Terminal
import TerminalTesting
import Testing

struct BlurhashTests {
  /// The example on <https://blurha.sh>: bright above, dark in the middle.
  private static let example = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

  @Test func `a hash is drawn as cells of two pixels each`() throws {
    let picture = try #require(Blurhash(Self.example)).picture(Size(rows: 4, columns: 8))
    #expect(picture.cells.count == 32)
    #expect(Set(picture.cells.map(\.character)) == ["▀"])
    #expect(Set(picture.cells.map(\.style)).count > 8)
  }

  @Test(arguments: [
    "", "LEHV6", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnj1", "L HV6nWB2yk8pyo0adR*.7kCMdnj",
  ])
  func `an invalid hash is rejected`(text: String) {
    #expect(Blurhash(text) == nil)
  }

  @Test(arguments: PictureHeader.Format.allCases)
  func `the hash of a file reproduces its colours`(format: PictureHeader.Format) async throws {
    let text = try await SamplePictures.decoder().blurhash(of: try SamplePictures.bytes(format))
    let size = Size(rows: 4, columns: 8)
    let picture = try #require(Blurhash(text)).picture(size)
    func color(_ row: Int, _ column: Int) -> (red: Int, green: Int) {
      guard case .rgb(let red, let green, _) = picture.cells[row * size.columns + column].style.foreground else {
        return (-1, -1)
      }
      return (Int(red), Int(green))
    }
    // Dark at the upper left, red at the upper right, yellow at the lower right.
    #expect(color(0, 0).red < 90 && color(0, 0).green < 90, "\(text)")
    #expect(color(0, 7).red > 160 && color(0, 7).green < 110, "\(text)")
    #expect(color(3, 7).red > 160 && color(3, 7).green > 140, "\(text)")
  }

  @Test func `hashing fails for an invalid or huge picture`() async throws {
    let decoder = SamplePictures.decoder()
    await #expect(throws: PictureError.unknownKind) {
      _ = try await decoder.blurhash(of: Array("leek".utf8))
    }
    // The header claims 100,000 by 100,000 pixels.
    let png = try SamplePictures.bytes(.png)
    let huge = Array(png[..<16]) + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0] + Array(png[24...])
    await #expect(throws: PictureError.tooManyPixels) {
      _ = try await decoder.blurhash(of: huge)
    }
  }

  @Test(arguments: Soak.seeds(20)) func `random hashes are drawn without crashing`(seed: UInt64) {
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
