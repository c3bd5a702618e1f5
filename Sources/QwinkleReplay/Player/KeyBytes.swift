public import Terminal

/// The bytes that terminals like xterm send for keys and the mouse: the inverse of `KeyDecoder`.
public enum KeyBytes {
  /// Returns the bytes of a key, or none for function keys beyond F12.
  public static func bytes(of key: Key) -> [UInt8] {
    let alt: [UInt8] = key.modifiers.contains(.meta) ? [0x1B] : []
    switch key.code {
    case .character(let character) where key.modifiers.contains(.control):
      guard let ascii = character.asciiValue else { return alt + Array(String(character).utf8) }
      return alt + [ascii & 0x1F]
    case .character(let character): return alt + Array(String(character).utf8)
    case .enter: return alt + [0x0D]
    case .escape: return alt + [0x1B]
    case .tab: return key.modifiers.contains(.shift) ? Array("\u{1B}[Z".utf8) : alt + [0x09]
    case .backspace: return alt + [0x7F]
    case .up: return letter("A", key)
    case .down: return letter("B", key)
    case .right: return letter("C", key)
    case .left: return letter("D", key)
    case .home: return letter("H", key)
    case .end: return letter("F", key)
    case .insert: return number(2, key)
    case .delete: return number(3, key)
    case .pageUp: return number(5, key)
    case .pageDown: return number(6, key)
    case .function(let function):
      let numbers = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24]
      return numbers.indices.contains(function - 1) ? number(numbers[function - 1], key) : []
    }
  }

  /// Returns the bytes of pasted text, as a bracketed paste.
  public static func bytes(ofPaste text: String) -> [UInt8] {
    Array("\u{1B}[200~".utf8) + Array(text.utf8) + Array("\u{1B}[201~".utf8)
  }

  /// Returns the bytes of a mouse event in xterm's SGR format (mode 1006).
  public static func bytes(of event: MouseEvent) -> [UInt8] {
    let button =
      switch event.kind {
      case .press, .release: 0
      case .drag: 32
      case .wheelUp: 64
      case .wheelDown: 65
      }
    let modifiers = event.modifiers
    let bits =
      (modifiers.contains(.shift) ? 4 : 0) + (modifiers.contains(.meta) ? 8 : 0)
      + (modifiers.contains(.control) ? 16 : 0)
    let final = event.kind == .release ? "m" : "M"
    return Array("\u{1B}[<\(button + bits);\(event.point.column + 1);\(event.point.row + 1)\(final)".utf8)
  }

  private static func letter(_ final: String, _ key: Key) -> [UInt8] {
    Array((key.modifiers.isEmpty ? "\u{1B}[\(final)" : "\u{1B}[1;\(modifier(key))\(final)").utf8)
  }

  private static func number(_ number: Int, _ key: Key) -> [UInt8] {
    Array((key.modifiers.isEmpty ? "\u{1B}[\(number)~" : "\u{1B}[\(number);\(modifier(key))~").utf8)
  }

  private static func modifier(_ key: Key) -> Int {
    1 + (key.modifiers.contains(.shift) ? 1 : 0) + (key.modifiers.contains(.meta) ? 2 : 0)
      + (key.modifiers.contains(.control) ? 4 : 0)
  }
}
