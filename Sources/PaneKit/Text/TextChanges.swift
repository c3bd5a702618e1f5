/// The changed ranges of a text, so that only the affected rows are wrapped again. Ignored when comparing texts.
struct TextChanges: Hashable, Sendable {
  /// Numbers of unchanged clusters at the start and at the end.
  struct Unchanged: Hashable, Sendable {
    var beginning: Int
    var end: Int
  }

  private static let most = 64

  /// Number of changes.
  private(set) var revision = 0
  private var latest: [Unchanged] = []

  /// Records that the clusters in `range` are new. `count` is the number of clusters after the change.
  mutating func note(_ range: Range<Int>, count: Int) {
    revision += 1
    if latest.count == Self.most { latest.removeFirst() }
    latest.append(Unchanged(beginning: range.lowerBound, end: count - range.upperBound))
  }

  /// Records that the whole text may have changed.
  mutating func noteAll() {
    revision += 1
    latest = []
  }

  /// Returns how many clusters at both ends are unchanged since `revision`. Returns nil if there was no change, or if
  /// some of the changes since then are no longer recorded.
  func unchanged(since revision: Int) -> Unchanged? {
    let count = self.revision - revision
    guard count > 0, count <= latest.count else { return nil }
    return latest.suffix(count).reduce(Unchanged(beginning: .max, end: .max)) {
      Unchanged(beginning: min($0.beginning, $1.beginning), end: min($0.end, $1.end))
    }
  }

  static func == (first: TextChanges, second: TextChanges) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
