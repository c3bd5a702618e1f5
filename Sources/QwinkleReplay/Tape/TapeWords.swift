/// The words that can begin a command.
enum TapeWords {
  /// VHS's, without keys.
  static let vhs = [
    "Type", "Sleep", "Wait", "Set", "Hide", "Show", "Require", "Env", "Source", "Output", "Screenshot", "Copy", "Paste",
    "ScrollUp", "ScrollDown",
  ]

  static let beyond = [
    "Resize", "Mouse", "Signal", "Advance", "Expect", "Refuse", "Snapshot", "Counters", "Net", "Clock", "Seed", "Serve",
  ]

  static let commands = Set(vhs + beyond + TapeKeys.codes.keys + TapeKeys.modifiers.keys)

  /// ` Did you mean Sleep?`, or nothing where no word is near.
  static func hint(for word: String, among words: some Collection<String>) -> String {
    guard let nearest = nearest(to: word, among: words) else { return "" }
    return " Did you mean \(nearest)?"
  }

  /// The word that was most likely meant; nil where all are too far.
  static func nearest(to word: String, among words: some Collection<String>) -> String? {
    guard (2...30).contains(word.count) else { return nil }
    let lower = word.lowercased()
    // By name where two are as near, so that the answer is always the same.
    let sorted = words.sorted()
    if let same = sorted.first(where: { $0.lowercased() == lower }) { return same }
    let most = lower.count < 4 ? 1 : 2
    let near = sorted.map { ($0, distance($0.lowercased(), lower)) }.filter { $0.1 <= most }.min { $0.1 < $1.1 }
    if let near { return near.0 }
    return lower.count < 3 ? nil : sorted.first { $0.lowercased().hasPrefix(lower) }
  }

  /// How many characters have to be put in, taken out, changed or swapped with the next.
  static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one)
    let other = Array(other)
    var before: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        var least = min(current[column], last[column + 1]) + 1
        least = min(least, last[column] + (one[row] == other[column] ? 0 : 1))
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          least = min(least, before[column - 1] + 1)
        }
        current.append(least)
      }
      before = last
      last = current
    }
    return last[other.count]
  }
}
