import Foundation
import Terminal
import TerminalCurses
import TerminalTesting
import Testing

/// Fails unless tmux, after receiving everything that `driver` sent, shows the same cells as ncurses. Erases the
/// canvas.
///
/// tmux does not report columns, so this erases the screen column by column from the right and compares the remaining
/// text.
@MainActor
func expectSameCells(
  _ driver: CursesDriver, _ canvas: TmuxCanvas, _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let size = driver.size
  let rows = (0..<size.rows).map { row in
    (0..<size.columns).map { driver.cell(row: row, column: $0) }
  }
  for columns in (0...size.columns).reversed() {
    if columns < size.columns { try await canvas.erase(from: columns) }
    let shown = try await canvas.rows()
    let believed = rows.map { text(ofFirst: columns, in: $0) }
    guard shown != believed else { continue }
    let row = zip(shown, believed).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    Issue.record(
      """
      \(comment) row \(row), the first \(columns) columns:
      tmux:    \(escaped(shown.indices.contains(row) ? shown[row] : "nothing"))
      ncurses: \(escaped(believed.indices.contains(row) ? believed[row] : "nothing"))
      """, sourceLocation: sourceLocation)
    return
  }
}

/// Returns the text of the first columns of a row without trailing blanks, including a wide character that begins in
/// them.
private func text(ofFirst columns: Int, in cells: [ScreenCell?]) -> String {
  var text = ""
  var column = 0
  while column < columns, let cell = cells[column] {
    text += cell.text
    column += cell.columns
  }
  while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
  return text
}

/// Returns `text` with non-ASCII and control characters as their code points.
func escaped(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    scalar.isASCII && scalar.value >= 0x20
      ? String(scalar) : "<\(String(scalar.value, radix: 16, uppercase: true))>"
  }.joined()
}
