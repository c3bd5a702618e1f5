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
