/// Removes everything but pixels, colours and orientation from PNG and APNG files.
enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static let allowedChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP", "mDCV", "cLLI", "acTL", "fcTL",
    "fdAT",
  ]

  static func cleaned(_ bytes: [UInt8]) throws(Refusal) -> Picture.Cleaned {
    guard bytes.count >= 33, bytes.big32(8) == 13, bytes[12..<16].elementsEqual("IHDR".utf8) else {
      throw Picture.broken
    }
    var cleaned = Picture.Cleaned(bytes: signature, width: bytes.big32(16), height: bytes.big32(20))
    try Picture.check(cleaned.width, cleaned.height)
    cleaned.bytes.reserveCapacity(bytes.count)
    var place = signature.count
    var hasPixels = false
    while place + 12 <= bytes.count {
      let length = bytes.big32(place)
      guard length <= bytes.count - place - 12 else { throw Picture.broken }
      let end = place + 12 + length
      let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      guard crc(bytes[place + 4..<end - 4]) == UInt32(bytes.big32(end - 4)) else { throw Picture.broken }
      switch name {
      case "IEND":
        guard hasPixels else { throw Picture.broken }
        if cleaned.orientation != 1 { cleaned.bytes += chunk("eXIf", Orientation.tiff(cleaned.orientation)) }
        cleaned.bytes += chunk("IEND", [])
        return cleaned
      case "eXIf": cleaned.orientation = Orientation.read(bytes[place + 8..<end - 4])
      case "IHDR" where place != signature.count: throw Picture.broken
      case _ where allowedChunks.contains(name):
        hasPixels = hasPixels || name == "IDAT"
        cleaned.bytes += bytes[place..<end]
      // A picture with an unknown critical chunk can't be decoded. Other unknown chunks are dropped.
      default: if bytes[place + 4] & 0x20 == 0 { throw Picture.broken }
      }
      place = end
    }
    throw Picture.broken
  }

  static func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(UInt32(content.count)) + body + big(crc(body[...]))
  }

  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
  }

  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.withUnsafeBufferPointer { bytes in
      table.withUnsafeBufferPointer { table in
        var rest: UInt32 = ~0
        for byte in bytes { rest = rest >> 8 ^ table[Int((rest ^ UInt32(byte)) & 0xFF)] }
        return rest
      }
    }
  }
}
