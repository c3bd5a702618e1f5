/// A cell of the screen. It is three words without references, because drawing a frame copies and compares thousands of
/// cells.
public struct Cell: Hashable, Sendable {
  /// The first two scalars of the text, the first one in the lower half. If ``isLong`` is set, the number of the text
  /// in the ``ClusterTable`` instead.
  private var front: UInt64
  /// The third and fourth scalar of the text, and the number of the link in the upper bits.
  private var back: UInt64
  /// The style, and the number of columns in the upper bits.
  private var look: UInt64

  private static let isLong: UInt64 = 1 << 63
  private static let columnShift = TextStyle.packedBits
  private static let scalarMask: UInt64 = 0x1F_FFFF
  private static let linkShift: UInt64 = 53
  /// The largest number of a link.
  static let maximumLink = 1 << (64 - Int(linkShift)) - 1

  /// A blank cell.
  public init(style: TextStyle = .plain) {
    self.init(scalar: 0x20, columns: 1, style: style.packed)
  }

  init(text: String, columns: UInt8, style: TextStyle) {
    (front, back) = Self.words(of: text)
    look = style.packed | UInt64(columns) << Self.columnShift
  }

  /// A cell with a single scalar.
  init(scalar: UInt32, columns: Int, style: UInt64) {
    front = UInt64(scalar)
    back = 0
    look = style | UInt64(columns) << Self.columnShift
  }

  /// One character with its marks, which every terminal draws ``columns`` wide, or a cluster of several characters. For
  /// a cluster, ``columns`` columns are reserved, however wide the terminal draws it. A text of several columns is in
  /// the first of its cells, and its other cells are empty.
  public var text: String {
    if front & Self.isLong != 0 { return ClusterTable.text(Int(front & ~Self.isLong)) }
    var text = String.UnicodeScalarView()
    for half in [front, front >> 32, back, back >> 32] {
      guard half & Self.scalarMask != 0 else { break }
      Unicode.Scalar(UInt32(half & Self.scalarMask)).map { text.append($0) }
    }
    return String(text)
  }

  /// The number of the cell's link in the grid's ``LinkTable``, or 0.
  public internal(set) var link: Int {
    get { Int(back >> Self.linkShift) }
    set { back = back & ~(UInt64(Self.maximumLink) << Self.linkShift) | UInt64(newValue) << Self.linkShift }
  }

  /// Whether the text is one printable ASCII character.
  public var isASCII: Bool { front >= 0x20 && front < 0x7F }

  /// The first scalar of the text. Undefined for a text of more than four scalars.
  public var firstScalar: UInt32 { UInt32(truncatingIfNeeded: front) }

  /// Whether two cells have the same style, link and number of columns.
  public func hasLook(of other: Cell) -> Bool { look == other.look && link == other.link }

  /// Whether the text begins with `scalar`. Texts of more than four scalars don't match.
  func begins(with scalar: Unicode.Scalar) -> Bool {
    front & Self.isLong == 0 && firstScalar == scalar.value
  }

  /// Number of columns of ``text``. It is 0 in the empty cells of a wide cluster, otherwise at least 1.
  public var columns: UInt8 { UInt8(truncatingIfNeeded: look >> Self.columnShift) }

  public var style: TextStyle { TextStyle(packed: look) }

  private static func words(of text: String) -> (front: UInt64, back: UInt64) {
    var words: (UInt64, UInt64) = (0, 0)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch index {
      case 0: words.0 = UInt64(scalar.value)
      case 1: words.0 |= UInt64(scalar.value) << 32
      case 2: words.1 = UInt64(scalar.value)
      case 3: words.1 |= UInt64(scalar.value) << 32
      default:
        guard let number = ClusterTable.number(of: text) else { return (words.0 & 0xFFFF_FFFF, 0) }
        return (UInt64(number) | isLong, 0)
      }
    }
    return words
  }
}
