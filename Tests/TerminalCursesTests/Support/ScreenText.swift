import Terminal
import TerminalCurses

extension CursesDriver {
  /// All rows, one per line, without trailing blanks.
  var screenText: String {
    (0..<size.rows).map { row in
      var text = ""
      var column = 0
      while column < size.columns, let cell = cell(row: row, column: column) {
        text += cell.text
        column += cell.columns
      }
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }
}
