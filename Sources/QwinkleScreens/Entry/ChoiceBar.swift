import PaneKit
import Terminal

/// A row of choices, at most one of them selected, or a message. It scrolls to keep the selected choice visible.
@MainActor
final class ChoiceBar: View {
  private static let gap = 2
  private static let margin = 1

  private var choices: [String] = []
  private var selected: Int?
  private var words = ""

  func show(_ choices: [String], selected: Int?) {
    self.choices = choices
    self.selected = selected
    words = ""
    setNeedsDisplay()
  }

  /// Shows a message instead of choices.
  func say(_ words: String) {
    choices = []
    self.words = words
    setNeedsDisplay()
  }

  /// The inserted choice is read aloud as part of the editor's text, so only messages are read here.
  override var linearTexts: [LinearText] { words.isEmpty ? [] : [LinearText(.status, [words])] }

  override func draw(in canvas: Canvas) {
    guard !choices.isEmpty else {
      canvas.write(words, row: 0, column: Self.margin, role: .dim)
      return
    }
    let room = canvas.size.columns - 2 * Self.margin
    let first = firstShown(room: room)
    var column = Self.margin
    if first > 0 { column += canvas.write("… ", row: 0, column: column, role: .dim) }
    for (index, choice) in choices.enumerated().dropFirst(first) {
      // Leave room for a space and the “…” that marks more choices.
      let reserve = index == choices.count - 1 ? 0 : 2
      let width = DisplayWidth.columns(of: choice)
      guard index == selected || column + width + reserve <= canvas.size.columns else {
        canvas.write("…", row: 0, column: column, role: .dim)
        break
      }
      let role: StyleRole = index == selected ? .selection : .dim
      column += canvas.write(choice, row: 0, column: column, role: role, columns: room) + Self.gap
    }
  }

  /// Returns the index of the first choice to draw so that the selected one is visible.
  private func firstShown(room: Int) -> Int {
    guard let selected else { return 0 }
    var first = selected
    var columns = DisplayWidth.columns(of: choices[selected]) + 4
    while first > 0 {
      columns += DisplayWidth.columns(of: choices[first - 1]) + Self.gap
      guard columns <= room else { break }
      first -= 1
    }
    return first
  }
}
