import Foundation
import HTTPTypes
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Cleaning and validation of uploaded pictures.
@Suite(.bounded) struct PictureTests {
  @Test(arguments: Picture.Kind.allCases)
  func `cleaning a picture keeps size and colours but removes metadata`(_ kind: Picture.Kind) throws {
    let file = try #require(SamplePictures.all[kind])
    let picture = try Picture(cleaning: file)
    #expect(picture.kind == kind)
    let sizes: [Picture.Kind: [Int]] = [.png: [24, 16], .jpeg: [30, 20], .gif: [12, 9], .webp: [40, 10]]
    #expect([picture.width, picture.height] == sizes[kind])
    let text = String(decoding: picture.bytes, as: UTF8.self)
    #expect(!text.contains("canary") && !text.contains("script"))
    let kept: [Picture.Kind: String] = [.png: "gAMA", .jpeg: "ICC_PROFILE", .gif: "NETSCAPE2.0", .webp: "ICCP"]
    #expect(text.contains(try #require(kept[kind])))
    #expect(try Picture(cleaning: picture.bytes).bytes == picture.bytes)
  }

  @Test func `cleaning keeps the orientation and reports the size as displayed`() throws {
    for orientation in 1...8 {
      let files = [
        SamplePictures.jpeg(orientation: orientation), SamplePictures.webp(orientation: orientation),
        SamplePictures.png(orientation: orientation),
      ]
      for file in files {
        let upright = try Picture(cleaning: file)
        let isTurned = orientation > 4
        #expect((upright.width < upright.height) == isTurned, "\(upright.kind) \(orientation)")
        let exif = Array(Orientation.tiff(orientation))
        #expect(upright.bytes.firstRange(of: exif) != nil || orientation == 1)
        #expect(!String(decoding: upright.bytes, as: UTF8.self).contains("canary"))
        #expect(try Picture(cleaning: upright.bytes).bytes == upright.bytes)
      }
    }
  }

  @Test(arguments: [
    SamplePictures.png(width: 100_000, height: 100_000), SamplePictures.png(width: 0),
    SamplePictures.png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), SamplePictures.png(width: 40_000, height: 1),
    SamplePictures.jpeg(width: 65_535, height: 65_535), SamplePictures.jpeg(height: 0),
    SamplePictures.gif(width: 65_535, height: 65_535), SamplePictures.webp(width: 16_000, height: 16_000),
  ])
  func `invalid dimensions are rejected by the header`(_ file: [UInt8]) throws {
    let refusal = #expect(throws: Refusal.self) { try Picture(cleaning: file) }
    #expect(refusal?.status == .unprocessableContent)
    // The header alone is rejected, so nothing after it is read.
    let header = #expect(throws: Refusal.self) { try Picture(cleaning: Array(file.prefix(260))) }
    #expect(header?.status == .unprocessableContent)
  }

  @Test(arguments: Picture.Kind.allCases)
  func `a truncated picture is rejected at every length`(_ kind: Picture.Kind) throws {
    let file = try Picture(cleaning: try #require(SamplePictures.all[kind])).bytes
    for count in 0..<file.count {
      #expect(throws: Refusal.self, "\(count) of \(file.count)") { try Picture(cleaning: Array(file.prefix(count))) }
    }
  }

  @Test func `other file types are rejected even if they contain a picture`() throws {
    let others: [[UInt8]] = [
      [], Array("<html><script>alert(1)</script></html>".utf8), Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
      Array("%PDF-1.7".utf8) + SamplePictures.png(), Array("PK".utf8) + [3, 4] + SamplePictures.jpeg(),
      Array("BM".utf8) + [UInt8](repeating: 0, count: 60), Array("RIFF\0\0\0\0WAVEfmt ".utf8),
      [0, 0, 0, 24] + Array("ftypmp42".utf8), Array("ID3".utf8) + [UInt8](repeating: 0, count: 20),
      Array("GIF88a".utf8) + SamplePictures.gif().dropFirst(6),
    ]
    for file in others {
      let refusal = #expect(throws: Refusal.self) { try Picture(cleaning: file) }
      #expect(refusal?.message.contains("PNG, JPEG, GIF or WebP") == true)
    }
  }

  @Test func `data after the picture is removed`() throws {
    let script = "<script>alert(1)</script>"
    let gif = SamplePictures.gif() + Array(script.utf8)
    let png = SamplePictures.png() + Array("PK\u{3}\u{4}\(script)".utf8)
    for file in [gif, png, SamplePictures.jpeg() + Array(script.utf8), SamplePictures.webp() + Array(script.utf8)] {
      #expect(!String(decoding: try Picture(cleaning: file).bytes, as: UTF8.self).contains("script"))
    }
  }

  @Test(arguments: [Soak.seed])
  func `a corrupt picture is rejected or cleaned and never crashes`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var (cleanedCount, refusedCount) = (0, 0)
    for file in SamplePictures.all.values.sorted(by: { $0.count < $1.count }) {
      for _ in 0..<(Soak.isOn ? 20_000 : 500) {
        var damaged = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let picture = try? Picture(cleaning: damaged) else {
          refusedCount += 1
          continue
        }
        cleanedCount += 1
        #expect(picture.width * picture.height <= Picture.mostPixels)
        #expect(try Picture(cleaning: picture.bytes).bytes == picture.bytes)
      }
    }
    #expect(cleanedCount > 10 && refusedCount > 10, "\(cleanedCount) cleaned, \(refusedCount) refused")
  }

  @Test(arguments: [
    ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=90-", .part(90..<100)), ("bytes=-5", .part(95..<100)),
    ("bytes=-500", .part(0..<100)), ("bytes=50-500", .part(50..<100)), ("bytes=100-", .none), ("bytes=-0", .none),
    ("bytes=5-2", .whole), ("bytes=0-1,5-6", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("lines=1-2", .whole),
    ("bytes=0-99999999999999999999", .part(0..<100)), ("bytes=99999999999999999999-", .none), ("bytes=a-b", .whole),
    ("BYTES=0-0", .part(0..<1)), ("bytes=0-9223372036854775807", .part(0..<100)),
  ])
  func `a range header is parsed as in RFC 9110`(_ value: String, _ range: ByteRange) {
    #expect(ByteRange([.range: value], size: 100, tag: "\"a\"") == range)
    #expect(ByteRange([.range: value, .ifRange: "\"a\""], size: 100, tag: "\"a\"") == range)
    #expect(ByteRange([.range: value, .ifRange: "\"b\""], size: 100, tag: "\"a\"") == .whole)
    #expect(ByteRange([.range: value, .ifRange: "Sat, 21 Nov 2026 00:00:00 GMT"], size: 100, tag: "\"a\"") == .whole)
  }

  @Test func `a full disk is reported and leaves no file behind`() async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let full = MediaFolder("\(directory)/media") { _, _, _ in
        errno = ENOSPC
        return -1
      }
      let name = MediaFolder.newName(.png)
      let error = #expect(throws: ServiceError.self) { try full.add([1, 2, 3], as: name) }
      #expect(error == .diskFull(path: "\(directory)/media/\(name).partial"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: full.path) == [])
      let folder = MediaFolder("\(directory)/media")
      try folder.add([1, 2, 3], as: name)
      #expect(try folder.bytes(of: name) == [1, 2, 3])
      let modes = try [folder.path, folder.path(of: name)].map {
        try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
      }
      #expect(modes == [0o700, 0o600])
    }
  }
}
