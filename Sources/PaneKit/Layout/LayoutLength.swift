/// The number of rows or columns for a part of a ``Layout``.
public struct LayoutLength: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case intrinsic, fraction, fixed, fill

    /// The order in which parts shrink, lowest rank first. Parts without an item are gaps and have rank 0.
    var rank: Int {
      switch self {
      case .intrinsic: 1
      case .fraction: 2
      case .fixed: 3
      case .fill: 4
      }
    }

    static let highestRank = 4
  }

  let kind: Kind
  private var length = 0
  private var part = 0.0
  var maximum = Int.max

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// A share of the length that the other parts leave. All parts that fill get equal shares.
  public static let fill = minimum(0)

  /// At least `minimum`, and up to `maximum` if length remains.
  public static func minimum(_ minimum: Int, atMost maximum: Int = .max) -> LayoutLength {
    var length = LayoutLength(.fill)
    length.length = max(0, minimum)
    length.maximum = max(minimum, maximum)
    return length
  }

  /// The item's intrinsic size.
  public static let intrinsic = intrinsic(atMost: .max)

  /// The item's intrinsic size, up to `maximum`.
  public static func intrinsic(atMost maximum: Int) -> LayoutLength {
    var length = LayoutLength(.intrinsic)
    length.maximum = max(0, maximum)
    return length
  }

  /// A fixed number of rows or columns.
  public static func fixed(_ count: Int) -> LayoutLength {
    var length = LayoutLength(.fixed)
    length.length = max(0, count)
    return length
  }

  /// A fraction of the available length, from 0 to 1, rounded down.
  public static func fraction(_ part: Double) -> LayoutLength {
    var length = LayoutLength(.fraction)
    length.part = min(max(part, 0), 1)
    return length
  }

  var isIntrinsic: Bool { kind == .intrinsic }

  /// Whether getting less than the preferred length is an error.
  var isRequired: Bool { kind == .fixed || kind == .fill }

  /// Returns the preferred length in `room`, given the item's intrinsic length.
  func ideal(in room: Int, intrinsic: () -> Int) -> Int {
    switch kind {
    case .fill, .fixed: length
    case .fraction: Int(Double(room) * part)
    case .intrinsic: min(maximum, intrinsic())
    }
  }
}
