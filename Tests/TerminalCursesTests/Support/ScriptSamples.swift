import CWidth
import Foundation

/// Ten lines of text per language, in several scripts.
enum ScriptSamples {
  static let languages = ["hindi", "burmese", "tamil", "thai", "khmer", "arabic", "hebrew", "persian"]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/scripts")

  static func lines(in language: String) throws -> [String] {
    try String(contentsOf: folder.appending(path: "\(language).txt"), encoding: .utf8).split(separator: "\n")
      .map(String.init)
  }
}

/// Returns the scalars that a reader can distinguish: letters, marks, digits, symbols and non-joiners, decomposed.
/// Omits blanks, controls, variation selectors, and characters unknown to the C library.
func meaning(of text: String) -> [Unicode.Scalar] {
  text.decomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
    switch scalar.value {
    case 0x200C: true
    case 0x20, 0xA0, 0xFE0E, 0xFE0F, 0x25CC, 0xFFFD: false
    default: ![.control, .format, .unassigned].contains(scalar.properties.generalCategory) && isKnown(scalar)
    }
  }
}

/// Whether the C library knows the scalar's width and the scalar is not a substitute.
private func isKnown(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x100000 && qw_width(scalar.value, 1) >= 0
}

/// Returns ``meaning(of:)`` with emoji reduced to their first scalar: no skin tones, keycaps or joined emoji. Flags
/// become letters.
func reducedMeaning(of text: String) -> [Unicode.Scalar] {
  // A soft hyphen is drawn as a hyphen.
  meaning(of: text.filter(isDrawable).map(reducingEmoji).joined().replacing("\u{AD}", with: "-"))
}

/// Whether the cluster has a base known to the C library, or a mark that can be drawn on a dotted circle.
private func isDrawable(_ cluster: Character) -> Bool {
  guard let first = cluster.unicodeScalars.first, isKnown(first) else { return false }
  return first != "\u{200C}" && !(first.value >= 0xFE00 && first.properties.isVariationSelector)
}

private func reducingEmoji(_ cluster: Character) -> String {
  var scalars = Array(cluster.unicodeScalars)
  guard let first = scalars.first else { return "" }
  if first.properties.isEmoji, !first.isASCII || scalars.contains("\u{20E3}"), !first.isRegionalIndicator {
    if let joined = scalars.dropFirst().firstIndex(where: {
      $0.properties.isEmoji && $0.value > 0xFF && !$0.properties.isEmojiModifier
    }) {
      scalars.removeSubrange(joined...)
    }
    scalars.removeAll { $0 == "\u{20E3}" || $0.properties.isEmojiModifier && $0 != first }
  }
  return String(
    String.UnicodeScalarView(
      scalars.map { $0.isRegionalIndicator ? Unicode.Scalar($0.value - 0x1F1E6 + 0x41) ?? $0 : $0 }))
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
