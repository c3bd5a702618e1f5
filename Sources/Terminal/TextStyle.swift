/// A colour: the terminal's default, an entry of its palette, or an exact value.
public enum TerminalColor: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// One of the 16 colours of the user's palette. The bright colours are 8–15.
  case palette(UInt8)
  /// A 24-bit colour. It is reduced to the colours of the terminal.
  case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// The appearance of a cell.
public struct TextStyle: Hashable, Sendable {
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let italic = Attributes(rawValue: 4)
    public static let underline = Attributes(rawValue: 8)
    public static let reverse = Attributes(rawValue: 16)
  }

  public var foreground: TerminalColor
  public var background: TerminalColor
  public var attributes: Attributes

  public init(
    _ foreground: TerminalColor = .standard, on background: TerminalColor = .standard, _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's default appearance.
  public static let plain = TextStyle()
}

extension TextStyle {
  public func hash(into hasher: inout Hasher) { hasher.combine(packed) }

  /// Number of bits of ``packed``.
  static let packedBits: UInt64 = 58

  /// The style as a number: foreground, background and attributes, from the lowest bit up.
  var packed: UInt64 {
    foreground.packed | background.packed << TerminalColor.packedBits
      | UInt64(attributes.rawValue) << (2 * TerminalColor.packedBits)
  }

  /// The style whose ``packed`` number is in the lower bits of `number`.
  init(packed number: UInt64) {
    self.init(
      TerminalColor(packed: number), on: TerminalColor(packed: number >> TerminalColor.packedBits),
      Attributes(rawValue: UInt8(truncatingIfNeeded: number >> (2 * TerminalColor.packedBits))))
  }
}

extension TerminalColor {
  fileprivate static let packedBits: UInt64 = 25
  private static let isExact: UInt64 = 1 << 24

  fileprivate var packed: UInt64 {
    switch self {
    case .standard: 0
    case .palette(let number): UInt64(number) + 1
    case .rgb(let red, let green, let blue): Self.isExact | UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue)
    }
  }

  fileprivate init(packed number: UInt64) {
    let low = UInt32(truncatingIfNeeded: number & 0xFF_FFFF)
    if number & Self.isExact != 0 {
      self = .rgb(
        red: UInt8(low >> 16), green: UInt8(truncatingIfNeeded: low >> 8), blue: UInt8(truncatingIfNeeded: low))
    } else {
      self = low == 0 ? .standard : .palette(UInt8(truncatingIfNeeded: low - 1))
    }
  }
}
