/// Writes small two-colour pictures as uncompressed PNG (RFC 2083).
enum PNGWriter {
  /// Returns a PNG with the pixels in `rows`, which must all have the same length. The pixel data must be less than 64
  /// KB. `colors` contains the colour for false, then the colour for true.
  static func picture(_ rows: [[Bool]], colors: [[UInt8]]) -> [UInt8] {
    var pixels: [UInt8] = []
    for row in rows {
      pixels.append(0)
      for start in stride(from: 0, to: row.count, by: 8) {
        pixels.append(
          row[start..<min(start + 8, row.count)].enumerated().reduce(0) { byte, bit in
            byte | (bit.element ? 0x80 >> UInt8(bit.offset) : 0)
          })
      }
    }
    let size = PNGFile.big(UInt32(rows.first?.count ?? 0)) + PNGFile.big(UInt32(rows.count))
    return PNGFile.signature + PNGFile.chunk("IHDR", size + [1, 3, 0, 0, 0])
      + PNGFile.chunk("PLTE", Array(colors.joined())) + PNGFile.chunk("IDAT", stored(pixels))
      + PNGFile.chunk("IEND", [])
  }

  /// A zlib stream (RFC 1950) with one uncompressed block.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: bytes.count)
    func little(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01, 0x01] + little(length) + little(~length) + bytes + PNGFile.big(high << 16 | low)
  }
}
