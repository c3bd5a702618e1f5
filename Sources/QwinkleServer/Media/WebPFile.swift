/// Removes everything but pixels, colours and orientation from WebP files.
enum WebPFile {
  private static let (metadataFlags, exifFlag): (UInt8, UInt8) = (0x08 | 0x04, 0x08)

  static func cleaned(_ bytes: [UInt8]) throws(Refusal) -> Picture.Cleaned {
    guard bytes.count >= 12, bytes.little(4, 4) >= 4, bytes.little(4, 4) + 8 <= bytes.count else {
      throw Picture.broken
    }
    let chunks = try chunks(in: bytes, 12..<bytes.little(4, 4) + 8)
    guard let first = chunks.first, let size = try size(first, bytes) else { throw Picture.broken }
    var orientation = 1
    var hasPixels = false
    var body: [UInt8] = []
    body.reserveCapacity(bytes.count)
    for (number, chunk) in chunks.enumerated() {
      switch chunk.name {
      case "VP8X": if number > 0 { throw Picture.broken }
      case "VP8 ", "VP8L":
        guard try self.size(chunk, bytes) != nil else { throw Picture.broken }
        hasPixels = true
      case "ANMF":
        body += self.chunk("ANMF", try frame(chunk.content, bytes))
        hasPixels = true
        continue
      case "ALPH", "ANIM", "ICCP": break
      case "EXIF":
        if first.name == "VP8X" { orientation = Orientation.read(bytes[chunk.content]) }
        continue
      default: continue
      }
      body += self.chunk(chunk.name, bytes[chunk.content])
    }
    guard hasPixels else { throw Picture.broken }
    if first.name == "VP8X" {
      // The flags follow the chunk's name and length.
      body[8] = body[8] & ~metadataFlags | (orientation == 1 ? 0 : exifFlag)
      if orientation != 1 { body += self.chunk("EXIF", Orientation.tiff(orientation)[...]) }
    }
    let file = Array("RIFF".utf8) + little(body.count + 4) + Array("WEBP".utf8) + body
    return Picture.Cleaned(bytes: file, width: size.width, height: size.height, orientation: orientation)
  }

  private struct Chunk {
    var name: String
    var content: Range<Int>
  }

  private static func chunks(in bytes: [UInt8], _ range: Range<Int>) throws(Refusal) -> [Chunk] {
    var chunks: [Chunk] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard place + 8 <= range.upperBound else { throw Picture.broken }
      let content = place + 8..<place + 8 + bytes.little(place + 4, 4)
      guard content.upperBound <= range.upperBound else { throw Picture.broken }
      chunks.append(Chunk(name: String(decoding: bytes[place..<place + 4], as: UTF8.self), content: content))
      place = content.upperBound + content.count % 2
    }
    return chunks
  }

  /// Returns the picture size that a chunk declares, or nil if the chunk declares no size. Throws if the size is not
  /// allowed.
  private static func size(_ chunk: Chunk, _ bytes: [UInt8]) throws(Refusal) -> (width: Int, height: Int)? {
    let start = chunk.content.lowerBound
    let size: (width: Int, height: Int)
    switch chunk.name {
    case "VP8X" where chunk.content.count == 10: size = (bytes.little(start + 4, 3) + 1, bytes.little(start + 7, 3) + 1)
    case "VP8 " where chunk.content.count >= 10 && bytes[start + 3..<start + 6].elementsEqual([0x9D, 0x01, 0x2A]):
      size = (bytes.little(start + 6, 2) & 0x3FFF, bytes.little(start + 8, 2) & 0x3FFF)
    case "VP8L" where chunk.content.count >= 5 && bytes[start] == 0x2F:
      let bits = bytes.little(start + 1, 4)
      size = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    default: return nil
    }
    try Picture.check(size.width, size.height)
    return size
  }

  /// Returns an animation frame with only its pixel chunks.
  private static func frame(_ range: Range<Int>, _ bytes: [UInt8]) throws(Refusal) -> ArraySlice<UInt8> {
    guard range.count >= 24 else { throw Picture.broken }
    let start = range.lowerBound
    try Picture.check(bytes.little(start + 6, 3) + 1, bytes.little(start + 9, 3) + 1)
    var frame = bytes[start..<start + 16]
    for chunk in try chunks(in: bytes, start + 16..<range.upperBound) {
      if chunk.name == "VP8 " || chunk.name == "VP8L" {
        guard try size(chunk, bytes) != nil else { throw Picture.broken }
      } else if chunk.name != "ALPH" {
        continue
      }
      frame += self.chunk(chunk.name, bytes[chunk.content])
    }
    guard frame.count > 16 else { throw Picture.broken }
    return frame
  }

  private static func chunk(_ name: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
    Array(name.utf8) + little(content.count) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func little(_ number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
