/// Checks the text of sixel pictures (DEC STD 070, chapter 8): raster attributes, followed by colours, repeats, columns
/// of six pixels, and line ends. A text with anything else is rejected, so that it isn't sent to a terminal.
public enum SixelText {
  /// Maximum width and height in pixels.
  public static let largestSide = 1000

  /// Returns the size of a picture, or nil if its text is malformed, or if it is too large or draws beyond its size.
  public static func size(of text: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    var reader = Reader(rest: text)
    guard let sides = reader.sides(), (1...largestSide).contains(sides.width), (1...largestSide).contains(sides.height)
    else { return nil }
    return reader.draws(within: sides) ? sides : nil
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    /// Parses `"1;1;WIDTH;HEIGHT`.
    mutating func sides() -> (width: Int, height: Int)? {
      guard take("\""), number() == 1, take(";"), number() == 1, take(";"), let width = number(), take(";"),
        let height = number()
      else { return nil }
      return (width, height)
    }

    mutating func draws(within sides: (width: Int, height: Int)) -> Bool {
      var (column, line) = (0, 0)
      while let byte = rest.popFirst() {
        var count = 1
        switch byte {
        case UInt8(ascii: "#"):
          guard skipColor() else { return false }
          continue
        case UInt8(ascii: "$"):
          column = 0
          continue
        case UInt8(ascii: "-"):
          (column, line) = (0, line + 6)
          continue
        case UInt8(ascii: "!"):
          guard let repeats = number(), let drawn = rest.popFirst(), Self.isSixel(drawn) else { return false }
          count = repeats
        default:
          guard Self.isSixel(byte) else { return false }
        }
        column += count
        guard column <= sides.width, line < sides.height else { return false }
      }
      return true
    }

    /// Parses the number of a colour, optionally with a definition in percent: `1`, or `1;2;RED;GREEN;BLUE`.
    private mutating func skipColor() -> Bool {
      guard let register = number(), register < 256 else { return false }
      guard take(";") else { return true }
      guard number() == 2 else { return false }
      for _ in 0..<3 {
        guard take(";"), let part = number(), part <= 100 else { return false }
      }
      return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func number() -> Int? {
      var value: Int?
      while let byte = rest.first, 0x30...0x39 ~= byte, value ?? 0 < 10_000 {
        value = (value ?? 0) * 10 + Int(byte - 0x30)
        rest = rest.dropFirst()
      }
      return value
    }

    private static func isSixel(_ byte: UInt8) -> Bool { 0x3F...0x7E ~= byte }
  }
}
