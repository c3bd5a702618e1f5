import PaneKit
import Pictures
import Terminal

/// The user's choice of how pictures are shown.
enum PictureForm: String, CaseIterable, Sendable {
  /// In pixels if the terminal supports them, otherwise in character cells.
  case kitty
  case cells
  /// Only alt text.
  case off
}

extension PictureShelf.Rendering {
  /// Describes how the terminal of `window` can show pictures. Returns nil if the terminal can't show pictures, or if
  /// the user has turned them off. If `alone` is true, the picture doesn't scroll, so the terminal can also draw it
  /// over the cells, from a file or as a sixel.
  @MainActor
  init?(_ window: Window?, _ form: PictureForm, alone: Bool = false) {
    guard form != .off, let capabilities = window?.application?.driver.capabilities, !capabilities.isLinear,
      capabilities.colors >= 8
    else { return nil }
    let drawsCells = capabilities.colors >= 16 && capabilities.textForm.drawsBlocks
    let shown: PictureOrder.Form =
      switch (form, capabilities.drawsPictures) {
      case (.kitty, _) where capabilities.placesPictures: .pixels
      case (.kitty, .file) where alone: .file
      case (.kitty, .sixel) where alone: .sixel
      default: .cells
      }
    // Pictures in cells need 16 colours. A picture drawn over the cells doesn't use the terminal's colours, so it is
    // also possible in xterm, which reports only eight.
    guard drawsCells || shown == .file || shown == .sixel else { return nil }
    self.init(
      form: shown, colors: capabilities.colors, symbols: .quadrants, cell: capabilities.cellSize ?? .common)
  }

  /// Returns a request to decode a picture that fits into `room`, or fills it if `fills` is true.
  func order(room: Size, fills: Bool = false, zoom: PictureZoom = .fit) -> PictureOrder {
    PictureOrder(form, room: room, colors: colors, symbols: symbols, fills: fills, cell: cell, zoom: zoom)
  }
}

extension Canvas {
  /// Draws a picture with its top left corner at a position. `driver` places pixel pictures in the terminal.
  @MainActor
  func draw(_ picture: Picture, row: Int, column: Int, by driver: (any TerminalDriver)?) {
    if let pixels = picture.pixels {
      guard let placement = driver?.place(pixels) else { return }
      for line in 0..<pixels.size.rows where visibleRows.contains(row + line) {
        for place in 0..<pixels.size.columns {
          guard let text = placement.text(row: line, column: place) else { continue }
          write(text, row: row + line, column: column + place, style: placement.style)
        }
      }
      return
    }
    for line in 0..<picture.size.rows where visibleRows.contains(row + line) {
      var place = column
      for cell in picture.row(line) {
        write(String(cell.character), row: row + line, column: place, style: cell.style)
        place += 1
      }
    }
  }
}
