// For `_nfd`: decomposition is in the standard library, but not in its stable interface.
@_spi(_Unicode) import Swift

/// ASCII replacements of other characters.
enum ASCIIForm {
  /// Characters that layouts draw with. Their replacements also have one column.
  private static let ornaments: [Unicode.Scalar: Unicode.Scalar] = [
    "─": "-", "━": "-", "│": "|", "┃": "|", "┌": "+", "┐": "+", "└": "`", "┘": "'", "├": "|", "┤": "|", "┬": "+",
    "┴": "+", "┼": "+", "╭": "+", "╮": "+", "╰": "`", "╯": "'", "╴": "-", "╵": "|", "╶": "-", "╷": "|", "▌": "|",
    "▐": "|", "█": "#", "▏": "|", "▎": "|", "▍": "|", "▋": "|", "▊": "|", "▉": "#", "░": ".", "▒": ":", "▓": "#",
    "▣": "#",
    "■": "#", "□": "#", "▪": "*", "▫": "*", "●": "*", "○": "o", "◉": "*", "◌": "o", "◦": "o", "•": "*", "·": ".",
    "‥": ":",
    "…": "~", "★": "*", "☆": "*", "✓": "v", "✔": "v", "✗": "x", "✘": "x", "↻": "%", "↩": "<", "←": "<", "→": ">",
    "↑": "^", "↓": "v", "↳": "`", "⇡": "^", "⇣": "v", "›": ">", "‹": "<", "»": ">", "«": "<", "▶": ">", "▸": ">",
    "◀": "<", "▼": "v", "▾": "v", "▲": "^", "⚠": "!", "“": "\"", "”": "\"", "„": "\"", "‘": "'", "’": "'", "‚": ",",
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "×": "x", "÷": "/", "\u{A0}": " ", "\u{FFFD}": "?",
    "◍": "&", "♪": "!", "◔": "?", "⚑": "=", "✎": "/", "↗": ">", "❝": "\"", "⠋": "|", "⠙": "/", "⠸": "-", "⠴": "\\",
    "⠦": "-",
    "⠇": "/",
  ]

  private static let letters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "ħ": "h", "Ħ": "H", "€": "E", "£": "L", "¿": "?", "¡": "!",
  ]

  /// Returns the ASCII character that replaces an ornament, or nil for any other scalar.
  static func ornament(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { ornaments[scalar] }

  /// Returns one or two ASCII characters for any cluster: the replacement of an ornament or a special letter, a letter
  /// without its marks, or `?`.
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
