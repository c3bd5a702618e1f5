import CNcurses
import Terminal

/// Asks a terminal how it draws what Unicode calls ambiguous, and whether it takes whole frames. Nobody waits for the
/// answers, and late ones do no harm.
struct WidthQuestion {
  /// The row, from 1, in which a question is asked, and in which a terminal that does not understand it shows it. In
  /// the first, the answer would look like a key.
  static let row = 2
  /// Draws a line of one column, or two, and asks where the cursor is then.
  static let width = "\u{2500}\u{1B}[6n"
  static let frames = "\u{1B}[?2026$p"

  /// `questions`, asked at the beginning of that row; the cursor and the looks are as before afterwards.
  static func asking(_ questions: String) -> String {
    "\u{1B}7\u{1B}[\(row);1H\(questions)\u{1B}8"
  }

  private var isOpen = true

  /// What an answer says of the form of text; nil where it says nothing, or nothing new.
  mutating func form(from answer: TerminalAnswer) -> TextForm? {
    guard isOpen, case .cursor(row: Self.row, let column) = answer else { return nil }
    isOpen = false
    switch column {
    case 3: return .wideUnicode
    // A terminal that shows each byte by itself.
    case 4: return .ascii
    default: return nil
    }
  }

  /// Whether an answer says that the terminal takes whole frames.
  static func saysFrames(_ answer: TerminalAnswer) -> Bool {
    answer == .mode(2026, state: 1) || answer == .mode(2026, state: 2)
  }
}
