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
    /// Used only with keys that are not characters: the terminal reports Shift and `a` as the character `A`.
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

  /// The Control key and `character`, which is lowercase.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }

  /// The Meta (Alt) key and `character`.
  public static func meta(_ character: Character) -> Key { Key(.character(character), .meta) }

  /// The character that this key types into a text, or nil if the key has modifiers or isn't a character.
  public var typedCharacter: Character? {
    if case .character(let character) = code, modifiers.isEmpty { character } else { nil }
  }
}

/// An event that the terminal reports.
public enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  /// Pasted text, not sanitized. It must never be interpreted as keys.
  case paste(String)
  /// A paste has begun, but nothing has arrived for a while, not even its end. All further input belongs to the paste
  /// until its end arrives. The user can discard the paste with ^C.
  case pasteStalls
  case resize(Size)
  case mouse(MouseEvent)
  /// The terminal has reported its capabilities. Text, colours and pictures may look different from now on.
  case capabilities(TerminalCapabilities)
  /// The connection to the terminal is lost. Nothing can be shown any more.
  case hangup
}
