// For `_nfd`: decomposing is in the standard library, but not in its stable interface.
@_spi(_Unicode) import Swift

/// What stands in ASCII for what is not.
enum ASCIIForm {
  /// What layouts draw with, one column for one.
  private static let ornaments: [Unicode.Scalar: Unicode.Scalar] = [
    "─": "-", "━": "-", "│": "|", "┃": "|", "┌": "+", "┐": "+", "└": "`", "┘": "'", "├": "|", "┤": "|", "┬": "+",
    "┴": "+", "┼": "+", "╭": "+", "╮": "+", "╰": "`", "╯": "'", "╴": "-", "╵": "|", "╶": "-", "╷": "|", "▌": "|",
    "▐": "|", "█": "#", "▏": "|", "▎": "|", "▍": "|", "▊": "|", "▉": "#", "░": ".", "▒": ":", "▓": "#", "▣": "#",
    "■": "#", "□": "#", "▪": "*", "▫": "*", "●": "*", "○": "o", "◌": "o", "◦": "o", "•": "*", "·": ".", "‥": ":",
    "…": "~", "★": "*", "☆": "*", "✓": "v", "✔": "v", "✗": "x", "✘": "x", "↻": "%", "↩": "<", "←": "<", "→": ">",
    "↑": "^", "↓": "v", "↳": "`", "⇡": "^", "⇣": "v", "›": ">", "‹": "<", "»": ">", "«": "<", "▶": ">", "▸": ">",
    "◀": "<", "▼": "v", "▾": "v", "▲": "^", "⚠": "!", "“": "\"", "”": "\"", "„": "\"", "‘": "'", "’": "'", "‚": ",",
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "×": "x", "÷": "/", "\u{A0}": " ", "\u{FFFD}": "?",
    "◍": "&", "◔": "?", "⚑": "=", "✎": "/",
  ]

  private static let letters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "ħ": "h", "Ħ": "H", "€": "E", "£": "L", "¿": "?", "¡": "!",
  ]

  /// One ASCII character in the place of an ornament; nil for anything else.
  static func ornament(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { ornaments[scalar] }

  /// One character or two for any cluster: an ornament's stand-in, a letter without its marks, or `?`.
  static func text(of cluster: Character) -> String {
    guard let first = cluster.unicodeScalars.first else { return "?" }
    if first.value >= 0x20, first.value < 0x7F { return String(first) }
    if let ornament = ornaments[first] { return String(ornament) }
    if let letters = letters[first] { return letters }
    guard let base = String(cluster)._nfd.first(where: { _ in true }), base.value >= 0x20, base.value < 0x7F else {
      return "?"
    }
    return String(base)
  }
}
