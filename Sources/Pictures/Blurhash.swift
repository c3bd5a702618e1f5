import LibC
public import Terminal

/// A blurred preview of a picture, encoded in a few characters: <https://github.com/woltapp/blurhash>, Algorithm.md.
public struct Blurhash: Hashable, Sendable {
  static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  struct Color: Hashable {
    var red: Double
    var green: Double
    var blue: Double
  }

  private let columns: Int
  private let rows: Int
  private let components: [Color]

  /// Parses a hash. Returns nil if `text` is malformed.
  public init?(_ text: String) {
    let values = text.utf8.map { byte in Self.digits.firstIndex(of: byte) }
    guard values.count >= 6, !values.contains(nil) else { return nil }
    let numbers = values.compactMap(\.self)
    columns = numbers[0] % 9 + 1
    rows = numbers[0] / 9 + 1
    guard numbers.count == 4 + 2 * columns * rows else { return nil }
    let most = Double(numbers[1] + 1) / 166
    func number(_ range: Range<Int>) -> Int { numbers[range].reduce(0) { $0 * 83 + $1 } }
    let average = number(2..<6)
    var components = [
      Color(
        red: Self.linear(average >> 16 & 0xFF), green: Self.linear(average >> 8 & 0xFF),
        blue: Self.linear(average & 0xFF))
    ]
    for index in 1..<(columns * rows) {
      let value = number((4 + 2 * index)..<(6 + 2 * index))
      func part(_ digit: Int) -> Double {
        let distance = (Double(digit) - 9) / 9
        return (distance < 0 ? -1 : 1) * distance * distance * most
      }
      components.append(Color(red: part(value / 361), green: part(value / 19 % 19), blue: part(value % 19)))
    }
    self.components = components
  }

  /// Returns a picture of this size in cells, with two pixels per cell.
  public func picture(_ size: Size) -> Picture {
    var cells: [Picture.Cell] = []
    cells.reserveCapacity(size.rows * size.columns)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let upper = color(column, of: size.columns, 2 * row, of: 2 * size.rows)
        let lower = color(column, of: size.columns, 2 * row + 1, of: 2 * size.rows)
        cells.append(Picture.Cell("▀", TextStyle(upper, on: lower)))
      }
    }
    return Picture(size: size, cells: cells)
  }

  private func color(_ x: Int, of width: Int, _ y: Int, of height: Int) -> TerminalColor {
    var (red, green, blue) = (0.0, 0.0, 0.0)
    for row in 0..<rows {
      for column in 0..<columns {
        let weight =
          cos(.pi * Double(x * column) / Double(width)) * cos(.pi * Double(y * row) / Double(height))
        let component = components[row * columns + column]
        red += component.red * weight
        green += component.green * weight
        blue += component.blue * weight
      }
    }
    return .rgb(red: Self.level(red), green: Self.level(green), blue: Self.level(blue))
  }

  static func linear(_ level: Int) -> Double {
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func level(_ linear: Double) -> UInt8 {
    let value = min(max(linear, 0), 1)
    let level = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    // Use few levels, so that neighbouring cells often have the same colours and cost less to draw.
    return UInt8((level * 31).rounded() * 255 / 31)
  }
}
