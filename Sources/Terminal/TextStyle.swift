/// A colour, in the form that says most about what the terminal should do with it.
public enum TerminalColor: Hashable, Sendable {
  /// The terminal's own foreground or background.
  case standard
  /// One of the 16 that the user's palette sets: 0–7 and, bright, 8–15.
  case palette(UInt8)
  /// 24 bits, brought down to what the terminal has.
  case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// How a cell looks.
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

  /// The terminal's own look.
  public static let plain = TextStyle()
}
