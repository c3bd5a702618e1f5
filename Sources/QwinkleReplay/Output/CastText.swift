/// JSON strings.
enum CastText {
  /// Returns `text` in quotes. Quotes, backslashes and control characters are escaped.
  static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    quoted.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted.append("\\")
        quoted.append(scalar)
      case "\n": quoted.append(contentsOf: #"\n"#.unicodeScalars)
      case "\r": quoted.append(contentsOf: #"\r"#.unicodeScalars)
      case "\t": quoted.append(contentsOf: #"\t"#.unicodeScalars)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        quoted.append(contentsOf: (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
      default: quoted.append(scalar)
      }
    }
    quoted.append("\"")
    return String(quoted)
  }
}
