/// The state of a terminal after some output: everything that a program may change and must restore.
public struct TerminalState: Hashable, Sendable, CustomStringConvertible {
  /// The enabled private modes (DECSET), except the blinking cursor, which no terminal description resets.
  public private(set) var modes: Set<Int> = [7, 25]
  /// Whether characters are inserted (IRM).
  public private(set) var inserts = false
  /// Whether the keypad sends its own sequences (DECKPAM).
  public private(set) var hasApplicationKeypad = false
  /// The attributes of the next character, by SGR number; 38 and 48 represent any colour.
  public private(set) var looks: Set<Int> = []
  /// Whether characters are VT100 line drawing.
  public private(set) var drawsLines = false
  /// The scrolling region; empty if it is the whole screen.
  public private(set) var scrollingRows: [Int] = []
  /// The saved titles that have not been restored, oldest first.
  public private(set) var titleStack: [String] = []
  /// The window's title; empty if no program has set it.
  public private(set) var title = ""

  private let rows: Int

  /// The state before any output.
  public init(rows: Int) {
    self.rows = rows
  }

  /// The state after `bytes` on a terminal with this many rows.
  public init(rows: Int, after bytes: [UInt8]) {
    self.rows = rows
    for sequence in TerminalSequence.all(in: bytes) { apply(sequence.kind) }
  }

  /// Whether the alternate screen is shown.
  public var isAlternate: Bool { modes.contains(1049) }
  public var isCursorVisible: Bool { modes.contains(25) }

  public var description: String {
    """
    modes \(modes.sorted()), inserts \(inserts), keypad \(hasApplicationKeypad), looks \(looks.sorted()), \
    lines \(drawsLines), scrolling rows \(scrollingRows), titles \(titleStack), title “\(title)”
    """
  }

  private mutating func apply(_ kind: TerminalSequence.Kind) {
    switch kind {
    case .text, .broken: break
    case .control(let byte): if byte == 0x0E || byte == 0x0F { drawsLines = byte == 0x0E }
    case .escape(let between, let final): applyEscape(between, final)
    case .csi(let parameters, let between, let final): if between.isEmpty { applyControl(parameters, final) }
    case .string(let introducer, let content):
      let text = String(decoding: content, as: UTF8.self)
      if introducer == UInt8(ascii: "]"), ["0;", "2;"].contains(text.prefix(2)) { title = String(text.dropFirst(2)) }
    }
  }

  private mutating func applyEscape(_ between: [UInt8], _ final: UInt8) {
    switch (between, final) {
    case ([], UInt8(ascii: "=")): hasApplicationKeypad = true
    case ([], UInt8(ascii: ">")): hasApplicationKeypad = false
    case ([UInt8(ascii: "(")], _): drawsLines = final == UInt8(ascii: "0")
    default: break
    }
  }

  private mutating func applyControl(_ parameters: [UInt8], _ final: UInt8) {
    let isPrivate = parameters.first == UInt8(ascii: "?")
    let numbers = (isPrivate ? parameters.dropFirst() : parameters[...])
      .split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    switch (final, isPrivate) {
    case (UInt8(ascii: "h"), true): modes.formUnion(numbers.filter { $0 != 12 })
    case (UInt8(ascii: "l"), true): modes.subtract(numbers)
    case (UInt8(ascii: "h"), false): if numbers.contains(4) { inserts = true }
    case (UInt8(ascii: "l"), false): if numbers.contains(4) { inserts = false }
    case (UInt8(ascii: "m"), false): look(numbers)
    case (UInt8(ascii: "r"), false):
      let isWhole = numbers.count < 2 || (numbers[0] <= 1 && numbers[1] >= rows)
      scrollingRows = isWhole ? [] : numbers
    case (UInt8(ascii: "t"), false): switchTitle(numbers)
    default: break
    }
  }

  private mutating func switchTitle(_ numbers: [Int]) {
    if numbers.first == 22 {
      titleStack.append(title)
    } else if numbers.first == 23, let former = titleStack.popLast() {
      title = former
    }
  }

  private mutating func look(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: looks = []
      case 10: looks.remove(11)
      case 22: looks.subtract([1, 2])
      case 23...29: looks.remove(number - 20)
      case 30...37, 90...97: looks.insert(38)
      case 40...47, 100...107: looks.insert(48)
      case 38, 48:
        looks.insert(number)
        // The next numbers define the colour.
        rest = rest.dropFirst(rest.first == 5 ? 2 : rest.count)
      case 39: looks.remove(38)
      case 49: looks.remove(48)
      default: looks.insert(number)
      }
    }
  }
}
