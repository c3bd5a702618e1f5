import FoundationEssentials
import Terminal

/// The pictures on a terminal that draws them over its cells (sixel, and iTerm2's protocol). For ncurses their cells
/// are blank. A picture is drawn after the first frame that contains all of its cells, drawn again if its rows were
/// written, and erased with the first frame that no longer contains it. A partly covered picture is not shown.
struct InlinePictures {
  private var entries: [PicturePlacement: PixelPicture] = [:]
  private var nextIndex = 0
  /// Upper left corners of the visible pictures.
  private var shown: [PicturePlacement: Point] = [:]
  private var sizes: [PicturePlacement: Size] = [:]
  /// Upper left corners of the pictures in the frame that is being drawn.
  private var wanted: [PicturePlacement: Point] = [:]
  /// The screen's number of repaints when the pictures were last drawn. After another repaint, they must be drawn
  /// again.
  private var repaints = 0

  /// Whether frames must be searched for pictures.
  var isInUse: Bool { !entries.isEmpty || !shown.isEmpty }

  /// Whether any pictures are on the screen.
  var isShown: Bool { !shown.isEmpty }

  /// Returns the placement of a picture, or nil if it can't be drawn. The next frame that contains the placement draws
  /// the picture.
  mutating func place(_ picture: PixelPicture) -> PicturePlacement? {
    guard InlineCommand.canDraw(picture) else { return nil }
    if let known = entries.first(where: { $0.value == picture }) { return known.key }
    var placement: PicturePlacement
    repeat {
      placement = PicturePlacement(index: nextIndex)
      nextIndex += 1
    } while entries[placement] != nil || shown[placement] != nil
    entries[placement] = picture
    return placement
  }

  /// Returns `frame` with blanks in place of the pictures' cells. `erased` contains the rows of visible pictures that
  /// the frame no longer contains at the same position. If the sizes of frame and screen differ, no pictures are shown.
  mutating func take(from frame: Frame, onScreenOf size: Size) -> (frame: Frame, erased: RangeSet<Int>) {
    var (frame, places) = (frame, [PicturePlacement: (count: Int, rows: Range<Int>, columns: Range<Int>)]())
    for row in 0..<frame.grid.size.rows {
      for (column, cell) in frame.grid.row(row).enumerated() {
        guard let placement = PicturePlacement(cell) else { continue }
        let known = places[placement] ?? (0, row..<row, column..<column)
        places[placement] = (
          known.count + 1, known.rows.lowerBound..<(row + 1),
          min(column, known.columns.lowerBound)..<max(column + 1, known.columns.upperBound)
        )
        frame.grid.fill(Rect(row: row, column: column, rows: 1, columns: 1))
      }
    }
    entries = entries.filter { places[$0.key] != nil }
    wanted = [:]
    for (placement, place) in places where frame.grid.size == size {
      guard let size = entries[placement]?.size, place.rows.count == size.rows, place.columns.count == size.columns,
        place.count == size.rows * size.columns
      else { continue }
      wanted[placement] = Point(row: place.rows.lowerBound, column: place.columns.lowerBound)
    }
    var erased = RangeSet<Int>()
    for (placement, origin) in shown where wanted[placement] != origin {
      if let size = sizes[placement] { erased.insert(contentsOf: origin.row..<(origin.row + size.rows)) }
    }
    return (frame, erased)
  }

  /// Returns the output that draws the pictures of the last frame. `rows` are the rows in which that frame wrote cells.
  mutating func drawing(rows: [Int], repaints: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for (placement, origin) in wanted.sorted(by: { $0.key.identifier < $1.key.identifier }) {
      guard let picture = entries[placement] else { continue }
      let covered = origin.row..<(origin.row + picture.size.rows)
      if shown[placement] == origin, repaints == self.repaints, !rows.contains(where: covered.contains) { continue }
      bytes += Array("\u{1B}7\u{1B}[\(origin.row + 1);\(origin.column + 1)H".utf8)
      bytes += InlineCommand.bytes(of: picture) + Array("\u{1B}8".utf8)
    }
    shown = wanted
    sizes = entries.mapValues(\.size)
    self.repaints = repaints
    return bytes
  }

  /// Returns the output that erases all pictures before another program gets the terminal.
  mutating func erasing() -> [UInt8] {
    var bytes: [UInt8] = []
    for (placement, origin) in shown {
      guard let size = sizes[placement] else { continue }
      for row in origin.row..<(origin.row + size.rows) {
        bytes += Array("\u{1B}[\(row + 1);\(origin.column + 1)H\u{1B}[\(size.columns)X".utf8)
      }
    }
    shown = [:]
    return bytes
  }
}
