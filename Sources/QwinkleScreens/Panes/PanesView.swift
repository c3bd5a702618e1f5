import PaneKit
import Terminal

/// The view of the panes. The user can drag the title row of a lower pane, which is the line between two panes.
@MainActor
final class PanesView: View {
  /// Returns the border that a press at `point` grabs, if any.
  var border: (Point) -> PaneBorder? = { _ in nil }
  /// Moves a border by a number of rows, as far as possible. Returns the distance that it moved.
  var move: (PaneBorder, Int) -> Int = { _, _ in 0 }
  var didLayout: () -> Void = {}
  private var dragged: (border: PaneBorder, row: Int)?

  override func mouseDown(with event: MouseEvent) -> Bool {
    dragged = border(event.point).map { ($0, event.point.row) }
    return dragged != nil
  }

  override func mouseDragged(with event: MouseEvent) -> Bool {
    guard let dragged else { return false }
    let distance = event.point.row - dragged.row
    if distance != 0 { self.dragged?.row += move(dragged.border, distance) }
    return true
  }

  override func layoutSubviews() { didLayout() }
}
