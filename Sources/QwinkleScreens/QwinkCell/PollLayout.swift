import PaneKit
import QwinkleModel
import Terminal

/// The layout of a poll: a row for each option, with its share as a bar, and a row for the state below. Bars and
/// numbers have the same columns in all rows.
struct PollLayout {
  typealias Runs = [TextRun<StyleRole>]

  private static let gap = 2
  private static let shareColumns = 5
  private static let barWidths = 8...32
  /// If a bar leaves fewer columns for longer titles, there are no bars.
  private static let minimumTitleColumns = 16
  /// The same, if the longest title is truncated even without a bar.
  private static let minimumTruncatedColumns = 12
  /// Blocks that fill an eighth to seven eighths of a column.
  private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  private let data: PollCellData
  private let titleColumns: Int
  private let votesColumns: Int
  /// 0 if there are no bars.
  private let barColumns: Int

  init(_ data: PollCellData, columns: Int) {
    self.data = data
    votesColumns = data.options.compactMap(\.votes).map { Counted.grouped($0).count }.max() ?? 0
    let widest = data.options.indices.map { DisplayWidth.columns(of: data.options[$0].title) }.max() ?? 0
    let room = columns - CellLine.width([Self.sign(of: data, 0)])
    guard votesColumns > 0 else {
      (titleColumns, barColumns) = (max(1, room), 0)
      return
    }
    let beside = room - Self.gap - Self.shareColumns - Self.gap - votesColumns
    let besideBar = beside - Self.gap - Self.barWidths.lowerBound
    let least = widest > beside ? Self.minimumTruncatedColumns : Self.minimumTitleColumns
    let hasBars = besideBar >= min(widest, least)
    titleColumns = max(1, min(widest, hasBars ? besideBar : beside))
    barColumns = hasBars ? min(Self.barWidths.upperBound, beside - Self.gap - titleColumns) : 0
  }

  /// Returns the rows. A title is truncated after `titleRows` rows. The results are in the last row of a title.
  func lines(titleRows: Int) -> [Runs] {
    data.options.indices.flatMap { index in
      let option = data.options[index]
      var rows = CellLine.cut([TextRun(option.title, .text)], columns: titleColumns, rows: titleRows)
      let sign = Self.sign(of: data, index)
      if let share = option.share, let votes = option.votes, let last = rows.popLast() {
        rows.append(last.padded(to: titleColumns) + results(share, votes: votes, isOwn: option.isOwn))
      }
      let indent = TextRun<StyleRole>(String(repeating: " ", count: CellLine.width([sign])), .text)
      return rows.enumerated().map { [$0 == 0 ? sign : indent] + $1 }
    } + [Self.footer(of: data)]
  }

  /// The rows in linear form.
  static func spoken(_ data: PollCellData) -> [Runs] {
    data.options.enumerated().map { index, option in
      var line = [sign(of: data, index), TextRun(option.title, .text)]
      if let share = option.share, let votes = option.votes {
        line.append(TextRun(PollWords.spoken(share, votes: votes), .text))
      }
      return line
    } + [footer(of: data)]
  }

  /// The titles in one row.
  static func summary(of data: PollCellData) -> Runs {
    [
      TextRun("\(QwinkSign.poll.rawValue) poll: ", .dim),
      TextRun(data.options.map(\.title).joined(separator: " · "), .dim),
    ]
  }

  private static func footer(of data: PollCellData) -> Runs {
    [TextRun(data.footer, .dim)] + (data.hasNumbers ? PollWords.vote : [])
  }

  private static func sign(of data: PollCellData, _ index: Int) -> TextRun<StyleRole> {
    let isOwn = data.options.indices.contains(index) && data.options[index].isOwn
    let number = data.hasNumbers ? "\(index + 1) " : ""
    return TextRun("\(isOwn ? PollWords.chosen : PollWords.notChosen) \(number)", isOwn ? .accent : .dim)
  }

  private func results(_ share: Double, votes: Int, isOwn: Bool) -> Runs {
    let gap = String(repeating: " ", count: Self.gap)
    let numbers = [
      Self.right(PollWords.share(share), columns: Self.shareColumns),
      Self.right(Counted.grouped(votes), columns: votesColumns),
    ]
    let bar = barColumns > 0 ? [TextRun(gap, StyleRole.text)] + bar(share, isOwn ? .accent : .dim) : []
    return bar + [TextRun(gap + numbers.joined(separator: gap), .dim)]
  }

  private func bar(_ share: Double, _ role: StyleRole) -> Runs {
    let filled = Int((share * Double(barColumns * 8)).rounded())
    var text = String(repeating: "█", count: filled / 8)
    if filled % 8 > 0 { text.append(Self.eighths[filled % 8 - 1]) }
    let rest = String(repeating: "░", count: barColumns - text.count)
    return [TextRun(text, role), TextRun(rest, .rule)].filter { !$0.text.isEmpty }
  }

  private static func right(_ text: String, columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - text.count)) + text
  }
}
