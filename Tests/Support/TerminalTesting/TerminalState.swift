/// In which state a terminal is after what was written to it: all that a program may switch and has to switch back.
public struct TerminalState: Hashable, Sendable, CustomStringConvertible {
  /// The private modes that are on (DECSET), but for the cursor's blinking, which no description sets back.
  public private(set) var modes: Set<Int> = [7, 25]
  /// Whether typed characters are inserted (IRM).
  public private(set) var inserts = false
  /// Whether the number pad sends sequences of its own (DECKPAM).
  public private(set) var hasApplicationKeypad = false
  /// The looks of what would be written next: attributes by their number, 38 and 48 for colours.
  public private(set) var looks: Set<Int> = []
  /// Whether characters are the lines of a VT100.
  public private(set) var drawsLines = false
  /// The rows that scroll, where that are not all.
  public private(set) var scrollingRows: [Int] = []
  /// What the window was called, in order, since nobody has taken that from the stack.
  public private(set) var titleStack: [String] = []
  /// What the window is called; empty: what it was called before.
  public private(set) var title = ""

  private let rows: Int

  /// A terminal as it is before a program.
  public init(rows: Int) {
    self.rows = rows
  }

  /// A terminal of so many rows after `bytes`.
  public init(rows: Int, after bytes: [UInt8]) {
    self.rows = rows
    for sequence in TerminalSequence.all(in: bytes) { apply(sequence.kind) }
  }

  /// Whether it shows the screen that programs take over and leave again.
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

  /// Puts the title on the stack, or takes it from there.
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
        // What follows says which colour.
        rest = rest.dropFirst(rest.first == 5 ? 2 : rest.count)
      case 39: looks.remove(38)
      case 49: looks.remove(48)
      default: looks.insert(number)
      }
    }
  }
}
