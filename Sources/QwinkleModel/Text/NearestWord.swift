/// Suggests corrections for mistyped words.
public enum NearestWord {
  /// Returns the most likely of `words`, ignoring case: an equal word, a word that begins with `word`, or a word at
  /// most two typos away. Allows only one typo if `word` has fewer than four letters.
  public static func find(_ word: String, among words: some Collection<String>) -> String? {
    guard (2...30).contains(word.count) else { return nil }
    let word = word.lowercased()
    // Sorted so that ties are resolved deterministically.
    let sorted = words.sorted().map { (word: $0, lower: $0.lowercased()) }
    if let same = sorted.first(where: { $0.lower == word }) { return same.word }
    if let longer = sorted.first(where: { $0.lower.hasPrefix(word) }) { return longer.word }
    let most = word.count < 4 ? 1 : 2
    let near = sorted.filter { abs($0.lower.count - word.count) <= most }
    return near.map { (word: $0.word, slips: slips(from: $0.lower, to: word)) }
      .filter { $0.slips <= most }.min { $0.slips < $1.slips }?.word
  }

  /// Returns the number of edits that turn one text into the other. Each edit adds, drops or replaces a character, or
  /// swaps two adjacent ones (optimal string alignment distance).
  public static func slips(from one: String, to other: String) -> Int {
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
