/// Where a text has changed, so that its rows are not all broken anew at each key. It is no part of what the text is.
struct TextChanges: Hashable, Sendable {
  /// Unchanged clusters at the start and at the end.
  struct Kept: Hashable, Sendable {
    var beginning: Int
    var end: Int
  }

  private static let most = 64

  /// How many changes there have been.
  private(set) var revision = 0
  /// The latest.
  private var latest: [Kept] = []

  /// Notes that, of `count` clusters that there are now, those of `range` are new.
  mutating func note(_ range: Range<Int>, count: Int) {
    revision += 1
    if latest.count == Self.most { latest.removeFirst() }
    latest.append(Kept(beginning: range.lowerBound, end: count - range.upperBound))
  }

  /// Notes that nothing is known of what was before.
  mutating func noteAll() {
    revision += 1
    latest = []
  }

  /// What has stayed since a revision; nil where that is not known.
  func kept(since revision: Int) -> Kept? {
    let count = self.revision - revision
    guard count > 0, count <= latest.count else { return nil }
    return latest.suffix(count).reduce(Kept(beginning: .max, end: .max)) {
      Kept(beginning: min($0.beginning, $1.beginning), end: min($0.end, $1.end))
    }
  }

  static func == (first: TextChanges, second: TextChanges) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
