public import Terminal

extension TapeStep {
  /// The keys that a step presses or types, in order and with repeats. Empty for other steps.
  public var keys: [Key] {
    switch self {
    case .press(let press): Array(repeatElement(press.keys, count: max(0, press.count)).joined())
    case .type(let text, _): text.map(TapeKeys.key(typing:))
    default: []
    }
  }
}

/// Maps the key names of tapes to keys. Each result is the key that `KeyDecoder` decodes from the bytes that a terminal
/// sends, so Ctrl+M is Enter, and Ctrl+Space is `^@`.
enum TapeKeys {
  static let codes: [String: Key.Code] = {
    var codes: [String: Key.Code] = [
      "Enter": .enter, "Backspace": .backspace, "Delete": .delete, "Insert": .insert, "Tab": .tab, "Escape": .escape,
      "Space": .character(" "), "Up": .up, "Down": .down, "Left": .left, "Right": .right, "PageUp": .pageUp,
      "PageDown": .pageDown, "Home": .home, "End": .end,
    ]
    for number in 1...12 { codes["F\(number)"] = .function(number) }
    return codes
  }()

  static let modifiers: [String: Key.Modifiers] = ["Ctrl": .control, "Alt": .meta, "Shift": .shift]

  /// Returns the key that types `character`.
  static func key(typing character: Character) -> Key {
    character == "\t" ? Key(.tab) : .character(character)
  }

  /// Returns `code` with `modifiers` held down.
  static func key(_ code: Key.Code, with modifiers: Key.Modifiers) -> Key {
    guard case .character(let character) = code else { return Key(code, modifiers) }
    let rest = modifiers.subtracting([.control, .shift])
    if modifiers.contains(.control) {
      let key = control(character)
      return Key(key.code, key.modifiers.union(rest))
    }
    return Key(.character(modifiers.contains(.shift) ? shifted(character) : character), rest)
  }

  /// Returns `character` with Control. Shift makes no difference, because terminals send the same byte with and without
  /// Shift.
  private static func control(_ character: Character) -> Key {
    switch character {
    case "h", "H", "?": Key(.backspace)
    case "i", "I": Key(.tab)
    case "m", "M": Key(.enter)
    case "[": Key(.escape)
    case " ": .control("@")
    case "/": .control("_")
    default: .control(character.lowercased().first ?? character)
    }
  }

  /// Applies Shift as on a US keyboard, for the characters that VHS accepts.
  private static func shifted(_ character: Character) -> Character {
    switch character {
    case "[": "{"
    case "]": "}"
    default:
      // Some characters have no uppercase form, or one that consists of two characters.
      character.uppercased().count == 1 ? character.uppercased().first ?? character : character
    }
  }
}
