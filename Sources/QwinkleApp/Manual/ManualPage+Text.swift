extension ManualPage {
  /// The page as plain text, for machines without `man`: headings in capitals, each term above its meaning.
  var plainText: String {
    var text = ""
    var isEntry = false
    // Whether the last line is the name of a command, which the next line continues.
    var isNamed = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(separator: " ", maxSplits: 1)
      let rest = words.count > 1 ? Self.unescaped(words[1]) : ""
      defer { isNamed = words.first == ".Nm" }
      if isNamed, let macro = words.first, macro.hasPrefix("."), macro != ".Nd" { text += "\n" }
      switch words.first {
      case ".Sh": text += "\n\(rest)\n"
      case ".Ss": text += "\n  \(rest)\n"
      case ".It": text += "\n    \(rest)\n"
      case ".Bl", ".El", ".Ed", ".Bd": isEntry = words.first == ".Bl"
      case ".Nm": text += "    \(rest)"
      case ".Nd": text += " – \(rest)\n"
      case ".Xr":
        text += "    \(rest.replacing(" ,", with: "").replacing(" ", with: "("))) \n".replacing(" \n", with: "\n")
      case ".Pp": text += "\n"
      case ".Dd", ".Dt", ".Os", nil: break
      default:
        guard !isNamed else {
          text += " \(Self.unescaped(line))\n"
          continue
        }
        text += (isEntry ? "        " : "    ") + Self.unescaped(line) + "\n"
      }
    }
    return String(text.drop { $0 == "\n" })
  }

  private static func unescaped(_ text: some StringProtocol) -> String {
    var plain = String(text)
    for (escape, character) in [
      ("\\&", ""), ("\\-", "-"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(aq", "'"), ("\\(dq", "\""),
      ("\\e", "\\"),
    ] { plain = plain.replacing(escape, with: character) }
    return plain
  }
}
