/// A syntax error in TOML.
struct TOMLError: Error {
  /// Byte offset of the error.
  let offset: Int
  /// The end of a sentence that starts with "Not TOML:".
  let reason: String
}

/// Line and column of a byte, both counted from 1. The column counts Unicode scalars.
struct TOMLPosition {
  private(set) var line = 1
  private(set) var column = 1

  init(of offset: Int, in bytes: [UInt8]) {
    // Skip the byte order mark, because editors don't count it as a column.
    let start = TOMLScanner.byteOrderMark(of: bytes)
    for byte in bytes[start..<max(start, min(offset, bytes.count))] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }
}
