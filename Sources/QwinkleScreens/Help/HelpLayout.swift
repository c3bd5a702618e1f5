import PaneKit
import Terminal

/// The layout of the help in one to three columns. A part is never split between columns. A pure function of the parts
/// and the width.
struct HelpLayout: Hashable {
  typealias Line = [TextRun<StyleRole>]

  /// The lines, none wider than the available columns.
  private(set) var lines: [Line] = []
  /// The rows of each entry, in the reading order of the parts.
  private(set) var places: [Range<Int>] = []

  private static let maximumCount = 3
  /// A narrower column would wrap most descriptions.
  private static let minimumColumns = 46
  private static let gap = 3

  /// Lays `parts` out in `columns`. The entry with the index `found` is highlighted.
  init(_ parts: [HelpPart], columns: Int, found: Int? = nil) {
    let count = max(1, min(Self.maximumCount, (columns + Self.gap) / (Self.minimumColumns + Self.gap)))
    let width = (columns + Self.gap) / count - Self.gap
    let most = Self.maximumNameColumns(in: width)
    let widths = parts.flatMap(\.entries).map { DisplayWidth.columns(of: $0.name) }
    let nameColumns = widths.filter { $0 <= most }.max() ?? 0
    var first = 0
    let blocks = parts.map { part in
      defer { first += part.entries.count }
      return Block(part, columns: width, nameColumns: nameColumns, found: found.map { $0 - first })
    }
    for (index, column) in Self.shared(blocks, among: count).enumerated() {
      var row = 0
      for block in column {
        if row > 0 { row += 1 }
        places += block.places.map { ($0.lowerBound + row)..<($0.upperBound + row) }
        for line in block.lines {
          write(line, row: row, column: index * (width + Self.gap))
          row += 1
        }
      }
    }
  }

  /// Returns the maximum width of a name next to its meaning. Wider names get a separate line.
  private static func maximumNameColumns(in columns: Int) -> Int { columns < minimumColumns ? 8 : 16 }

  private mutating func write(_ line: Line, row: Int, column: Int) {
    while lines.count <= row { lines.append([]) }
    let missing = column - lines[row].reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
    if missing > 0 { lines[row].append(TextRun(String(repeating: " ", count: missing), .text)) }
    lines[row] += line
  }

  /// Distributes the blocks over at most `count` columns, in order, and minimizes the height of the longest column.
  private static func shared(_ blocks: [Block], among count: Int) -> [[Block]] {
    let total = blocks.reduce(0) { $0 + $1.lines.count + 1 }
    for limit in (total / max(1, count))...max(1, total) {
      var columns: [[Block]] = [[]]
      var used = 0
      for block in blocks {
        if used > 0, used + block.lines.count > limit {
          columns.append([])
          used = 0
        }
        columns[columns.count - 1].append(block)
        used += block.lines.count + 1
      }
      if columns.count <= count, columns.allSatisfy({ height(of: $0) <= limit }) { return columns }
    }
    return [blocks]
  }

  private static func height(of blocks: [Block]) -> Int { blocks.reduce(-1) { $0 + $1.lines.count + 1 } }
}

private struct Block {
  var lines: [HelpLayout.Line]
  var places: [Range<Int>] = []

  init(_ part: HelpPart, columns: Int, nameColumns: Int, found: Int?) {
    lines = [[TextRun(part.title, .strong)]]
    let widths = part.entries.map { DisplayWidth.columns(of: $0.name) }
    let indent = nameColumns + 2
    for (index, entry) in part.entries.enumerated() {
      let role: StyleRole = index == found ? .selectedLine : .text
      func padding(_ columns: Int) -> TextRun<StyleRole> { TextRun(String(repeating: " ", count: columns), role) }
      let name = TextRun(entry.name, index == found ? role : entry.role)
      let meaning = TextLayout.wrap([TextRun(entry.meaning, role)], columns: max(1, columns - indent))
      var rows = meaning.map { [padding(indent)] + $0 }
      if widths[index] + 2 > indent {
        rows.insert([name], at: 0)
      } else if let first = meaning.first {
        rows[0] = [name, padding(indent - widths[index])] + first
      }
      places.append(lines.count..<(lines.count + rows.count))
      lines += rows
    }
  }
}
