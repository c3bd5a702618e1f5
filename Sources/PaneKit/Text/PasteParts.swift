/// Splits a long paste into parts small enough to insert in one turn each.
enum PasteParts {
  /// A part has so many bytes, or a few more.
  static let bytes = 16 * 1024

  /// The parts of `text`, cut where both sides are clean by themselves: beside no space or line break, and before no
  /// mark.
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
    // It may be within a character.
    while index < text.endIndex, text.utf8[index] & 0xC0 == 0x80 { index = text.utf8.index(after: index) }
    while index < scalars.endIndex {
      if scalars[index].beginsAnew, scalars[scalars.index(before: index)].mayEnd { return index }
      index = scalars.index(after: index)
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether it is no mark either.
  fileprivate var beginsAnew: Bool {
    switch isASCII ? .otherSymbol : properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: false
    default: mayEnd
    }
  }

  /// Whether it is no space, and joins nothing to what follows.
  fileprivate var mayEnd: Bool {
    if isASCII { return value > 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
