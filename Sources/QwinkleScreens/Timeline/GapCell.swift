import PaneKit
import Terminal

/// Stands where qwinks may be missing between two rows.
@MainActor
struct GapCell: ListCell {
  func rows(forColumns columns: Int) -> Int { 2 }

  func words(forColumns columns: Int) -> [String]? { ["There may be more in between. Enter fetches it."] }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let text = selection != .none ? " Enter fetches what is missing here " : " more in between "
    let columns = DisplayWidth.columns(of: text)
    canvas.write(String(repeating: "·", count: canvas.size.columns), row: 0, column: 0, role: .rule)
    canvas.write(
      text, row: 0, column: max(0, (canvas.size.columns - columns) / 2), role: selection != .none ? .accent : .dim)
    if selection != .none { canvas.write("▌", row: 0, column: 0, role: .selection) }
  }
}
