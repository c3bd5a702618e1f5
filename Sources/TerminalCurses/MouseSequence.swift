import Terminal

/// Mouse events as terminals report them in mode 1006 (xterm's control sequences, "SGR" coordinates): ESC `[<` button
/// `;` column `;` row, and `M` or `m`.
enum MouseSequence {
  /// Switches reports on for buttons, the wheel, and movement while a button is pressed.
  static let on = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
  static let off = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  /// Returns the event of a control sequence. Nil for other sequences and for other buttons.
  static func event(final: UInt8, parameters: ArraySlice<UInt8>) -> MouseEvent? {
    guard final == UInt8(ascii: "M") || final == UInt8(ascii: "m"), parameters.first == UInt8(ascii: "<") else {
      return nil
    }
    let numbers = parameters.dropFirst().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3, numbers[0] >= 0, numbers[1] > 0, numbers[2] > 0,
      let kind = kind(numbers[0] & ~0b1_1100, isRelease: final == UInt8(ascii: "m"))
    else { return nil }
    return MouseEvent(kind, at: point(numbers), modifiers(numbers[0]))
  }

  /// Returns the event of a report in X10's form, from terminals without mode 1006. `places` are the three bytes after
  /// the final `M`: button, column and row.
  static func event(final: UInt8, places: ArraySlice<UInt8>) -> MouseEvent? {
    let numbers = places.map { Int($0) - 32 }
    guard final == UInt8(ascii: "M"), numbers.count == 3, numbers[0] >= 0, numbers[1] > 0, numbers[2] > 0 else {
      return nil
    }
    let button = numbers[0] & ~0b1_1100
    // X10's form doesn't report which button was released.
    guard let kind = button == 3 ? .release : kind(button, isRelease: false) else { return nil }
    return MouseEvent(kind, at: point(numbers), modifiers(numbers[0]))
  }

  /// Returns the position of the mouse. Positions are clamped to 65,535 rows and columns, because no terminal is
  /// larger.
  private static func point(_ numbers: [Int]) -> Point {
    Point(row: min(numbers[2], 65_535) - 1, column: min(numbers[1], 65_535) - 1)
  }

  private static func modifiers(_ button: Int) -> Key.Modifiers {
    var modifiers: Key.Modifiers = []
    if button & 4 != 0 { modifiers.insert(.shift) }
    if button & 8 != 0 { modifiers.insert(.meta) }
    if button & 16 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  private static func kind(_ button: Int, isRelease: Bool) -> MouseEvent.Kind? {
    switch button {
    case 0: isRelease ? .release : .press
    case 32: .drag
    case 64: .wheelUp
    case 65: .wheelDown
    default: nil
    }
  }
}
