import PaneKit
import Terminal

/// Marks a place where qwinks may be missing.
@MainActor
struct GapCell: ListCell {
  /// How many have come while they are fetched; nil if they aren't.
  var loadedCount: Int?

  func rows(forColumns columns: Int) -> Int { 2 }

  func words(forColumns columns: Int) -> [String]? { [TimelineWords.saidGap(loadedCount: loadedCount)] }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let isSelected = selection != .none
    let text = " \(TimelineWords.gap(loadedCount: loadedCount, isSelected: isSelected)) "
    let columns = DisplayWidth.columns(of: text)
    canvas.write(String(repeating: "·", count: canvas.size.columns), row: 0, column: 0, role: .rule)
    canvas.write(
      text, row: 0, column: max(0, (canvas.size.columns - columns) / 2), role: isSelected ? .accent : .dim)
    if isSelected { canvas.write("▌", row: 0, column: 0, role: .selection) }
  }
}
