/// A key, as a terminal reports it.
public struct Key: Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let control = Modifiers(rawValue: 1)
    public static let meta = Modifiers(rawValue: 2)
    /// Only with keys that are not characters: `A` is the character, not shift and `a`.
    public static let shift = Modifiers(rawValue: 4)
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// The key that types `character`.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }

  /// The control key and `character`, in lower case.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }

  /// The meta (Alt) key and `character`.
  public static func meta(_ character: Character) -> Key { Key(.character(character), .meta) }

  /// The character that this key types into a text; nil for commands.
  public var typedCharacter: Character? {
    if case .character(let character) = code, modifiers.isEmpty { character } else { nil }
  }
}

/// What a terminal tells the program.
public enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  /// Text that was pasted, as it came: not yet cleaned, and never to be read as keys.
  case paste(String)
  /// A paste has begun, and its end does not come. ^C drops it; until then all that comes belongs to it.
  case pasteStalls
  case resize(Size)
  case mouse(MouseEvent)
  /// The terminal has answered what it can do, and things may look different from now on.
  case capabilities(TerminalCapabilities)
  /// The terminal has gone; nothing can be shown any more.
  case hangup
}
