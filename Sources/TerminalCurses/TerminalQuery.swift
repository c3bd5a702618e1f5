import Terminal

/// A question to the terminal. Nobody waits for the reply, and a late one does no harm.
enum TerminalQuery: Hashable {
  /// Whether the terminal shows frames whole (DECRQM of mode 2026).
  case synchronizedOutput
  /// How wide characters of ambiguous width are: draws one and asks where the cursor is (DSR 6). Every terminal replies
  /// to this, and replies come in order: after it nothing is outstanding.
  case ambiguousWidth

  /// The row, from 1, in which queries are sent, and in which a terminal that does not understand them shows them. In
  /// the first row the reply would look like a key.
  static let row = 2

  /// Asks `queries`, in this order. Cursor and style are as before afterwards.
  static func bytes(asking queries: [TerminalQuery]) -> [UInt8] {
    Array("\u{1B}7\u{1B}[\(row);1H\(queries.map(\.sequence).joined())\u{1B}8".utf8)
  }

  private var sequence: String {
    switch self {
    case .synchronizedOutput: "\u{1B}[?2026$p"
    case .ambiguousWidth: "\u{2500}\u{1B}[6n"
    }
  }
}

/// A terminal's reply to a query. An unexpected one is ignored; none is ever read as keys.
enum TerminalReply: Hashable {
  /// The cursor's position, from 1 (CPR).
  case cursor(row: Int, column: Int)
  /// The state of a private mode (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 never.
  case mode(Int, state: Int)

  /// The query that is answered.
  var query: TerminalQuery {
    switch self {
    case .cursor: .ambiguousWidth
    case .mode: .synchronizedOutput
    }
  }

  /// Whether the terminal shows frames whole.
  var confirmsSynchronizedOutput: Bool { self == .mode(2026, state: 1) || self == .mode(2026, state: 2) }

  /// The form of text that ``TerminalQuery/ambiguousWidth`` has found; nil where the usual one is right.
  var textForm: TextForm? {
    guard case .cursor(row: TerminalQuery.row, let column) = self else { return nil }
    switch column {
    case 3: return .wideUnicode
    // A terminal that shows each byte by itself.
    case 4: return .ascii
    default: return nil
    }
  }

  /// The reply that a control sequence is; nil for other sequences.
  init?(final: UInt8, parameters: ArraySlice<UInt8>, between: ArraySlice<UInt8>) {
    switch final {
    case UInt8(ascii: "R"):
      let numbers = Self.numbers(parameters)
      // In the first row it looks like F3 with a modifier.
      guard between.isEmpty, numbers.count == 2, numbers[0] > 1, numbers[1] > 0 else { return nil }
      self = .cursor(row: numbers[0], column: numbers[1])
    case UInt8(ascii: "y"):
      let numbers = Self.numbers(parameters.dropFirst())
      guard parameters.first == UInt8(ascii: "?"), between.elementsEqual("$".utf8), numbers.count == 2 else {
        return nil
      }
      self = .mode(numbers[0], state: numbers[1])
    default:
      return nil
    }
  }

  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? -1
    }
  }
}
