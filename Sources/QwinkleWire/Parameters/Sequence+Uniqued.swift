extension Sequence where Element: Hashable {
  /// Returns the elements without repeats, in the order of their first occurrences.
  public func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
