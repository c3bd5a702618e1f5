/// Copies a text's harmless scalars, replaces line breaks and tabs with newlines or spaces, and drops all other
/// scalars.
struct Cleaner {
  /// Maximum number of marks on a base. Further marks are dropped: no script needs them, and terminals can't handle
  /// thousands.
  static let mostMarks = 8

  let keepsNewlines: Bool

  func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var pendingSpace = false
    var pendingJoiner: Unicode.Scalar?
    var afterCarriageReturn = false
    var marks = 0

    for scalar in text.unicodeScalars {
      let wasCarriageReturn = afterCarriageReturn
      afterCarriageReturn = scalar == "\r"
      switch Kind(scalar) {
      case .lineBreak:
        if wasCarriageReturn && scalar == "\n" { continue }
        pendingJoiner = nil
        marks = 0
        if keepsNewlines { result.append("\n") } else { pendingSpace = !result.isEmpty }
      case .tab:
        pendingJoiner = nil
        marks = 0
        if keepsNewlines { result.append(" ") } else { pendingSpace = !result.isEmpty }
      case .forbidden:
        continue
      case .joiner:
        // A joiner is copied only between two characters that it can join.
        if !pendingSpace, let last = result.last, Self.canJoin(last) { pendingJoiner = scalar }
      case .mark:
        // Without a base, the mark would combine with the character before the text.
        if !pendingSpace, Self.needsBase(scalar), result.last.map({ $0 == "\n" }) ?? true { continue }
        marks += 1
        if marks > Self.mostMarks { continue }
        flush(&pendingSpace, &pendingJoiner, into: &result, before: scalar)
        result.append(scalar)
      case .ordinary:
        marks = 0
        flush(&pendingSpace, &pendingJoiner, into: &result, before: scalar)
        result.append(scalar)
      }
    }
    return String(result)
  }

  private func flush(
    _ pendingSpace: inout Bool, _ pendingJoiner: inout Unicode.Scalar?, into result: inout String.UnicodeScalarView,
    before next: Unicode.Scalar
  ) {
    if pendingSpace && next != " " && result.last != " " { result.append(" ") }
    pendingSpace = false
    if let joiner = pendingJoiner, Self.canJoin(next) { result.append(joiner) }
    pendingJoiner = nil
  }

  /// Whether a joiner has an effect next to `scalar`: next to letters and marks of scripts that join or stack, and next
  /// to emoji. Elsewhere, for example between Latin letters, a joiner is invisible, so different words could look the
  /// same.
  static func canJoin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0000...0x00A8: false
    case 0x0600...0x08FF, 0x0900...0x109F, 0x1700...0x18AF, 0x1900...0x1CFF, 0xA800...0xABFF, 0xFB50...0xFDFF,
      0xFE70...0xFEFE, 0x10A00...0x11FFF, 0x1E900...0x1E95F:
      !scalar.properties.isWhitespace
    case 0xFE0F: true
    default: scalar.properties.isEmoji
    }
  }

  private static func needsBase(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .spacingMark
  }
}

extension Cleaner {
  enum Kind {
    case ordinary, mark, joiner, lineBreak, tab, forbidden

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: self = .lineBreak
      case 0x09: self = .tab
      case 0x20...0x7E: self = .ordinary
      case 0x00...0x1F, 0x7F...0x9F: self = .forbidden
      case 0xA0...0x2FF: self = scalar.value == 0xAD ? .forbidden : .ordinary  // soft hyphen
      case 0x200C, 0x200D: self = .joiner
      case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: self = .forbidden
      case 0xE0000...0xE0FFF: self = Self.isVariationSelector(scalar) ? .mark : .forbidden
      case 0xE000...0xF8FF: self = .ordinary
      // Private use in planes 15 and 16. The program uses some of these characters in its own output to the terminal,
      // so text must not contain them.
      case 0xF0000...0x10FFFF: self = .forbidden
      default:
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: self = .mark
        case .control, .format, .surrogate: self = Self.isVisibleFormat(scalar) ? .ordinary : .forbidden
        default: self = .ordinary
        }
      }
    }

    private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
      (0xE0100...0xE01EF).contains(scalar.value)
    }

    /// Whether a format character is drawn. Some Arabic, Syriac and Kaithi characters are.
    private static func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: true
      default: false
      }
    }
  }
}
