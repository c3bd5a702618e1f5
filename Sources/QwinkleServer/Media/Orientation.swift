/// Reads and writes the EXIF orientation of a picture, the only EXIF value that is preserved.
enum Orientation {
  private static let tag = 0x0112

  /// Returns the orientation in EXIF data, 1 to 8, or 1 if it is missing or malformed.
  static func read(_ exif: some Sequence<UInt8>) -> Int {
    var tiff = Array(exif)
    if tiff.starts(with: prefix) { tiff.removeFirst(prefix.count) }
    guard tiff.count >= 8 else { return 1 }
    let isBig = tiff.starts(with: "MM".utf8)
    guard isBig || tiff.starts(with: "II".utf8) else { return 1 }
    func number(_ place: Int, _ count: Int) -> Int {
      guard !isBig else { return count == 2 ? tiff.big16(place) : tiff.big32(place) }
      return tiff.little(place, count)
    }
    let start = number(4, 4)
    guard number(2, 2) == 42, start >= 8, start + 2 <= tiff.count else { return 1 }
    for entry in 0..<number(start, 2) {
      let place = start + 2 + 12 * entry
      guard place + 12 <= tiff.count else { return 1 }
      guard number(place, 2) == tag, number(place + 2, 2) == 3 else { continue }
      let value = number(place + 8, 2)
      return (1...8).contains(value) ? value : 1
    }
    return 1
  }

  /// Bytes that precede the TIFF structure in a JPEG's EXIF segment.
  static let prefix = Array("Exif\0\0".utf8)

  /// Returns a TIFF structure that contains only the orientation.
  static func tiff(_ orientation: Int) -> [UInt8] {
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
  }
}
