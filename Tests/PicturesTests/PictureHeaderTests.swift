import Pictures
import TerminalTesting
import Testing

struct PictureHeaderTests {
  @Test(arguments: PictureHeader.Format.allCases)
  func `the header of each format contains its size`(format: PictureHeader.Format) throws {
    let header = try #require(PictureHeader(try SamplePictures.bytes(format)))
    #expect(header == PictureHeader(format: format, width: 96, height: 64))
    #expect(!header.isTooLarge)
  }

  @Test func `a picture over 12 megapixels is too large`() {
    #expect(!PictureHeader(format: .png, width: 4000, height: 3000).isTooLarge)
    #expect(PictureHeader(format: .png, width: 4001, height: 3000).isTooLarge)
    #expect(PictureHeader(format: .png, width: .max, height: .max).isTooLarge)
  }

  @Test(arguments: ["", "GIF89a", "<html>", "\u{89}PNG", "RIFF....WEBPVP8X", "....ftypavif"])
  func `an incomplete header is rejected`(text: String) {
    #expect(PictureHeader(Array(text.utf8)) == nil)
  }

  @Test(arguments: Soak.seeds(20))
  func `a mutated header is rejected or has a valid size`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var count = 0
    for format in PictureHeader.Format.allCases {
      let bytes = try SamplePictures.bytes(format)
      for _ in 0..<50 {
        guard let header = PictureHeader(SamplePictures.mutated(bytes, &random)) else { continue }
        #expect(header.width > 0 && header.height > 0)
        count += 1
      }
    }
    #expect(count > 20)
  }
}
