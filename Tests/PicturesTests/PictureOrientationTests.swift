import Terminal
import TerminalTesting
import Testing

@testable import Pictures

/// Pictures from cameras that were not held upright.
@Suite(.bounded) struct PictureOrientationTests {
  private static func tiff(_ value: UInt8, isBig: Bool) -> [UInt8] {
    isBig
      ? Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
      : Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
  }

  /// Returns the JPEG sample with EXIF data after its first marker.
  private static func jpeg(_ value: UInt8, isBig: Bool = true) throws -> [UInt8] {
    let exif = Array("Exif\0\0".utf8) + tiff(value, isBig: isBig)
    let length = exif.count + 2
    var bytes = try SamplePictures.bytes(.jpeg)
    bytes.insert(contentsOf: [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + exif, at: 2)
    return bytes
  }

  @Test(arguments: 1...8 as ClosedRange<UInt8>)
  func `the EXIF orientation of a JPEG is read in both byte orders`(value: UInt8) throws {
    for isBig in [true, false] {
      #expect(PictureOrientation(of: try Self.jpeg(value, isBig: isBig), .jpeg).value == Int(value))
    }
  }

  @Test func `a missing or invalid orientation means upright`() throws {
    for format in [PictureHeader.Format.png, .jpeg, .webp, .gif, .avif] {
      #expect(PictureOrientation(of: try SamplePictures.bytes(format), format).value == 1)
    }
    #expect(PictureOrientation(of: try Self.jpeg(0), .jpeg).value == 1)
    #expect(PictureOrientation(of: try Self.jpeg(9), .jpeg).value == 1)
    for count in 0..<60 { #expect(PictureOrientation(of: Array(try Self.jpeg(6).prefix(count)), .jpeg).value <= 8) }
  }

  @Test(
    arguments: [
      (1, [0, 1, 2, 3, 4, 5]), (2, [1, 0, 3, 2, 5, 4]), (3, [5, 4, 3, 2, 1, 0]), (4, [4, 5, 2, 3, 0, 1]),
      (5, [0, 2, 4, 1, 3, 5]), (6, [4, 2, 0, 5, 3, 1]), (7, [5, 3, 1, 4, 2, 0]), (8, [1, 3, 5, 0, 2, 4]),
    ] as [(Int, [UInt8])])
  func `pixels are moved to the positions of the orientation`(value: Int, expected: [UInt8]) {
    // Two columns, three rows.
    let pixels = (0..<6).flatMap { [UInt8](repeating: $0, count: 4) }
    let turned = PictureOrientation(value).turned(pixels, width: 2, height: 3)
    #expect(stride(from: 0, to: turned.count, by: 4).map { turned[$0] } == expected)
  }

  @Test func `a picture on its side is turned upright`() async throws {
    let decoder = SamplePictures.decoder()
    let order = PictureOrder(room: Size(rows: 20, columns: 40))
    let lying = try await decoder.picture(from: try SamplePictures.bytes(.jpeg), order)
    let standing = try await decoder.picture(from: try Self.jpeg(6), order)
    #expect(lying.size == Size(rows: 13, columns: 39))
    #expect(standing.size == Size(rows: 20, columns: 27))
    let upside = try await decoder.picture(from: try Self.jpeg(3), order)
    #expect(upside.size == lying.size && upside.cells != lying.cells)
  }
}
