/// Breaks text into lines in linear time.
struct LineBreaker {
  enum Purpose {
    /// Newlines and spaces at the end of a line belong to no line. Spaces never make a line too long.
    case reading
    /// Each cluster belongs to a line, so that the cursor can be placed before each cluster. The last column is
    /// reserved for a cursor at the end of a line.
    case editing
  }

  /// At least 1.
  let columns: Int
  let purpose: Purpose

  /// Returns the lines of `measures` as ranges of indices. There is at least one line.
  func lines(of measures: [ClusterMeasure]) -> [Range<Int>] {
    lines(of: measures, from: 0) { _ in false }.lines
  }

  /// Returns the lines from `first`, which must be the start of a line, up to a line start for which `isKnown` returns
  /// true. The caller can keep its lines after that line start, because lines don't depend on clusters before their
  /// start. `end` is the line start, or nil at the end of the text.
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
        // If an indent leaves no room for the first word, the line is empty and the indent is dropped.
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
