import Foundation

@testable import QwinkleServer

/// Picture files as cameras and programs write them. The metadata contains `canary`. Parameters make some files
/// invalid.
enum SamplePictures {
  static let all: [Picture.Kind: [UInt8]] = [.png: png(), .jpeg: jpeg(), .gif: gif(), .webp: webp()]

  static func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  static func little(_ number: Int, _ count: Int = 4) -> [UInt8] { big(number, count).reversed() }

  // MARK: PNG

  static func png(width: Int = 24, height: Int = 16, orientation: Int? = nil) -> [UInt8] {
    let rows = [[Bool]](repeating: [Bool](repeating: true, count: 24), count: 16)
    var file = PNGWriter.picture(rows, colors: [[0, 0, 0], [255, 0, 0]])
    file.replaceSubrange(16..<24, with: big(width) + big(height))
    file.replaceSubrange(29..<33, with: big(Int(crc(file[12..<29]))))
    let exif = orientation.map { chunk("eXIf", Orientation.tiff($0) + Array("canary".utf8)) } ?? []
    file.insert(contentsOf: chunk("tEXt", Array("Author\0canary".utf8)) + exif + chunk("gAMA", big(45_455)), at: 33)
    return file + Array("canary".utf8)
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(content.count) + body + big(Int(crc(body[...])))
  }

  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var rest: UInt32 = ~0
    for byte in bytes {
      rest ^= UInt32(byte)
      for _ in 0..<8 { rest = rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~rest
  }

  // MARK: JPEG

  static func jpeg(width: Int = 30, height: Int = 20, orientation: Int = 1) -> [UInt8] {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker] + big(content.count + 2, 2) + content
    }
    // Little-endian, as phones write it. Contains the orientation, then the manufacturer.
    let exif =
      Array("Exif\0\0II*\0".utf8) + little(8) + little(2, 2) + little(0x0112, 2) + little(3, 2) + little(1)
      + little(orientation) + little(0x010F, 2) + little(2, 2) + little(7) + little(38) + little(0)
      + Array("canary\0".utf8)
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1, 0x63, 0x61, 0x6E])
    file += segment(0xE1, exif) + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0canary".utf8))
    file += segment(0xE2, Array("ICC_PROFILE\0profile".utf8)) + segment(0xED, Array("Photoshop 3.0\0canary".utf8))
    file += segment(0xFE, Array("canary".utf8)) + segment(0xDB, [UInt8](repeating: 1, count: 65))
    file += segment(0xC2, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    file += segment(0xC4, [UInt8](repeating: 0, count: 17))
    for _ in 0..<2 { file += segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56] }
    return file + [0xFF, 0xD9] + Array("<script>canary</script>".utf8)
  }

  // MARK: GIF

  static func gif(width: Int = 12, height: Int = 9) -> [UInt8] {
    let frame: [UInt8] =
      [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C] + little(0, 2) + little(0, 2) + little(width, 2) + little(height, 2)
      + [0, 2, 2, 0x4C, 0x01, 0]
    let header = Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    let others =
      [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [6] + Array("canary".utf8) + [0, 0x21, 0xFE, 6]
      + Array("canary".utf8) + [0]
    return header + loop + others + frame + frame + [0x3B] + Array("canary".utf8)
  }

  // MARK: WebP

  static func webp(width: Int = 40, height: Int = 10, orientation: Int = 1) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(content.count) + content + (content.count % 2 == 0 ? [] : [0])
    }
    let pixels = [0x2F] + little((width - 1) | (height - 1) << 14) + [1, 2, 3]
    let body =
      chunk("VP8X", [0x2C, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)) + chunk("ICCP", [1, 2, 3])
      + chunk("VP8L", pixels) + chunk("EXIF", Orientation.tiff(orientation) + Array("canary".utf8))
      + chunk("XMP ", Array("canary".utf8)) + chunk("junk", Array("canary".utf8))
    return Array("RIFF".utf8) + little(body.count + 4) + Array("WEBP".utf8) + body + Array("canary".utf8)
  }
}
