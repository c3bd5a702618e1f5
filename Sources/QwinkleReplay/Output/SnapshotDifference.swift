/// A property in which two screens differ, such as their size.
struct SnapshotDifference {
  let subject: String
  let expected: String
  let actual: String

  /// Returns one line, or three lines if the difference is wider than `columns`.
  func lines(columns: Int) -> [String] {
    let line = "\(subject): expected \(expected), actual \(actual)"
    return line.count <= columns ? [line] : ["\(subject):", "  expected \(expected)", "  actual   \(actual)"]
  }
}
