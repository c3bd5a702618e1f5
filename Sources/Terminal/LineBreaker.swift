/// Where lines end, in time linear in the text's length.
struct LineBreaker {
  enum Purpose {
    /// Spaces at a line's end and the newline itself belong to no line, and spaces never make a line too long.
    case reading
    /// Each cluster belongs to a line, so that a cursor can stand before it, and the last column is left to a cursor
    /// that stands behind a line.
    case editing
  }

  /// At least 1.
  let columns: Int
  let purpose: Purpose

  /// The lines of `measures` as ranges of its indices; at least one.
  func lines(of measures: [ClusterMeasure]) -> [Range<Int>] {
    lines(of: measures, from: 0) { _ in false }.lines
  }

  /// The lines from an index on at which one begins, up to one that begins where `isKnown`; what begins there depends
  /// on nothing before it. `end` is that place; nil where the lines are all there are.
  func lines(
    of measures: [ClusterMeasure], from first: Int, until isKnown: (Int) -> Bool
  ) -> (lines: [Range<Int>], end: Int?) {
    var lines: [Range<Int>] = []
    var start = first
    var width = 0
    var opportunity: Int?
    var index = first

    while index < measures.count {
      let measure = measures[index]
      if purpose == .reading, measure.kind == .newline {
        lines.append(visiblePart(of: start..<index, in: measures))
        index += 1
        (start, width, opportunity) = (index, 0, nil)
        continue
      }
      if index > start, BreakKind.allowsBreak(after: measures[index - 1].kind, before: measure.kind) {
        opportunity = index
      }
      let measureColumns = min(columns, measure.columns)
      if index > start, width + measureColumns > limit(for: measure.kind) {
        let end = measure.kind == .space || measure.kind == .newline ? index : opportunity ?? index
        let line = visiblePart(of: start..<end, in: measures)
        // Empty where an indent left no room for the first word: then the indent is dropped.
        if !line.isEmpty { lines.append(line) }
        if isKnown(end) { return (lines, end) }
        (start, opportunity) = (end, nil)
        width = measures[end..<index].reduce(0) { $0 + min(columns, $1.columns) }
        continue
      }
      width += measureColumns
      index += 1
      if measure.kind == .newline {
        lines.append(start..<index)
        if isKnown(index) { return (lines, index) }
        (start, width, opportunity) = (index, 0, nil)
      }
    }

    lines.append(visiblePart(of: start..<measures.count, in: measures))
    if purpose == .editing, start < measures.count, width >= columns {
      lines.append(measures.count..<measures.count)
    }
    return (lines, nil)
  }

  private func limit(for kind: BreakKind) -> Int {
    switch purpose {
    case .reading: kind == .space ? .max : columns
    case .editing: kind == .space || kind == .newline ? columns : max(1, columns - 1)
    }
  }

  private func visiblePart(of range: Range<Int>, in measures: [ClusterMeasure]) -> Range<Int> {
    guard purpose == .reading else { return range }
    var end = range.upperBound
    while end > range.lowerBound, measures[end - 1].kind == .space { end -= 1 }
    return range.lowerBound..<end
  }
}
