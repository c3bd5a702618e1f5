/// The configured command that plays video and sound.
struct PlayerCommand: Hashable {
  /// The program and its arguments. `%s` stands for the address; without it, the address is the last argument.
  let words: [String]
  /// Whether the command ends with `&`: the player runs in the background, without the terminal.
  let isDetached: Bool

  /// Returns nil if `text` names no program.
  init?(_ text: String) {
    var words = text.split(separator: " ").map(String.init)
    isDetached = words.last?.hasSuffix("&") ?? false
    if isDetached, let last = words.popLast(), last.count > 1 { words.append(String(last.dropLast())) }
    guard !words.isEmpty else { return nil }
    self.words = words
  }

  /// A shell script that replaces the shell by the player. The address is the script's `$1`, and every word is quoted,
  /// so the shell runs nothing else.
  var script: String {
    let all = words.contains { $0.contains("%s") } ? words : words + ["%s"]
    return "exec " + all.map(Self.quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    word.split(separator: "%s", omittingEmptySubsequences: false).map { "'\($0.replacing("'", with: "'\\''"))'" }
      .joined(separator: "\"$1\"")
  }
}
