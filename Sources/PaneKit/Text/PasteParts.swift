/// Splits a long paste into parts. Each part is inserted in its own turn of the main queue.
enum PasteParts {
  /// Length of a part, in UTF-8 bytes. A part continues beyond this length up to the first position where a cut is
  /// allowed.
  static let bytes = 16 * 1024

  /// Returns `text` in parts that can be cleaned independently: no cut is next to a space or line break, or before a
  /// combining mark.
  static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = text[...]
    while rest.utf8.count > bytes, let end = end(of: rest) {
      parts.append(rest[..<end])
      rest = rest[end...]
    }
    return parts + [rest]
  }

  private static func end(of text: Substring) -> Substring.Index? {
    let scalars = text.unicodeScalars
    var index = text.utf8.index(text.startIndex, offsetBy: bytes)
    // The offset may be inside a character.
    while index < text.endIndex, text.utf8[index] & 0xC0 == 0x80 { index = text.utf8.index(after: index) }
    while index < scalars.endIndex {
      if scalars[index].beginsAnew, scalars[scalars.index(before: index)].mayEnd { return index }
      index = scalars.index(after: index)
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether a part can start with this scalar: it isn't a combining mark, and ``mayEnd`` is true.
  fileprivate var beginsAnew: Bool {
    switch isASCII ? .otherSymbol : properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: false
    default: mayEnd
    }
  }

  /// Whether a part can end with this scalar: it isn't a space and doesn't join with the next scalar.
  fileprivate var mayEnd: Bool {
    if isASCII { return value > 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
