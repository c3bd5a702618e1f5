import QwinkleModel

/// The words that can begin a command.
enum TapeWords {
  /// VHS's commands, without keys.
  static let vhs = [
    "Type", "Sleep", "Wait", "Set", "Hide", "Show", "Require", "Env", "Source", "Output", "Screenshot", "Copy", "Paste",
    "ScrollUp", "ScrollDown",
  ]

  static let beyond = [
    "Resize", "Mouse", "Signal", "Advance", "Expect", "Refuse", "Snapshot", "Counters", "Net", "Clock", "Seed", "Serve",
    "Kill", "Start", "Write",
  ]

  static let commands = Set(vhs + beyond + TapeKeys.codes.keys + TapeKeys.modifiers.keys)

  /// Returns ` Did you mean Sleep?`, or an empty string if no word is similar.
  static func hint(for word: String, among words: some Collection<String>) -> String {
    guard let nearest = NearestWord.find(word, among: words) else { return "" }
    return " Did you mean \(nearest)?"
  }
}
