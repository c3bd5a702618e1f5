/// Text with one attribute, such as a style or a role, that is part of at most one link.
public struct TextRun<Attribute: Hashable & Sendable>: Hashable, Sendable {
  public var text: String
  public var attribute: Attribute
  public var link: TextLink?

  public init(_ text: String, _ attribute: Attribute, link: TextLink? = nil) {
    self.text = text
    self.attribute = attribute
    self.link = link
  }

  /// Whether the text of both runs can be in one run.
  fileprivate func continues(_ other: Self) -> Bool { attribute == other.attribute && link == other.link }
}

/// Breaks text into lines.
public enum TextLayout {
  /// Breaks `runs` into lines of at most `columns` columns, and at each `\n`.
  ///
  /// Lines break at spaces, which are dropped at the end of a line. In scripts without spaces, they break between most
  /// clusters, but not before closing or after opening punctuation. Words and URLs longer than a line break anywhere. A
  /// cluster wider than a line is shown as `…`. An empty text results in one empty line. If `columns` is less than 1,
  /// lines have one column.
  public static func wrap<Attribute>(
    _ runs: [TextRun<Attribute>], columns: Int, form: TextForm = .current
  ) -> [[TextRun<Attribute>]] {
    let columns = max(1, columns)
    let runs = merged(runs)
    var measures: [ClusterMeasure] = []
    var places: [Place] = []
    for (index, run) in runs.enumerated() {
      measure(run.text, run: index, columns: columns, form: form, into: &measures, &places)
    }
    return LineBreaker(columns: columns, purpose: .reading).lines(of: measures).map { line in
      assemble(places[line], of: runs)
    }
  }

  /// Returns at most the first `rows` lines. If any lines are left out, the last returned line ends in `…`, and is
  /// shortened to fit into `columns`. Empty lines before the `…` are left out too. If all returned lines are empty,
  /// there is no `…`.
  public static func cut<Attribute>(
    _ lines: [[TextRun<Attribute>]], columns: Int, rows: Int, form: TextForm = .current
  ) -> [[TextRun<Attribute>]] {
    guard rows > 0, lines.count > rows else { return Array(lines.prefix(max(0, rows))) }
    var lines = Array(lines.prefix(rows))
    // Skip empty lines, which have no style for the `…`.
    while lines.count > 1, lines[lines.count - 1].isEmpty { lines.removeLast() }
    guard var last = lines[lines.count - 1].popLast() else { return lines }
    let used = lines[lines.count - 1].reduce(0) { $0 + DisplayWidth.columns(of: $1.text, form: form) }
    last.text = DisplayWidth.truncated(last.text + " …", to: max(1, columns - used), form: form)
    lines[lines.count - 1].append(last)
    return lines
  }

  /// Breaks measured clusters into the rows of an editor, as ranges of indices. Rows break as in ``wrap(_:columns:)``,
  /// with two exceptions:
  /// - No cluster is dropped. Even a newline belongs to the row that it ends.
  /// - The cursor after a row's last cluster stays inside `columns`. If the last row is full, an empty row for the
  ///   cursor follows.
  ///
  /// The first row begins at `first`, which must be the start of a row. The last row ends at the first row start for
  /// which `isKnown` returns true, and `end` is that row start. The caller can reuse the rows of an earlier layout from
  /// there on, if the text after `end` is unchanged. If `isKnown` returns true for no row start, `end` is nil.
  public static func editingRows(
    of measures: [ClusterMeasure], columns: Int, from first: Int, until isKnown: (Int) -> Bool
  ) -> (rows: [Range<Int>], end: Int?) {
    let found = LineBreaker(columns: max(1, columns), purpose: .editing).lines(
      of: measures, from: first, until: isKnown)
    return (found.lines, found.end)
  }
}

extension TextLayout {
  /// The index of a cluster's run, and the range of the cluster's bytes in that run.
  private struct Place {
    let run: Int
    let bytes: Range<Int>
    let isTooWide: Bool
  }

  private static func merged<Attribute>(_ runs: [TextRun<Attribute>]) -> [TextRun<Attribute>] {
    var merged: [TextRun<Attribute>] = []
    for run in runs where !run.text.isEmpty {
      if let last = merged.indices.last, run.continues(merged[last]) {
        merged[last].text += run.text
      } else {
        merged.append(run)
        merged[merged.count - 1].text.makeContiguousUTF8()
      }
    }
    return merged
  }

  private static func measure(
    _ text: String, run: Int, columns: Int, form: TextForm, into measures: inout [ClusterMeasure],
    _ places: inout [Place]
  ) {
    let utf8 = text.utf8
    measures.reserveCapacity(measures.count + utf8.count)
    places.reserveCapacity(places.count + utf8.count)

    // A carriage return may form a cluster with a line feed.
    if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
      for (offset, byte) in utf8.enumerated() {
        measures.append(ClusterMeasure(columns: 1, kind: BreakKind(ascii: byte)))
        places.append(Place(run: run, bytes: offset..<(offset + 1), isTooWide: false))
      }
      return
    }
    var offset = 0
    for cluster in text {
      let end = offset + cluster.utf8.count
      let width = DisplayWidth.columns(ofCluster: cluster, form: form)
      measures.append(ClusterMeasure(columns: width, kind: BreakKind(cluster)))
      places.append(Place(run: run, bytes: offset..<end, isTooWide: width > columns))
      offset = end
    }
  }

  private static func assemble<Attribute>(
    _ places: ArraySlice<Place>, of runs: [TextRun<Attribute>]
  ) -> [TextRun<Attribute>] {
    var line: [TextRun<Attribute>] = []
    var index = places.startIndex
    while index < places.endIndex {
      let first = places[index]
      index += 1
      if first.isTooWide {
        append("…", of: runs[first.run], to: &line)
        continue
      }
      var end = first.bytes.upperBound
      while index < places.endIndex, places[index].run == first.run, !places[index].isTooWide {
        end = places[index].bytes.upperBound
        index += 1
      }
      let utf8 = runs[first.run].text.utf8
      let start = utf8.index(utf8.startIndex, offsetBy: first.bytes.lowerBound)
      let text = runs[first.run].text[start..<utf8.index(start, offsetBy: end - first.bytes.lowerBound)]
      append(String(text), of: runs[first.run], to: &line)
    }
    return line
  }

  private static func append<Attribute>(
    _ text: String, of run: TextRun<Attribute>, to line: inout [TextRun<Attribute>]
  ) {
    if let last = line.indices.last, run.continues(line[last]) {
      line[last].text += text
    } else {
      line.append(TextRun(text, run.attribute, link: run.link))
    }
  }
}
