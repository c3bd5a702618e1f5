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
    let size = big(UInt32(rows.first?.count ?? 0)) + big(UInt32(rows.count))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", size + [1, 3, 0, 0, 0]) + chunk("PLTE", Array(colors.joined()))
      + chunk("IDAT", stored(pixels)) + chunk("IEND", [])
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
    return [0x78, 0x01, 0x01] + little(length) + little(~length) + bytes + big(high << 16 | low)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var remainder: UInt32 = ~0
    for byte in body {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return big(UInt32(content.count)) + body + big(~remainder)
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
