/// Quotes arguments of command lines that users copy into a shell.
enum ShellWord {
  /// Returns `text` in quotes, as one word.
  static func quoted(_ text: String) -> String {
    guard text.contains(where: { "\"\\$`!".contains($0) }) else { return "\"\(text)\"" }
    return "'\(text.replacing("'", with: #"'\''"#))'"
  }

  /// Returns `text` as one word, in quotes only if necessary.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0)) }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }
}
