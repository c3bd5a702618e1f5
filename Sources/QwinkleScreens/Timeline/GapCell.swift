import PaneKit
import QwinkleModel
import Terminal

/// Marks a position at which qwinks may be missing.
@MainActor
struct GapCell: ListCell {
  /// The number of missing qwinks, if known.
  var missing: MissingCount?
  /// The number of qwinks loaded so far, or nil if the gap isn't loading.
  var loadedCount: Int?
  var density = Density.comfortable

  func rows(forColumns columns: Int) -> Int { density.hasBlankRows ? 2 : 1 }

  func words(forColumns columns: Int) -> [String]? {
    [TimelineWords.saidGap(missing, loadedCount: loadedCount)]
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let isSelected = selection != .none
    let room = canvas.size.columns - 4
    let forms = TimelineWords.gap(missing, loadedCount: loadedCount, isSelected: isSelected)
      .map { " \($0.namingKeys) " }
    let text = forms.first { DisplayWidth.columns(of: $0) <= room } ?? forms.last ?? ""
    let columns = DisplayWidth.columns(of: text)
    canvas.write(String(repeating: "·", count: canvas.size.columns), row: 0, column: 0, role: .rule)
    let role: StyleRole = selection == .active ? .selectedName : isSelected ? .accent : .dim
    canvas.write(text, row: 0, column: max(0, (canvas.size.columns - columns) / 2), role: role)
    if isSelected { canvas.write("▌", row: 0, column: 0, role: selection == .active ? .selection : .dim) }
  }
}
