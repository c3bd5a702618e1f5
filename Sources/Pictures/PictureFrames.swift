import Terminal

/// The protocol between the program and the child process that decodes pictures. Each message is a little-endian header
/// of fixed size, followed by bytes.
enum PictureFrames {
  static let orderLength = 28
  static let answerLength = 20
  static let cellLength = 12
  /// Maximum size of a file to decode, in bytes.
  static let mostBytes = 16 << 20

  static func head(of order: PictureOrder, byteCount: Int) -> [UInt8] {
    var head: [UInt8] = [
      order.form.rawValue, order.symbols.rawValue, order.fills ? 1 : 0,
      order.colors >= 1 << 24 ? 24 : order.colors >= 256 ? 8 : 4,
    ]
    append(UInt32(order.room.columns), to: &head)
    append(UInt32(order.room.rows), to: &head)
    append(UInt32(order.cell.width) | UInt32(order.cell.height) << 16, to: &head)
    append(order.zoom.numbers.0, to: &head)
    append(order.zoom.numbers.1, to: &head)
    append(UInt32(byteCount), to: &head)
    return head
  }

  static func order(from head: [UInt8]) -> (order: PictureOrder, byteCount: Int)? {
    guard head.count == orderLength, let form = PictureOrder.Form(rawValue: head[0]),
      let symbols = PictureOrder.Symbols(rawValue: head[1])
    else { return nil }
    let room = Size(rows: Int(number(head, at: 8)), columns: Int(number(head, at: 4)))
    let sides = number(head, at: 12)
    guard let cell = CellSize(width: Int(sides & 0xFFFF), height: Int(sides >> 16)),
      let zoom = PictureZoom(number(head, at: 16), number(head, at: 20))
    else { return nil }
    let order = PictureOrder(
      form, room: room, colors: 1 << Int(head[3]), symbols: symbols, fills: head[2] == 1, cell: cell, zoom: zoom)
    let count = Int(number(head, at: 24))
    return count <= mostBytes ? (order, count) : nil
  }

  /// Returns the header of an answer: 0 or an error, the size in cells, the visible part, and the number of bytes that
  /// follow.
  static func head(of error: PictureError?, size: Size, byteCount: Int) -> [UInt8] {
    var head: [UInt8] = []
    append(UInt32(error?.rawValue ?? 0), to: &head)
    append(UInt32(size.columns) | UInt32(size.rows) << 16, to: &head)
    append(0, to: &head)
    append(0, to: &head)
    append(UInt32(byteCount), to: &head)
    set(.whole, in: &head)
    return head
  }

  /// Sets the visible part in the header of an answer.
  static func set(_ part: PicturePart, in answer: inout [UInt8]) {
    var bytes: [UInt8] = []
    append(UInt32(part.left) | UInt32(part.top) << 16, to: &bytes)
    append(UInt32(part.width) | UInt32(part.height) << 16, to: &bytes)
    answer.replaceSubrange(8..<16, with: bytes)
  }

  /// The header of an answer.
  struct Answer {
    var error: PictureError?
    var size: Size
    var part: PicturePart
    var byteCount: Int
  }

  static func answer(from head: [UInt8]) -> Answer? {
    guard head.count == answerLength else { return nil }
    let status = number(head, at: 0)
    let error = PictureError(rawValue: UInt8(truncatingIfNeeded: status))
    guard status == 0 || error != nil else { return nil }
    func pair(_ place: Int) -> (first: Int, second: Int) {
      let value = number(head, at: place)
      return (Int(value & 0xFFFF), Int(value >> 16))
    }
    let (size, start, sides) = (pair(4), pair(8), pair(12))
    let part = PicturePart(left: start.first, top: start.second, width: sides.first, height: sides.second)
    guard part.isValid else { return nil }
    return Answer(
      error: error, size: Size(rows: size.second, columns: size.first), part: part,
      byteCount: Int(number(head, at: 16)))
  }

  /// Returns the cells of an answer, or nil if the answer has the wrong length. Characters other than block elements
  /// become spaces, because a malicious picture may have taken control of the child.
  static func cells(_ bytes: [UInt8], size: Size) -> [Picture.Cell]? {
    guard bytes.count == size.rows * size.columns * cellLength else { return nil }
    return stride(from: 0, to: bytes.count, by: cellLength).map { place in
      let scalar = Unicode.Scalar(number(bytes, at: place))
      let style = TextStyle(
        color(number(bytes, at: place + 4)), on: color(number(bytes, at: place + 8)))
      guard let scalar, isBlock(scalar) else { return Picture.Cell(" ", style) }
      return Picture.Cell(Character(scalar), style)
    }
  }

  private static func isBlock(_ scalar: Unicode.Scalar) -> Bool {
    (0x2580...0x259F).contains(scalar.value) || (0x1FB00...0x1FB3B).contains(scalar.value)
  }

  private static func color(_ number: UInt32) -> TerminalColor {
    guard number <= 0xFF_FFFF else { return .standard }
    return .rgb(
      red: UInt8(number >> 16), green: UInt8(truncatingIfNeeded: number >> 8), blue: UInt8(truncatingIfNeeded: number))
  }

  static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
  }
}
