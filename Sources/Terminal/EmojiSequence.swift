/// Emoji clusters that terminals draw in two columns if they support sequences (UTS #51).
enum EmojiSequence {
  /// Length of the longest sequence: a couple with two skin tones.
  private static let maximumScalars = 10

  /// Whether a cluster is a flag, a keycap, an emoji with a skin tone or U+FE0F, or several joined emoji.
  static func isOne(_ scalars: Character.UnicodeScalarView) -> Bool {
    let scalars = Array(scalars.prefix(maximumScalars + 1))
    guard scalars.count > 1, scalars.count <= maximumScalars else { return false }
    if scalars[0].isASCII { return scalars.count == 3 && scalars[1] == "\u{FE0F}" && scalars[2] == "\u{20E3}" }
    if isRegionalIndicator(scalars[0]) { return scalars.count == 2 && isRegionalIndicator(scalars[1]) }
    return scalars.split(separator: "\u{200D}", omittingEmptySubsequences: false).allSatisfy(isElement)
  }

  /// Whether a scalar is half of a flag.
  static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

  /// Whether the scalars are an emoji, optionally with a skin tone or U+FE0F.
  private static func isElement(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let base = scalars.first, !base.isASCII, base.properties.isEmoji, !isRegionalIndicator(base) else {
      return false
    }
    switch scalars.dropFirst().first {
    case nil: return true
    case "\u{FE0F}": return scalars.count == 2
    case let scalar?:
      return scalars.count == 2 && scalar.properties.isEmojiModifier && base.properties.isEmojiModifierBase
    }
  }
}
