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
  let time: TextRun<StyleRole>
  private let audience: TextRun<StyleRole>?
  private let timeColumns: Int

  init(_ data: QwinkCellData) {
    marks = ((data.audience.map { [$0] } ?? []) + data.marks).map { [$0] }
    counts = data.counts
    time = CellLine.padded(data.time)
    audience = data.audience
    timeColumns = data.timeColumns
  }

  /// The counts in columns that are the same for every qwink of a list. Counts end at the right edge of their columns,
  /// next to the time. A longer count or time moves the counts to its left. Symbols precede all columns, or the
  /// time if there are no counts.
  var aligned: Runs {
    var runs = [time]
    // Columns in use, from the right edge.
    var used = CellLine.width(runs)
    var slot = timeColumns
    for kind in QwinkDescription.Count.Kind.listed.reversed() {
      // One column between two counts.
      slot += 1
      if let count = counts.first(where: { $0.kind == kind }) {
        let sign = QwinkSign.run(of: count)
        let end = max(slot, used + 1)
        runs = [sign, TextRun(String(repeating: " ", count: end - used), .dim)] + runs
        used = end + CellLine.width([sign])
      }
      slot += Self.countColumns
    }
    if marks.isEmpty || counts.isEmpty { return joined(marks + [runs]) }
    return joined(marks + [[TextRun(String(repeating: " ", count: max(0, slot - used)), .dim)] + runs])
  }

  /// All parts without columns. They are two spaces apart, as linear form requires.
  var flowing: Runs { joined(parts + [[time]]) }

  /// The parts of ``flowing`` without the time, for a line that has the time in another row.
  var flowingWithoutTime: Runs { joined(parts) }

  private var parts: [Runs] { marks + counts.map { [QwinkSign.run(of: $0)] } }

  /// Returns the longest form that fits into `columns`. The shortest form has only the audience and the time.
  func runs(fitting columns: Int) -> Runs {
    let aligned = aligned
    return CellLine.width(aligned) <= columns ? aligned : flowingRuns(fitting: columns)
  }

  /// Returns all parts without columns if they fit into `columns`, and otherwise the audience and the time.
  func flowingRuns(fitting columns: Int) -> Runs {
    let flowing = flowing
    return CellLine.width(flowing) <= columns ? flowing : essential
  }

  /// The audience, if it is restricted, and the time.
  var essential: Runs { joined((audience.map { [[$0]] } ?? []) + [[time]]) }

  private func joined(_ parts: [Runs]) -> Runs { Array(parts.joined(separator: [Self.gap])) }
}
