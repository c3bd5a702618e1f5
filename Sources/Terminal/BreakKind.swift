/// The effect of a cluster on line breaks. A small part of UAX #14, sufficient for ordinary text.
enum BreakKind: UInt8 {
  case newline, space
  /// Digits, symbols, and letters of scripts that put spaces between words. There is no break between two such
  /// clusters.
  case word
  /// Quotes that open and close alike, no-break spaces. There is no break on either side, except after a space.
  case glue
  /// Opening brackets, and closing brackets and most other punctuation. There is no break after `opening`, and none
  /// before `closing` except after a space.
  case opening, closing
  /// Ideographs, kana, emoji, letters of scripts without spaces. A break is allowed on both sides, unless the adjacent
  /// cluster prevents it.
  case free
  /// Like ``free``, but allows no break after it.
  case freeOpening
  /// Like ``free``, but allows no break before it.
  case freeClosing

  init(_ cluster: Character) {
    let scalars = cluster.unicodeScalars
    guard let base = scalars.first else {
      self = .word
      return
    }
    if base.isASCII {
      self = scalars.contains("\u{20E3}") ? .free : BreakKind(ascii: UInt8(base.value))
      // A space with a mark is visible.
      if self == .space, scalars.index(after: scalars.startIndex) != scalars.endIndex { self = .word }
    } else {
      self.init(beyondASCII: base)
      if self == .free, (0x1000...0x17FF).contains(base.value) { self = BreakKind(syllable: scalars) }
    }
  }

  init(ascii: UInt8) {
    switch ascii {
    case 0x0A...0x0D: self = .newline
    case 0x09, 0x20: self = .space
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): self = .opening
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "%"):
      self = .closing
    case UInt8(ascii: "\""), UInt8(ascii: "'"): self = .glue
    default: self = .word
    }
  }

  private init(beyondASCII scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x85, 0x2028, 0x2029: self = .newline
    case 0xA0, 0x202F, 0x2007, 0x2060: self = .glue
    case 0x2026, 0x2030: self = .closing
    case 0x0E01...0x0EFF: self = BreakKind(thaiOrLao: scalar.value)
    case 0x0F0B, 0x0F0D: self = .freeClosing  // between Tibetan syllables
    case 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF: self = .free
    case 0x2E80...0x31FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF9F,
      0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
      self = BreakKind(eastAsian: scalar)
    case 0x1F1E6...0x1F1FF: self = .free
    default:
      let properties = scalar.properties
      switch properties.generalCategory {
      case .spaceSeparator: self = .space
      case .openPunctuation, .initialPunctuation: self = .opening
      case .closePunctuation, .finalPunctuation: self = .closing
      default: self = properties.isEmojiPresentation ? .free : .word
      }
    }
  }

  private init(eastAsian scalar: Unicode.Scalar) {
    switch scalar.value {
    // Iteration marks, prolonged sounds, small kana, middle dots, wave dashes.
    case 0x3005, 0x301C, 0x303B, 0x309B...0x309E, 0x30A0, 0x30FB...0x30FE, 0x31F0...0x31FF, 0xFF65, 0xFF70, 0xFF9E,
      0xFF9F, 0xFF67...0xFF6F, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095,
      0x3096, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6:
      self = .freeClosing
    default:
      switch scalar.properties.generalCategory {
      case .spaceSeparator: self = .space
      case .openPunctuation, .initialPunctuation: self = .freeOpening
      case .closePunctuation, .finalPunctuation, .otherPunctuation: self = .freeClosing
      default: self = .free
      }
    }
  }

  /// Creates the kind of a Thai or Lao character. Lines can break inside words, because recognizing words would require
  /// a dictionary. A vowel is never separated from its consonant.
  private init(thaiOrLao value: UInt32) {
    switch value {
    case 0x0E3F, 0x0E50...0x0E59, 0x0ED0...0x0ED9: self = .word
    case 0x0E40...0x0E44, 0x0EC0...0x0EC4: self = .freeOpening
    case 0x0E2F, 0x0E30, 0x0E32, 0x0E33, 0x0E45, 0x0E46, 0x0EAF, 0x0EB0, 0x0EB2, 0x0EB3, 0x0EBD, 0x0EC6:
      self = .freeClosing
    default: self = .free
    }
  }

  /// Creates the kind of a Burmese or Khmer cluster. The line must not break inside a syllable, and a syllable can have
  /// several clusters: spacing vowels, final consonants, and stacked letters.
  private init(syllable scalars: Character.UnicodeScalarView) {
    let isStacked = scalars.contains("\u{1039}")
    if isStacked, scalars.last == "\u{1039}" {
      self = .glue
    } else if isStacked || scalars.contains("\u{103A}") || scalars.first?.properties.generalCategory == .spacingMark {
      self = .freeClosing
    } else {
      self = scalars.last == "\u{17D2}" ? .freeOpening : .free
    }
  }

  /// Whether a line can break between `first` and `second`.
  static func allowsBreak(after first: BreakKind, before second: BreakKind) -> Bool {
    switch (first, second) {
    case (_, .space), (_, .newline): false
    case (.space, _): true
    case (.glue, _), (_, .glue): false
    case (.opening, _), (.freeOpening, _), (_, .closing), (_, .freeClosing): false
    case (.free, _), (.freeClosing, _), (_, .free), (_, .freeOpening): true
    default: false
    }
  }
}
