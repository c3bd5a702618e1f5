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
    let trimmed = rest.drop(while: \.isWhitespace)
    let end = trimmed.lastIndex { !$0.isWhitespace }
    argument = end.map { String(trimmed[...$0]) } ?? ""
  }

  /// The one of `names` that `name` was most likely meant to be; nil where none is near.
  static func nearest(to name: String, in names: [String]) -> String? {
    let name = name.lowercased()
    if name.count > 1, let begun = names.first(where: { $0.hasPrefix(name) }) { return begun }
    let distances = names.map { (name: $0, distance: distance(name, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.name.count / 3) ? best.name : nil
  }

  /// How many characters have to be put in, taken out, changed or swapped with their neighbour to make one of the other.
  private static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first)
    let second = Array(second)
    var earlier: [Int] = []
    var above = Array(0...second.count)
    for (row, character) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        var cost = min(above[column] + (character == other ? 0 : 1), above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
          cost = min(cost, earlier[column - 1] + 1)
        }
        current.append(cost)
      }
      earlier = above
      above = current
    }
    return above[second.count]
  }
}
