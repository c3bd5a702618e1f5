import SafeText

/// A line of the prompt, taken apart.
struct PromptLine: Hashable, Sendable {
  /// The command's name, without the `:` that some type out of habit.
  let name: String
  let argument: String
  /// Whether the name is finished: something, if only a space, stands behind it.
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
