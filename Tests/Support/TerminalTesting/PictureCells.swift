import Foundation
public import Terminal

/// A terminal model that tracks the cells covered by pictures. Writing, erasing and scrolling remove pictures, as in
/// xterm, foot and WezTerm.
public struct PictureCells {
  private let size: Size
  private let cell: CellSize
  private var marks: [[Bool]]
  /// Number of pictures drawn.
  public private(set) var drawnCount = 0
  private var cursor = Point.zero
  private var saved = Point.zero
  private var region: Range<Int>

  /// Creates a blank screen of this size.
  public init(size: Size, cell: CellSize) {
    self.size = size
    self.cell = cell
    marks = Array(repeating: Array(repeating: false, count: size.columns), count: size.rows)
    region = 0..<size.rows
  }

  /// The cells that show a picture.
  public var marked: Set<Point> {
    var points: Set<Point> = []
    for row in 0..<size.rows {
      for column in 0..<size.columns where marks[row][column] { points.insert(Point(row: row, column: column)) }
    }
    return points
  }

  /// Processes output bytes.
  public mutating func take(_ bytes: [UInt8]) {
    for sequence in TerminalSequence.all(in: bytes) {
      switch sequence.kind {
      case .text: write(1)
      case .control(let byte): control(byte)
      case .escape(between: [], let final): escape(final)
      case .csi(let parameters, between: [], let final): command(parameters, final)
      case .string(UInt8(ascii: "P"), let content):
        if let sides = SixelText.size(of: content.dropFirst(6)[...]) {
          draw(rows: (sides.height + cell.height - 1) / cell.height, columns: sides.width / cell.width)
        }
      case .string(UInt8(ascii: "]"), let content): draw(file: String(decoding: content, as: UTF8.self))
      default: break
      }
    }
  }

  private mutating func draw(file text: String) {
    guard text.hasPrefix("1337;File=") else { return }
    func number(_ key: String) -> Int {
      text.range(of: "\(key)=").map { Int(text[$0.upperBound...].prefix { $0.isNumber }) ?? 0 } ?? 0
    }
    draw(rows: number("height"), columns: number("width"))
  }

  private mutating func draw(rows: Int, columns: Int) {
    drawnCount += 1
    for row in cursor.row..<min(size.rows, cursor.row + rows) {
      for column in cursor.column..<min(size.columns, cursor.column + columns) { marks[row][column] = true }
    }
  }

  private mutating func write(_ count: Int) {
    for _ in 0..<count {
      if cursor.column < size.columns { marks[cursor.row][cursor.column] = false }
      cursor.column = min(size.columns, cursor.column + 1)
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x08: cursor.column = max(0, min(cursor.column, size.columns - 1) - 1)
    case 0x0A: if cursor.row == region.upperBound - 1 { scroll(region, by: 1) } else { move(rows: 1) }
    case 0x0D: cursor.column = 0
    default: break
    }
  }

  private mutating func escape(_ final: UInt8) {
    switch final {
    case UInt8(ascii: "7"): saved = cursor
    case UInt8(ascii: "8"): cursor = saved
    case UInt8(ascii: "M"): if cursor.row == region.lowerBound { scroll(region, by: -1) } else { move(rows: -1) }
    default: break
    }
  }

  private mutating func move(rows: Int) { cursor.row = min(max(0, cursor.row + rows), size.rows - 1) }

  /// Scrolls up, or down if `count` is negative.
  private mutating func scroll(_ rows: Range<Int>, by count: Int) {
    let blank = Array(repeating: false, count: size.columns)
    for _ in 0..<abs(count) {
      marks.remove(at: count > 0 ? rows.lowerBound : rows.upperBound - 1)
      marks.insert(blank, at: count > 0 ? rows.upperBound - 1 : rows.lowerBound)
    }
  }

  private mutating func erase(_ columns: Range<Int>, row: Int) {
    for column in columns.clamped(to: 0..<size.columns) { marks[row][column] = false }
  }

  private mutating func command(_ parameters: [UInt8], _ final: UInt8) {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    let first = numbers.first ?? nil
    let count = max(1, first ?? 1)
    switch Character(Unicode.Scalar(final)) {
    case "H", "f":
      cursor = Point(row: count - 1, column: max(1, numbers.count > 1 ? numbers[1] ?? 1 : 1) - 1)
    case "d": cursor.row = count - 1
    case "G", "`": cursor.column = count - 1
    case "A": move(rows: -count)
    case "B": move(rows: count)
    case "C": cursor.column = min(size.columns - 1, cursor.column + count)
    case "D": cursor.column = max(0, cursor.column - count)
    case "b": write(count)
    case "X": erase(cursor.column..<(cursor.column + count), row: cursor.row)
    case "K":
      switch first ?? 0 {
      case 0: erase(cursor.column..<size.columns, row: cursor.row)
      case 1: erase(0..<(cursor.column + 1), row: cursor.row)
      default: erase(0..<size.columns, row: cursor.row)
      }
    case "J":
      if first ?? 0 == 0 { erase(cursor.column..<size.columns, row: cursor.row) }
      for row in (first ?? 0 == 0 ? cursor.row + 1 : 0)..<size.rows { erase(0..<size.columns, row: row) }
    case "P":
      marks[cursor.row].removeSubrange(cursor.column..<min(size.columns, cursor.column + count))
      marks[cursor.row] += Array(repeating: false, count: size.columns - marks[cursor.row].count)
    case "@":
      marks[cursor.row].insert(contentsOf: Array(repeating: false, count: count), at: cursor.column)
      marks[cursor.row].removeLast(count)
    case "L": scroll(cursor.row..<region.upperBound, by: -count)
    case "M": scroll(cursor.row..<region.upperBound, by: count)
    case "r":
      region = (count - 1)..<(numbers.count > 1 ? numbers[1] ?? size.rows : size.rows)
      cursor = .zero
    default: break
    }
  }
}
