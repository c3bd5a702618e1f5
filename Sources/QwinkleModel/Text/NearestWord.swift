/// What somebody meant who mistyped a word.
public enum NearestWord {
  /// The one of `words` that `word` was most likely meant to be, whatever its case: the same, one that begins with it,
  /// or one that is at most two slips away (one for words of up to three letters). Nil if there is none.
  public static func find(_ word: String, among words: some Collection<String>) -> String? {
    guard (2...30).contains(word.count) else { return nil }
    let word = word.lowercased()
    // By name where two are as near, so that the answer is always the same.
    let sorted = words.sorted().map { (word: $0, lower: $0.lowercased()) }
    if let same = sorted.first(where: { $0.lower == word }) { return same.word }
    if let longer = sorted.first(where: { $0.lower.hasPrefix(word) }) { return longer.word }
    let most = word.count < 4 ? 1 : 2
    return sorted.map { (word: $0.word, slips: slips(from: $0.lower, to: word)) }
      .filter { $0.slips <= most }.min { $0.slips < $1.slips }?.word
  }

  /// How many characters have to be added, left out, changed or swapped with the next (the optimal string alignment
  /// distance).
  private static func slips(from one: String, to other: String) -> Int {
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
