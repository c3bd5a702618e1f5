import PaneKit
import QwinkleModel
import Terminal

/// The symbols, counts and time at the right edge of a qwink's first row.
struct QwinkMeta {
  typealias Runs = [TextRun<StyleRole>]

  /// The width of a count's column: a symbol and three digits.
  private static let countColumns = 4
  private static let gap = TextRun<StyleRole>("  ", .dim)

  /// Symbols without a fixed column. The audience is the first, if it is restricted.
  var marks: [Runs]
  var counts: [QwinkDescription.Count]
  /// Nil if the time is in another row.
  var time: TextRun<StyleRole>?
  private let audience: TextRun<StyleRole>?
  private let timeColumns: Int

  init(_ data: QwinkCellData, hasTime: Bool = true) {
    marks = ((data.audience.map { [$0] } ?? []) + data.marks).map { [$0] }
    counts = data.counts
    time = hasTime ? CellLine.padded(data.time) : nil
    audience = data.audience
    timeColumns = data.timeColumns
  }

  /// The counts in columns that are the same for every qwink. A longer count or time moves the counts to its left.
  var aligned: Runs {
    var runs = time.map { [$0] } ?? []
    // Columns in use, from the right edge.
    var used = CellLine.width(runs)
    var slot = time == nil ? -1 : timeColumns
    for kind in QwinkDescription.Count.Kind.allCases.reversed() {
      slot += 1 + Self.countColumns
      guard let count = counts.first(where: { $0.kind == kind }) else { continue }
      let sign = QwinkSign.run(of: count)
      let columns = CellLine.width([sign])
      let start = max(slot, used + (used == 0 ? 0 : 1) + columns)
      runs = [sign, TextRun(String(repeating: " ", count: start - columns - used), .dim)] + runs
      used = start
    }
    return joined(marks + (runs.isEmpty ? [] : [runs]))
  }

  /// All parts without columns. They are two spaces apart, as linear form requires.
  var flowing: Runs {
    joined(marks + counts.map { [QwinkSign.run(of: $0)] } + (time.map { [[$0]] } ?? []))
  }

  /// Returns the longest form that fits into `columns`. The shortest form has only the audience and the time.
  func runs(fitting columns: Int) -> Runs {
    for form in [aligned, flowing] where CellLine.width(form) <= columns { return form }
    return essential
  }

  /// The audience, if it is restricted, and the time.
  var essential: Runs { joined([audience, time].compactMap { $0.map { [$0] } }) }

  private func joined(_ parts: [Runs]) -> Runs { Array(parts.joined(separator: [Self.gap])) }
}
