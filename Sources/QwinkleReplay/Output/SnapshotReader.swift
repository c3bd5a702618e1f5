import Terminal

extension Snapshot {
  /// Parses ``fileText``. Rejects a file that ``fileText`` would write differently.
  public init(parsing text: String) throws(SnapshotFormatError) {
    var reader = SnapshotReader(text)
    self = try reader.snapshot()
    guard let line = text.firstLineDiffering(from: fileText) else { return }
    throw SnapshotFormatError(line: line, reason: "this is not in canonical form")
  }
}

/// Reads a snapshot file line by line. Accepts notes and styles in any order, because ``Snapshot/init(parsing:)``
/// checks their order.
private struct SnapshotReader {
  typealias Line = Substring.UnicodeScalarView

  private var lines: ArraySlice<Line>
  /// Number of the current line, from 1.
  private var number = 0

  init(_ text: String) {
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)[...]
  }

  mutating func snapshot() throws(SnapshotFormatError) -> Snapshot {
    let header = try header()
    var cells: [[SnapshotCell]] = []
    while cells.count < header.size.rows { cells.append(try row(columns: header.size.columns)) }
    let hasRoles = header.version == SnapshotFormat.version
    let section = hasRoles ? SnapshotFormat.roles : SnapshotFormat.styles
    guard String(try next("`\(section)`")) == section else {
      throw error("`\(section)` is expected after row \(header.size.rows - 1)")
    }
    let roles = try hasRoles ? legend() : []
    if let base = roles.first { cells = cells.map { row in row.map { $0.with(base.look) } } }
    while true {
      let line = String(try next("`\(SnapshotFormat.end)`"))
      if line == SnapshotFormat.end { break }
      try style(line, of: &cells, roles)
    }
    guard lines.count == 1, lines.first?.isEmpty == true else {
      throw error("nothing can follow `\(SnapshotFormat.end)` and its line end")
    }
    return Snapshot(size: header.size, cells: cells, cursor: header.cursor, roles: roles)
  }

  private func error(_ reason: String) -> SnapshotFormatError {
    SnapshotFormatError(line: max(1, number), reason: reason)
  }

  private mutating func next(_ expected: String) throws(SnapshotFormatError) -> Line {
    number += 1
    guard let line = lines.popFirst() else { throw error("the file ends where \(expected) is expected") }
    if line.last == "\r" { throw error("it ends in a carriage return") }
    return line
  }

  // MARK: The header

  private typealias Header = (version: Int, size: Size, cursor: Point?)

  private mutating func header() throws(SnapshotFormatError) -> Header {
    let line = String(try next("`\(SnapshotFormat.name)`"))
    var words = line.split(separator: " ", omittingEmptySubsequences: false)[...]
    guard words.popFirst().map(String.init) == SnapshotFormat.name else { throw error("this is not a snapshot") }
    let versions = [SnapshotFormat.versionWithoutRoles, SnapshotFormat.version]
    let word = words.popFirst().map(String.init)
    guard let version = versions.first(where: { String($0) == word }) else {
      throw error("this format version is unknown; use \(versions[0]) or \(versions[1])")
    }
    let size = try pair("size", "x", of: &words)
    guard size.0 >= 0, size.1 >= 0 else { throw error("a size can't be negative") }
    var cursor: Point?
    if words.first == "cursor=none" {
      words.removeFirst()
    } else {
      let (row, column) = try pair("cursor", ",", of: &words)
      cursor = Point(row: row, column: column)
    }
    if let more = words.first { throw error("`\(more)` is not expected") }
    return (version, Size(rows: size.1, columns: size.0), cursor)
  }

  private func value(_ name: String, of words: inout ArraySlice<Substring>) throws(SnapshotFormatError) -> Substring {
    guard let word = words.popFirst(), word.hasPrefix(name + "=") else { throw error("`\(name)=` is expected") }
    return word.dropFirst(name.count + 1)
  }

  private func pair(
    _ name: String, _ separator: Character, of words: inout ArraySlice<Substring>
  ) throws(SnapshotFormatError) -> (Int, Int) {
    let numbers = try value(name, of: &words).split(separator: separator, omittingEmptySubsequences: false)
    guard numbers.count == 2, let first = Int(numbers[0]), let second = Int(numbers[1]) else {
      throw error("`\(name)=` needs two numbers with `\(separator)` between them")
    }
    return (first, second)
  }

  // MARK: Rows

  private mutating func row(columns: Int) throws(SnapshotFormatError) -> [SnapshotCell] {
    let line = try next("a row between bars")
    guard line.first == "|", let end = line.lastIndex(of: "|"), end > line.startIndex else {
      throw error("a row between bars is expected")
    }
    let notes = try notes(String(line[line.index(after: end)...]), mostCells: line.count)
    var rest = line[line.index(after: line.startIndex)..<end]
    var row: [SnapshotCell] = []
    while row.count < columns {
      let cell = SnapshotCell(
        text: try text(at: row.count, of: &rest, notes), columns: notes.wide.contains(row.count) ? 2 : 1)
      row.append(cell)
      if cell.columns == 2 { row.append(cell.secondColumn) }
    }
    guard row.count == columns, rest.isEmpty else { throw error("the row has more than \(columns) columns") }
    return row
  }

  private func text(
    at column: Int, of rest: inout Line, _ notes: (wide: Set<Int>, texts: [Int: String])
  ) throws(SnapshotFormatError) -> String {
    guard let text = notes.texts[column] else {
      guard let scalar = rest.popFirst() else { throw error("the row ends before column \(column)") }
      return String(scalar)
    }
    let shown = SnapshotCell(text: text).shownText.unicodeScalars
    guard rest.starts(with: shown) else { throw error("column \(column) differs from `text`") }
    rest = rest.dropFirst(shown.count)
    return text
  }

  /// Parses the notes after a row's second bar. Rejects runs of more than `mostCells` wide cells.
  private func notes(
    _ notes: String, mostCells: Int
  ) throws(SnapshotFormatError) -> (wide: Set<Int>, texts: [Int: String]) {
    var wide: Set<Int> = []
    var texts: [Int: String] = [:]
    var kind = ""
    for word in notes.split(separator: " ") {
      if word == "wide" || word == "text" {
        kind = String(word)
      } else if kind == "wide", let run = Self.wideRun(word, mostCells: mostCells) {
        wide.formUnion(run)
      } else if kind == "text", let (column, text) = Self.text(word) {
        texts[column] = text
      } else {
        throw error("`\(word)` after the row is unknown")
      }
    }
    return (wide, texts)
  }

  /// Parses `FIRST` or `FIRSTxCOUNT`.
  private static func wideRun(_ word: Substring, mostCells: Int) -> StrideTo<Int>? {
    let numbers = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count <= 2, let first = numbers.first ?? nil, let count = numbers.count == 2 ? numbers[1] : 1,
      (0...(2 * mostCells)).contains(first), (1...mostCells).contains(count)
    else { return nil }
    return stride(from: first, to: first + 2 * count, by: 2)
  }

  /// Parses `COLUMN=SCALAR.SCALAR`.
  private static func text(_ word: Substring) -> (column: Int, text: String)? {
    let parts = word.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let column = Int(parts[0]) else { return nil }
    var text = ""
    for digits in parts[1].split(separator: ".", omittingEmptySubsequences: false) {
      guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else { return nil }
      text.unicodeScalars.append(scalar)
    }
    return (column, text)
  }

  // MARK: Roles

  /// Parses lines `NAME: words` up to the line `styles`.
  private mutating func legend() throws(SnapshotFormatError) -> [SnapshotRole] {
    var roles: [SnapshotRole] = []
    while true {
      let line = String(try next("`\(SnapshotFormat.styles)`"))
      if line == SnapshotFormat.styles { break }
      roles.append(try role(line))
    }
    guard !roles.isEmpty else { throw error("the role of the base style is expected") }
    return roles
  }

  private func role(_ line: String) throws(SnapshotFormatError) -> SnapshotRole {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
      throw error("a role's name and a colon are expected")
    }
    let name = String(line[..<colon])
    guard let look = CellLook(words: line[line.index(after: colon)...].dropFirst()) else {
      throw error("the style of `\(name)` is unknown")
    }
    return SnapshotRole(name, look)
  }

  // MARK: Styles

  /// Parses `ROW: FIRST-LAST style, …`, where a style is the name of a role or the words of a look.
  private func style(
    _ line: String, of cells: inout [[SnapshotCell]], _ roles: [SnapshotRole]
  ) throws(SnapshotFormatError) {
    guard let colon = line.firstIndex(of: ":"), let row = Int(line[..<colon]) else {
      throw error("a row's number and a colon are expected")
    }
    guard cells.indices.contains(row) else { throw error("there is no row \(row)") }
    for run in line[line.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false) {
      let words = run.drop { $0 == " " }
      let bounds = words.prefix { $0 != " " }
      let numbers = bounds.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count <= 2, let first = numbers.first ?? nil, let last = numbers.last ?? nil else {
        throw error("`\(bounds)` is not a column range")
      }
      guard first <= last, cells[row].indices.contains(first), cells[row].indices.contains(last) else {
        throw error("there are no columns \(bounds)")
      }
      let style = words.dropFirst(bounds.count + 1)
      guard let look = roles.first(where: { $0.name == style })?.look ?? CellLook(words: style) else {
        throw error("the style of \(bounds) is unknown")
      }
      for column in first...last { cells[row][column] = cells[row][column].with(look) }
    }
  }
}

extension String {
  /// Returns the number, from 1, of the first line that differs in any byte, or nil if both texts are equal.
  fileprivate func firstLineDiffering(from other: String) -> Int? {
    guard !utf8.elementsEqual(other.utf8) else { return nil }
    let own = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let others = other.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let same = zip(own, others).prefix { $0.elementsEqual($1) }.count
    return min(same, own.count - 1) + 1
  }
}
