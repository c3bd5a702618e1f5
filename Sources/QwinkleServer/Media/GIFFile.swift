/// Removes comments, texts and application data from GIF files. Of the application data, only the loop count is
/// preserved.
enum GIFFile {
  static func cleaned(_ bytes: [UInt8]) throws(Refusal) -> Picture.Cleaned {
    guard bytes.count >= 13 else { throw Picture.broken }
    let (width, height) = (bytes.little(6, 2), bytes.little(8, 2))
    try Picture.check(width, height)
    var walk = Walk(bytes: bytes)
    walk.place += Self.colors(bytes[10])
    guard walk.place <= bytes.count else { throw Picture.broken }
    walk.copied += bytes[..<walk.place]
    while try walk.step() {}
    guard walk.hasImage else { throw Picture.broken }
    return Picture.Cleaned(bytes: walk.copied + [0x3B], width: width, height: height)
  }

  /// Returns the size of a colour table in bytes, given its flags.
  private static func colors(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  /// Parses a file block by block.
  private struct Walk {
    let bytes: [UInt8]
    var place = 13
    var copied: [UInt8] = []
    var hasImage = false
    /// Graphic control extension of the next image.
    private var control: ArraySlice<UInt8> = []

    init(bytes: [UInt8]) {
      self.bytes = bytes
      copied.reserveCapacity(bytes.count)
    }

    /// Processes a block. Returns false at the trailer, because data after the trailer is dropped.
    mutating func step() throws(Refusal) -> Bool {
      guard place < bytes.count else { throw Picture.broken }
      let start = place
      switch bytes[start] {
      case 0x3B: return false
      case 0x2C:
        guard start + 10 <= bytes.count else { throw Picture.broken }
        try Picture.check(bytes.little(start + 5, 2), bytes.little(start + 7, 2))
        place += 10 + GIFFile.colors(bytes[start + 9]) + 1
        try skipBlocks()
        copied += control
        copied += bytes[start..<place]
        control = []
        hasImage = true
      case 0x21:
        guard start + 2 < bytes.count else { throw Picture.broken }
        place += 2
        try skipBlocks()
        let block = bytes[start..<place]
        switch bytes[start + 1] {
        case 0xF9 where block.count == 8: control = block
        case 0xFF where isLoop(block): copied += block
        default: break
        }
      default: throw Picture.broken
      }
      return true
    }

    private func isLoop(_ block: ArraySlice<UInt8>) -> Bool {
      let name = block.dropFirst(3)
      return block.count == 19
        && (name.starts(with: "NETSCAPE2.0".utf8) || name.starts(with: "ANIMEXTS1.0".utf8))
    }

    /// Skips data sub-blocks up to and including the empty one.
    private mutating func skipBlocks() throws(Refusal) {
      while place < bytes.count {
        let length = Int(bytes[place])
        place += 1 + length
        if length == 0 { return }
      }
      throw Picture.broken
    }
  }
}
