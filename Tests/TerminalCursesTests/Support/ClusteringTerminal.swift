/// A small VT100 with Unicode. It draws marks, or all scalars that continue a cluster, into the previous cell; the test
/// defines the width of clusters.
struct ClusteringTerminal {
  /// Rows of cells; nil is the second column of the previous cell.
  private(set) var cells: [[String?]]
  /// Unsupported sequences that were received.
  private(set) var unknown: [String] = []

  private let columns: Int
  /// Whether all scalars of a cluster share a cell.
  private let joinsClusters: Bool
  private let width: (Character) -> Int
  private var row = 0
  private var column = 0
  /// Whether the next character wraps to the next line.
  private var isAtEnd = false
  private var wraps = true
  /// Saved cursor positions. Each can be restored only once.
  private var saved: [(row: Int, column: Int, isAtEnd: Bool)] = []
  private var region: ClosedRange<Int>

  /// `width` returns the columns of a cluster: 1, 2, or 0 for a mark that joins the previous cell.
  init(rows: Int, columns: Int, joinsClusters: Bool, width: @escaping (Character) -> Int) {
    self.joinsClusters = joinsClusters
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    region = 0...(rows - 1)
    self.columns = columns
    self.width = width
  }

  /// Returns the text in `columns` without trailing blanks.
  func text(row: Int, columns: Range<Int>) -> String {
    var text = cells[row][columns].compactMap { $0 }.joined()
    while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
    return text
  }

  mutating func show(_ bytes: [UInt8]) {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\u{1B}": escape(&scalars)
      case "\r": move(row, 0)
      case "\n": lineFeed()
      case "\u{8}": move(row, column - 1)
      case "\u{E}", "\u{F}", "\0": break
      default: draw(scalar)
      }
    }
  }

  // MARK: Text

  private mutating func draw(_ scalar: Unicode.Scalar) {
    if let place = placeBefore, let text = cells[row][place] {
      let joined = text + String(scalar)
      if text != " ", (joinsClusters && joined.count == 1) || width(Character(scalar)) == 0 {
        return join(joined, at: place)
      }
    }
    let columnsNeeded = max(1, width(Character(scalar)))
    if isAtEnd || column + columnsNeeded > columns {
      guard wraps else { return put(String(scalar), 1, at: columns - 1) }
      move(row, 0)
      lineFeed()
    }
    put(String(scalar), columnsNeeded, at: column)
    advance(to: column + columnsNeeded)
  }

  /// The column of the cell that a mark would join, if any.
  private var placeBefore: Int? {
    let last = isAtEnd ? column : column - 1
    guard last >= 0 else { return nil }
    return cells[row][last] == nil ? last - 1 : last
  }

  private mutating func join(_ text: String, at place: Int) {
    let old = place + 1 < columns && cells[row][place + 1] == nil ? 2 : 1
    let new = text.count == 1 ? max(old, width(Character(text))) : old
    cells[row][place] = text
    if new > old, place + 1 < columns {
      put(text, new, at: place)
      advance(to: place + new)
    }
  }

  private mutating func put(_ text: String, _ width: Int, at place: Int) {
    for covered in place..<min(columns, place + width) {
      if cells[row][covered] == nil { cells[row][covered - 1] = " " }
      if covered + 1 < columns, cells[row][covered + 1] == nil { cells[row][covered + 1] = " " }
      cells[row][covered] = covered == place ? text : nil
    }
  }

  private mutating func advance(to next: Int) {
    isAtEnd = next >= columns
    column = min(columns - 1, next)
  }

  // MARK: Sequences

  private mutating func move(_ row: Int, _ column: Int) {
    (self.row, self.column) = (min(cells.count - 1, max(0, row)), min(columns - 1, max(0, column)))
    isAtEnd = false
  }

  private mutating func lineFeed() {
    if row == region.upperBound { scroll(up: true) } else { move(row + 1, column) }
    isAtEnd = false
  }

  private mutating func scroll(up: Bool) {
    cells.remove(at: up ? region.lowerBound : region.upperBound)
    cells.insert(Array(repeating: " ", count: columns), at: up ? region.upperBound : region.lowerBound)
  }

  private mutating func erase(_ row: Int, _ range: Range<Int>) {
    for column in range {
      if cells[row][column] == nil, column == range.lowerBound, column > 0 { cells[row][column - 1] = " " }
      cells[row][column] = " "
    }
    if range.upperBound < columns, cells[row][range.upperBound] == nil { cells[row][range.upperBound] = " " }
  }

  private mutating func escape(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    switch scalars.popFirst() {
    case "7": saved.append((row, column, isAtEnd))
    case "8": (row, column, isAtEnd) = saved.popLast() ?? (0, 0, false)
    case "D": lineFeed()
    case "M": if row == region.lowerBound { scroll(up: false) } else { move(row - 1, column) }
    case "(", ")": scalars.removeFirst()
    case "=", ">", "H": break
    case "[": control(&scalars)
    case let other: unknown.append("ESC \(String(describing: other))")
    }
  }

  private mutating func control(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    let parameters = String(String.UnicodeScalarView(scalars.prefix { $0.value < 0x40 }))
    scalars = scalars.dropFirst(parameters.unicodeScalars.count)
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    switch scalars.popFirst() {
    case "A": move(row - max(1, first), column)
    case "B": move(row + max(1, first), column)
    case "C": move(row, column + max(1, first))
    case "D": move(row, column - max(1, first))
    case "H": move(max(1, first) - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
    case "J":
      erase(row, column..<columns)
      for below in (row + 1)..<max(row + 1, cells.count) { erase(below, 0..<columns) }
    case "K": if first == 1 { erase(row, 0..<(column + 1)) } else { erase(row, column..<columns) }
    case "r":
      let last = numbers.count > 1 && numbers[1] > 0 ? min(numbers[1], cells.count) : cells.count
      region = min(max(1, first), last) - 1...last - 1
      move(0, 0)
    case "h" where parameters == "?7": wraps = true
    case "l" where parameters == "?7": wraps = false
    case "m", "h", "l": break
    case let other: unknown.append("CSI \(parameters)\(String(describing: other))")
    }
  }
}
