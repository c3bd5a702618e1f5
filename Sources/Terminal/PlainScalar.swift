/// Scalars that are drawn unchanged. Between other plain scalars, each is a separate cluster, so text that consists of
/// them needs no segmentation, which would take most of the time of drawing it.
enum PlainScalar {
  /// Returns the number of columns of a plain scalar, or nil for other scalars.
  static func columns(of scalar: UInt32, in characters: TextForm.Characters) -> Int? {
    if scalar < 0x7F { return scalar >= 0x20 ? 1 : nil }
    switch scalar {
    // Latin and Cyrillic, without combining marks; dashes, quotation marks and the ellipsis; lines, blocks.
    case 0xC0...0x24F, 0x400...0x482, 0x48A...0x4FF, 0x2010...0x2015, 0x2018...0x2026, 0x2500...0x259F:
      return characters == .unicode ? 1 : nil
    // Hiragana, katakana, Chinese characters of Unicode 10, and Korean syllables.
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FEA, 0xAC00...0xD7A3:
      return characters == .ascii ? nil : 2
    default: return nil
    }
  }

  /// Returns the number of columns of `text` if it consists of plain scalars, otherwise nil.
  static func columns(of text: some StringProtocol, form: TextForm) -> Int? {
    let columns = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      var columns = 0
      let length = forEach(in: bytes, form: form) { _, count in
        columns += count
        return true
      }
      return length == bytes.count ? columns : nil
    }
    return columns ?? nil
  }

  /// Calls `body` with each plain scalar and its columns at the start of UTF-8 text, until `body` returns false.
  /// Returns the number of bytes of the scalars for which `body` returned true. A scalar before one that isn't plain is
  /// left out, because a mark may follow.
  static func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, form: TextForm, _ body: (_ scalar: UInt32, _ columns: Int) -> Bool
  ) -> Int {
    let characters = form.characters
    var done = 0
    var pending: (scalar: UInt32, columns: Int)?
    var index = 0
    while true {
      var next: (scalar: UInt32, columns: Int)?
      var end = index
      if index < bytes.count {
        let decoded = decode(bytes, at: index)
        guard let columns = columns(of: decoded.scalar, in: characters) else { return done }
        next = (decoded.scalar, columns)
        end = index + decoded.length
      }
      if let pending {
        guard body(pending.scalar, pending.columns) else { return done }
        done = index
      }
      guard let next else { return done }
      pending = next
      index = end
    }
  }

  /// Decodes one scalar of valid UTF-8.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
    let first = UInt32(bytes[index])
    if first < 0x80 { return (first, 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard index + length <= bytes.count else { return (0, 1) }
    var scalar = first & (0x7F >> UInt32(length))
    for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return (scalar, length)
  }
}
