/// What a terminal answers to a question. An answer that nobody waits for is passed over; none is ever taken for keys.
enum TerminalAnswer: Hashable {
  /// Where its cursor stands, from 1 (CPR).
  case cursor(row: Int, column: Int)
  /// How a private mode is set (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 never.
  case mode(Int, state: Int)

  /// What a question is about.
  enum Subject: Hashable { case cursor, mode }

  var subject: Subject {
    switch self {
    case .cursor: .cursor
    case .mode: .mode
    }
  }

  /// The answer that a control sequence is; nil for what is none.
  init?(final: UInt8, parameters: ArraySlice<UInt8>, between: ArraySlice<UInt8>) {
    switch final {
    case UInt8(ascii: "R"):
      let numbers = Self.numbers(parameters)
      // With a first row, it is what terminals send for F3 with a modifier.
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
