import PaneKit
import Pictures
import Terminal

/// How pictures are shown, as the reader has chosen.
enum PictureForm: String, CaseIterable, Sendable {
  /// Pixel for pixel where the terminal can do that, otherwise in cells.
  case kitty
  case cells
  /// Alt text alone.
  case off
}

extension PictureShelf.Means {
  /// How the terminal of `window` can show pictures; nil: not at all, or the reader wants none.
  @MainActor
  init?(_ window: Window?, _ form: PictureForm) {
    guard form != .off, let capabilities = window?.application?.driver.capabilities, !capabilities.isLinear,
      capabilities.colors >= 16, capabilities.textForm.drawsBlocks
    else { return nil }
    self.init(colors: capabilities.colors, symbols: .quadrants)
  }

  /// An order for a picture that fits into `room`, or fills it.
  func order(room: Size, fills: Bool = false) -> PictureOrder {
    PictureOrder(room: room, colors: colors, symbols: symbols, fills: fills)
  }
}

extension Canvas {
  /// Draws a picture from a place on.
  @MainActor
  func draw(_ picture: Picture, row: Int, column: Int) {
    for line in 0..<picture.size.rows where visibleRows.contains(row + line) {
      var place = column
      for cell in picture.row(line) {
        write(String(cell.character), row: row + line, column: place, style: cell.style)
        place += 1
      }
    }
  }
}
