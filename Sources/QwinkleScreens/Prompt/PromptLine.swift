import SafeText

/// A parsed line of the prompt.
struct PromptLine: Hashable, Sendable {
  /// The command's name, without the `:` that some people type by habit.
  let name: String
  let argument: String
  /// Whether anything, even a space, follows the name.
  let isNameFinished: Bool

  init(_ line: String) {
    let line = line.drop { $0.isWhitespace || $0 == ":" }
    let name = line.prefix { !$0.isWhitespace }
    let rest = line[name.endIndex...]
    self.name = String(name)
    isNameFinished = !rest.isEmpty
    argument = rest.trimmed()
  }
}
