import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import Terminal
import Timekeeping

/// Texts of a saved entry's cell, made from the model.
struct SavedEntryCellData: Hashable {
  /// `Reply to @bob`.
  var title: String
  /// The text of the qwink that the entry replies to, or the notice that covers it, on one line. Empty if the entry
  /// isn't a reply or the qwink isn't known.
  var about: String
  /// The visibility; nil if the user hasn't chosen it yet.
  var visibility: Visibility?
  var fileCount = 0
  var time: String
  /// The beginning of the text, on one line.
  var text: [TextRun<StyleRole>]
  /// The entry's special state, if any.
  var note: TextRun<StyleRole>?

  /// `purpose` is nil if it isn't known. `cover` hides the qwink that the entry replies to.
  init(
    _ saved: SavedEntry, purpose: EntryPurpose?, cover: Disclosure.Cover?, me: Qwinker.ID?, now: Date, zone: ClockZone
  ) {
    let entry = saved.entry.entry
    title = OutboxWords.title(of: saved.entry.purpose, purpose, me: me)
    about = Self.about(purpose, under: cover)
    visibility = saved.entry.isAudienceOpen ? nil : entry.visibility
    fileCount = saved.entry.fileCount
    time = RelativeTime.short(saved.changedAt, at: now, in: zone)
    text = Self.text(of: entry)
    note = Self.note(on: saved)
  }

  static func about(_ purpose: EntryPurpose?, under cover: Disclosure.Cover?) -> String {
    guard case .reply(let qwink) = purpose else { return "" }
    let words = cover?.words ?? qwink.text.oneLine
    return words.isEmpty ? "" : OutboxWords.quoted(words)
  }

  static func text(of entry: Entry) -> [TextRun<StyleRole>] {
    let warning: [TextRun<StyleRole>] =
      entry.contentWarning.isEmpty
      ? [] : [TextRun("\(EntryWords.warningLabel)  \(oneLine(entry.contentWarning))  ", .warning)]
    let text = oneLine(entry.text)
    return warning + [text.isEmpty ? TextRun(OutboxWords.noText, .dim) : TextRun(text, .text)]
  }

  /// The beginning of the text, which may be long, on one line.
  private static func oneLine(_ text: String) -> String {
    text.prefix(1000).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func note(on saved: SavedEntry) -> TextRun<StyleRole>? {
    if saved.holder == .otherProgram { return TextRun(OutboxWords.openElsewhere, .warning) }
    if !saved.isSaved { return TextRun(OutboxWords.notSaved, .error) }
    if saved.entry.isDoubtful { return TextRun(OutboxWords.mayHaveArrived, .warning) }
    return saved.holder == .thisProgram ? TextRun(OutboxWords.isOpenHere, .dim) : nil
  }
}

extension Account {
  /// Returns the notice that covers the qwink an entry replies to, if any.
  func coverOfParent(of purpose: EntryPurpose?) -> Disclosure.Cover? {
    guard case .reply(let qwink) = purpose else { return nil }
    return disclosure(of: qwink, in: nil).cover
  }
}

/// Layout of a saved entry's cell. Depends only on the data and the width.
enum SavedEntryCellLayout {
  private static let maximumTextRows = 2
  private static let textColumn = 4
  /// Minimum width of the quoted qwink next to the title. With less room, the quoted qwink has its own row.
  private static let minimumAboutColumns = 24

  static func lines(_ data: SavedEntryCellData, columns: Int) -> [CellLine] {
    let isCompact = SizeClass(columns: columns) == .compact
    let textColumns = max(1, min(columns - textColumn - 1, ContentWidth.text))
    let files = data.fileCount == 0 ? [] : [TextRun(Counted.words(data.fileCount, "file") + "  ", StyleRole.dim)]
    let trailing = files + visibility(data.visibility, isCompact: isCompact) + [CellLine.padded(data.time)]
    let titleColumns = max(1, columns - CellLine.avatarColumn - CellLine.width(trailing) - 4)
    let title = DisplayWidth.truncated(data.title, to: titleColumns)
    var runs = [TextRun(title, StyleRole.name)]
    let room = min(titleColumns - DisplayWidth.columns(of: title) - 2, ContentWidth.text)
    var lines: [CellLine] = []
    if !data.about.isEmpty, room >= minimumAboutColumns {
      runs.append(TextRun("  \(DisplayWidth.truncated(data.about, to: room))", .dim))
    }
    lines.append(CellLine(column: CellLine.avatarColumn, runs: runs, trailing: trailing))
    if !data.about.isEmpty, room < minimumAboutColumns {
      lines.append(
        CellLine(column: textColumn, runs: [TextRun(DisplayWidth.truncated(data.about, to: textColumns), .dim)]))
    }
    lines += CellLine.cut(data.text, columns: textColumns, rows: maximumTextRows).map {
      CellLine(column: textColumn, runs: $0)
    }
    if let note = data.note {
      lines += TextLayout.wrap([note], columns: textColumns).map { CellLine(column: textColumn, runs: $0) }
    }
    return lines + [.separator]
  }

  /// The visibility as a word, or as a symbol in narrow windows.
  private static func visibility(_ visibility: Visibility?, isCompact: Bool) -> [TextRun<StyleRole>] {
    guard let visibility else { return [TextRun("\(OutboxWords.audienceOpen)  ", .warning)] }
    let role: StyleRole = visibility == .public || visibility == .unlisted ? .dim : .warning
    let sign: QwinkSign? =
      switch visibility {
      case .public: nil
      case .unlisted: .unlisted
      case .private: .followers
      case .direct: .direct
      }
    if isCompact { return sign.map { [TextRun("\($0.rawValue)  ", role)] } ?? [] }
    return [TextRun("\(EntryWords.name(of: visibility))  ", role)]
  }
}

extension LinesCell {
  /// Draws a saved entry in a list.
  convenience init(_ data: SavedEntryCellData) {
    self.init { SavedEntryCellLayout.lines(data, columns: $0) }
  }
}
