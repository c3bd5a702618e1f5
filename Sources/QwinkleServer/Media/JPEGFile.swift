/// Removes comments and application segments from JPEG files. Of the application segments, only JFIF, colour
/// information and orientation are preserved.
enum JPEGFile {
  static func cleaned(_ bytes: [UInt8]) throws(Refusal) -> Picture.Cleaned {
    var walk = Walk(bytes: bytes)
    while try walk.step() {}
    guard walk.hasScan, let size = walk.size else { throw Picture.broken }
    var file: [UInt8] = [0xFF, 0xD8] + walk.head
    if walk.orientation != 1 {
      let exif = Orientation.prefix + Orientation.tiff(walk.orientation)
      file += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
    }
    file += walk.rest
    return Picture.Cleaned(
      bytes: file + [0xFF, 0xD9], width: size.width, height: size.height, orientation: walk.orientation)
  }

  /// Parses a file segment by segment.
  private struct Walk {
    let bytes: [UInt8]
    var place = 2
    var size: (width: Int, height: Int)?
    var orientation = 1
    var hasScan = false
    /// The JFIF segment, which has to be first.
    var head: [UInt8] = []
    var rest: [UInt8] = []

    init(bytes: [UInt8]) {
      self.bytes = bytes
      rest.reserveCapacity(bytes.count)
    }

    /// Processes a segment. Returns false at the end of the image, because data after the image is dropped.
    mutating func step() throws(Refusal) -> Bool {
      guard place < bytes.count, bytes[place] == 0xFF else { throw Picture.broken }
      while place < bytes.count, bytes[place] == 0xFF { place += 1 }
      guard place < bytes.count else { throw Picture.broken }
      let marker = bytes[place]
      place += 1
      if marker == 0xD9 { return false }
      if marker == 0x01 { return true }
      guard marker >= 0xC0, !(0xD0...0xD8).contains(marker), place + 2 <= bytes.count else { throw Picture.broken }
      let length = bytes.big16(place)
      guard length >= 2, place + length <= bytes.count else { throw Picture.broken }
      let content = bytes[place + 2..<place + length]
      place += length
      switch marker {
      case 0xC4, 0xCC, 0xDB, 0xDD: keep(marker, content)
      case 0xC0...0xCF: try takeFrame(marker, content)
      case 0xDA:
        guard size != nil else { throw Picture.broken }
        keep(marker, content)
        try takeScan()
      case 0xE0 where content.starts(with: "JFIF\0".utf8) && content.count >= 14 && head.isEmpty:
        // Copy the segment without its thumbnail.
        head = [0xFF, 0xE0, 0, 16] + content.prefix(12) + [0, 0]
      case 0xE1 where content.starts(with: Orientation.prefix): orientation = Orientation.read(content)
      case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8): keep(marker, content)
      case 0xEE where content.starts(with: "Adobe".utf8) && content.count >= 12: keep(marker, content.prefix(12))
      default: break
      }
      return true
    }

    private mutating func keep(_ marker: UInt8, _ content: ArraySlice<UInt8>) {
      let length = content.count + 2
      rest += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
      rest += content
    }

    private mutating func takeFrame(_ marker: UInt8, _ content: ArraySlice<UInt8>) throws(Refusal) {
      guard size == nil, content.count >= 6 else { throw Picture.broken }
      let (height, width) = (bytes.big16(content.startIndex + 1), bytes.big16(content.startIndex + 3))
      try Picture.check(width, height)
      size = (width, height)
      keep(marker, content)
    }

    /// Copies entropy-coded data up to the next segment's marker.
    private mutating func takeScan() throws(Refusal) {
      hasScan = true
      let start = place
      while let next = bytes[place...].firstIndex(of: 0xFF), next + 1 < bytes.count {
        place = next
        switch bytes[next + 1] {
        case 0x00, 0xD0...0xD7: place += 2
        case 0xFF: place += 1
        default:
          rest += bytes[start..<next]
          return
        }
      }
      throw Picture.broken
    }
  }
}
