import Foundation
import Pictures
import Terminal
import TerminalTesting
import Testing

@Suite(.bounded) struct HostilePictureTests {
  private static let order = PictureOrder(room: Size(rows: 8, columns: 24))

  private func outcome(_ bytes: [UInt8], _ decoder: PictureDecoder) async -> PictureError? {
    do throws(PictureError) {
      _ = try await decoder.picture(from: bytes, Self.order)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a PNG of 100,000 by 100,000 pixels is rejected by its header`() async throws {
    let bytes = Self.png(width: 100_000, height: 100_000) + [UInt8](repeating: 0, count: 13 << 20)
    let decoder = SamplePictures.decoder()
    #expect(await outcome(bytes, decoder) == .tooManyPixels)
    #expect(decoder.startCount == 1)
  }

  @Test func `a GIF frame larger than its screen does not break the decoder`() async throws {
    var bytes = try SamplePictures.bytes(.gif)
    // The image descriptor follows the colour table.
    let descriptor = try #require(bytes.firstIndex(of: 0x2C))
    bytes.replaceSubrange((descriptor + 5)..<(descriptor + 9), with: [0xFF, 0xFF, 0xFF, 0xFF])
    let decoder = SamplePictures.decoder()
    #expect(await outcome(bytes, decoder) != .unavailable)
    #expect(await outcome(try SamplePictures.bytes(.gif), decoder) == nil)
  }

  @Test func `a GIF bomb of 65,535 by 65,535 pixels is rejected`() async throws {
    var bytes = try SamplePictures.bytes(.gif)
    bytes.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(await outcome(bytes, SamplePictures.decoder()) == .tooManyPixels)
  }

  @Test(arguments: PictureHeader.Format.allCases)
  func `a truncated picture is shown in part or fails as corrupt`(format: PictureHeader.Format) async throws {
    let decoder = SamplePictures.decoder()
    let bytes = try SamplePictures.bytes(format)
    for part in [1, 2, 3] {
      let error = await outcome(Array(bytes.prefix(bytes.count * part / 4)), decoder)
      #expect([nil, .damaged, .unknownKind].contains(error))
    }
    #expect(decoder.startCount == 1)
  }

  @Test func `the first bytes of a file decide whether it is a picture`() async throws {
    let page = Array("<html><script>alert(1)</script>".utf8)
    let decoder = SamplePictures.decoder()
    #expect(await outcome(page + (try SamplePictures.bytes(.png)), decoder) == .unknownKind)
    #expect(await outcome(try SamplePictures.bytes(.png) + page, decoder) == nil)
  }

  @Test(arguments: ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "%PDF-1.7", "BM", "qoif", "not a picture", ""])
  func `unsupported file types are rejected`(text: String) async {
    #expect(await outcome(Array(text.utf8), SamplePictures.decoder()) == .unknownKind)
  }

  @Test func `a picture of mixed formats is shown in part or fails as corrupt`() async throws {
    let png = try SamplePictures.bytes(.png)
    let bytes = Array(try SamplePictures.bytes(.jpeg).prefix(400)) + png
    #expect([nil, .damaged].contains(await outcome(bytes, SamplePictures.decoder())))
  }

  /// A soak tests 10,000 mutations of each format.
  @Test(arguments: PictureHeader.Format.allCases, [Soak.seed])
  func `a mutated picture can crash only the child process`(format: PictureHeader.Format, seed: UInt64) async throws {
    let decoder = SamplePictures.decoder()
    let bytes = try SamplePictures.bytes(format)
    var random = SplitMix(seed: seed)
    var broken = 0
    for _ in 0..<Soak.runs(100, times: 100) {
      let error = await outcome(SamplePictures.mutated(bytes, &random), decoder)
      #expect(error != .unavailable)
      if error == .failed { broken += 1 }
    }
    #expect(decoder.startCount <= 1 + broken)
    #expect(await outcome(bytes, decoder) == nil)
  }

  @Test func `the child's address space grows by at most 192 MB`() async throws {
    let decoder = SamplePictures.decoder()
    _ = await outcome(try SamplePictures.bytes(.png), decoder)
    let process = try #require(decoder.process)
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max address space") })
    let limit = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let used = try #require(
      status.split(separator: "\n").first { $0.hasPrefix("VmSize") }?.split(separator: " ").compactMap { Int($0) }
        .first)
    #expect(limit - used << 10 <= 192 << 20)
  }

  /// Returns the signature and header of a PNG.
  private static func png(width: UInt32, height: UInt32) -> [UInt8] {
    func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(width) + big(height)
      + [8, 2, 0, 0, 0] + big(0)
  }
}
