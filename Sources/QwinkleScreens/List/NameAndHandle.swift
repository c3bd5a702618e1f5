import PaneKit
public import QwinkleModel
import Terminal

/// A display name and a handle in a row. The handle identifies the qwinker and is never truncated. The name is chosen
/// freely, and is truncated with `…` if the row is too narrow.
public struct NameAndHandle: Hashable {
  static let gap = "  "
  /// If fewer columns than this are left for a long name, the name gets a separate row, or is left out where there is
  /// only one row.
  private static let fewestNameColumns = 8

  var name: TextRun<StyleRole>
  /// Includes the `@`.
  var handle: TextRun<StyleRole>

  init(_ name: String, _ handle: String, nameRole: StyleRole) {
    self.name = TextRun(name, nameRole)
    self.handle = TextRun(handle, .dim)
  }

  init(_ qwinker: Qwinker) {
    self.init(qwinker.displayName, "@\(qwinker.handle)", nameRole: AvatarInitials.nameRole(of: qwinker))
  }

  /// Returns the name and the handle as plain text, or only the handle if `columns` leaves no room for the name. If
  /// `columns` is nil, the name isn't truncated.
  public static func text(of qwinker: Qwinker, columns: Int?) -> String {
    text(of: qwinker, columns: columns, gap: gap)
  }

  static func text(of qwinker: Qwinker, columns: Int?, gap: String) -> String {
    let both = NameAndHandle(qwinker)
    let name = columns.map { both.cutName(columns: $0 - DisplayWidth.columns(of: gap)) } ?? both.name.text
    return name.isEmpty ? both.handle.text : name + gap + both.handle.text
  }

  /// Returns the name and the handle for one row, or only the handle if it leaves no room for the name.
  func runs(columns: Int) -> [TextRun<StyleRole>] {
    let name = cutName(columns: columns - Self.gap.count)
    if name.isEmpty { return [handle] }
    return [TextRun(name, self.name.attribute), TextRun(Self.gap, .dim), handle]
  }

  /// Returns a line that begins at `column` with the name, the handle and `after`, and has `trailing` at its right
  /// edge. Returns two lines if the handle, `after` and a readable part of the name (in a narrow window, the whole
  /// name) don't fit in one.
  func lines(
    column: Int, columns: Int, after: [TextRun<StyleRole>] = [], trailing: [TextRun<StyleRole>] = [],
    avatar: TextRun<StyleRole>? = nil
  ) -> [CellLine] {
    let room = CellLine.room(column: column, columns: columns, trailing: trailing) - CellLine.width(after)
    let least = SizeClass(columns: columns) == .compact ? Int.max : Self.fewestNameColumns
    let needed = min(DisplayWidth.columns(of: name.text), least) + Self.gap.count + CellLine.width([handle])
    guard needed <= room else {
      return stacked(column: column, columns: columns, after: after, trailing: trailing, avatar: avatar)
    }
    return [CellLine(column: column, runs: runs(columns: room) + after, trailing: trailing, avatar: avatar)]
  }

  /// Returns the name in one row and the handle in the next. `handleTrailing` is next to the handle, or in a third row
  /// if it doesn't fit.
  func stacked(
    column: Int, columns: Int, after: [TextRun<StyleRole>] = [], trailing: [TextRun<StyleRole>] = [],
    handleTrailing: [TextRun<StyleRole>] = [], avatar: TextRun<StyleRole>? = nil
  ) -> [CellLine] {
    let room = CellLine.room(column: column, columns: columns, trailing: trailing)
    let name = TextRun(DisplayWidth.truncated(name.text, to: room), name.attribute)
    let first = CellLine(column: column, runs: [name], trailing: trailing, avatar: avatar)
    let second = CellLine(column: column, runs: [handle] + after)
    return [first] + second.before(handleTrailing, columns: columns)
  }

  /// Returns the name, truncated to the columns that the handle leaves. Returns an empty string if too few columns are
  /// left.
  private func cutName(columns: Int) -> String {
    let room = columns - CellLine.width([handle])
    if room < Self.fewestNameColumns, room < DisplayWidth.columns(of: name.text) { return "" }
    return DisplayWidth.truncated(name.text, to: room)
  }
}

// MARK: - Short names

extension NameAndHandle {
  /// Returns a short name truncated to `columns`. A handle is never truncated.
  static func cut(shortName: String, columns: Int) -> String {
    isHandle(shortName) ? shortName : DisplayWidth.truncated(shortName, to: max(1, columns))
  }

  /// Whether a short name is a handle. Display names with an at sign are never used as short names.
  static func isHandle(_ shortName: String) -> Bool { shortName.hasPrefix("@") }

  /// Returns `↻ boosted by Anna`, `… by Anna and Ben` or `… by Anna and 2 more`. A second name that doesn't fit is
  /// counted instead. If the line is still too wide, the verb is left out, then the number.
  static func boosted(by shortNames: [String], columns: Int) -> [TextRun<StyleRole>] {
    let (sign, verb) = ("↻ ", "boosted by ")
    let first = shortNames.first ?? ""
    func fits(_ text: String) -> Bool { DisplayWidth.columns(of: text) <= columns }
    let all = sign + verb + shortNames.joined(separator: " and ")
    if shortNames.count <= 2, fits(all) { return [TextRun(all, .dim)] }
    let more = shortNames.count > 1 ? " and \(shortNames.count - 1) more" : ""
    for (verb, more) in [(verb, more), ("", more)] {
      let room = columns - sign.count - verb.count - more.count
      // Fewer columns show nothing but the mark of a truncated name.
      guard room >= min(3, DisplayWidth.columns(of: first)) else { continue }
      let text = sign + verb + cut(shortName: first, columns: room) + more
      if fits(text) { return [TextRun(text, .dim)] }
    }
    return [TextRun(sign + cut(shortName: first, columns: columns - sign.count), .dim)]
  }
}

extension CellLine {
  static func width(_ runs: [TextRun<StyleRole>]) -> Int {
    runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
  }

  /// Returns the number of columns for text that begins at `column`, before `trailing` and a free column at the right
  /// edge.
  static func room(column: Int, columns: Int, trailing: [TextRun<StyleRole>] = []) -> Int {
    max(1, columns - 1 - column - (trailing.isEmpty ? 0 : width(trailing) + 2))
  }

  /// Returns the line with `trailing` at its right. If `trailing` would truncate the text, it is in a second line.
  func before(_ trailing: [TextRun<StyleRole>], columns: Int) -> [CellLine] {
    guard !trailing.isEmpty else { return [self] }
    var line = self
    if Self.width(runs) <= Self.room(column: column, columns: columns, trailing: trailing) {
      line.trailing = trailing
      return [line]
    }
    return [line, CellLine(column: column, runs: [], trailing: trailing)]
  }
}
