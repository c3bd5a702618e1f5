/// A pixel picture on the screen. Each cell that it covers contains a placeholder character, which identifies the
/// picture, the row and the column (kitty's graphics protocol, “Unicode placeholders”). The picture therefore moves
/// with its cells.
public struct PicturePlacement: Hashable, Sendable {
  /// Number of placements that can exist at the same time.
  static let count = 7 * 255

  /// The picture's ID in the terminal.
  public let identifier: UInt32

  /// Creates one of ``count`` placements. The lowest byte of the identifier is sent as a text colour: one of seven that
  /// all terminals pass on unchanged. The highest byte is sent as a mark.
  public init(index: Int) {
    let index = index % Self.count
    identifier = UInt32(index / 7 + 1) << 24 | UInt32(index % 7 + 1)
  }

  /// Returns the placement that a cell is part of, or nil for any other cell.
  public init?(_ cell: Cell) {
    guard cell.begins(with: Self.base) else { return nil }
    var scalars = cell.text.unicodeScalars.dropFirst().makeIterator()
    guard case .palette(let color) = cell.style.foreground, scalars.next() != nil,
      scalars.next() != nil, let mark = scalars.next(), let high = Self.numbers[mark], high < 256
    else { return nil }
    identifier = UInt32(high) << 24 | UInt32(color)
  }

  /// Returns the placeholder for the cell at `row` and `column` of the picture. Returns nil if one of the numbers is
  /// too large for a mark.
  public func text(row: Int, column: Int) -> String? {
    let marks = Self.marks
    guard marks.indices.contains(row), marks.indices.contains(column) else { return nil }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: [Self.base, marks[row], marks[column], marks[Int(identifier >> 24)]])
    return String(text)
  }

  /// The style of the picture's cells.
  public var style: TextStyle { TextStyle(.palette(UInt8(truncatingIfNeeded: identifier))) }

  /// Maximum number of rows and of columns in a picture.
  public static let largestSide = 256

  private static let base = Unicode.Scalar(0x10EEEE as UInt32) ?? " "

  /// Marks that represent numbers. By the protocol's rule, they are drawn above a character, are in Unicode 6.0 or
  /// earlier, and are never composed with another character.
  static let marks: [Unicode.Scalar] = {
    let joined: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x313, 0x314,
      0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
    ]
    let blocks: [ClosedRange<UInt32>] = [
      0x300...0x1DFF, 0x20D0...0x20F0, 0x2CEF...0x2DFF, 0xA66F...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A38,
      0x1D185...0x1D244,
    ]
    return blocks.flatMap { block in
      block.compactMap { value in
        guard !joined.contains(value), let scalar = Unicode.Scalar(value), isAbove(scalar) else { return nil }
        return scalar
      }
    }
  }()

  private static func isAbove(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    guard properties.canonicalCombiningClass == .above, properties.generalCategory == .nonspacingMark,
      let age = properties.age
    else { return false }
    return age.major < 6 || age.major == 6 && age.minor == 0
  }

  private static let numbers = Dictionary(uniqueKeysWithValues: marks.enumerated().map { ($1, $0) })
}
