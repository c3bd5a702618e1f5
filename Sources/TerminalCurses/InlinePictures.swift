import FoundationEssentials
import Terminal

/// The pictures that stand on the screen of a terminal that draws them over its cells (sixel, and iTerm2's protocol).
/// Their cells are blank for ncurses: each picture is drawn after the frame that has all of its cells, again once
/// something may have been drawn there, and erased with the frame that has them no more. Where something covers a part
/// of it, it isn't shown.
struct InlinePictures {
  private var entries: [PicturePlacement: PixelPicture] = [:]
  private var nextIndex = 0
  /// The upper left corner of what the terminal shows.
  private var shown: [PicturePlacement: Point] = [:]
  private var sizes: [PicturePlacement: Size] = [:]
  /// That of what the frame under way has.
  private var wanted: [PicturePlacement: Point] = [:]
  /// How often the screen had been drawn anew when these were drawn.
  private var repaints = 0

  /// Whether frames have to be looked through.
  var isInUse: Bool { !entries.isEmpty || !shown.isEmpty }

  /// Whether there are any on the screen.
  var isShown: Bool { !shown.isEmpty }

  /// The placement of a picture that is drawn with the next frame which has it.
  mutating func place(_ picture: PixelPicture) -> PicturePlacement? {
    guard InlineCommand.canDraw(picture) else { return nil }
    if let known = entries.first(where: { $0.value == picture }) { return known.key }
    var placement = PicturePlacement(index: nextIndex)
    while entries[placement] != nil || shown[placement] != nil {
      nextIndex += 1
      placement = PicturePlacement(index: nextIndex)
    }
    nextIndex += 1
    entries[placement] = picture
    return placement
  }

  /// Takes the pictures out of a frame, and returns it with blanks in their place. `erased` are the rows of what it
  /// doesn't have any more. On a screen of another size than the frame's there are none.
  mutating func take(from frame: Frame, onScreenOf size: Size) -> (frame: Frame, erased: RangeSet<Int>) {
    var (frame, places) = (frame, [PicturePlacement: (count: Int, rows: Range<Int>, columns: Range<Int>)]())
    for row in 0..<frame.grid.size.rows {
      for (column, cell) in frame.grid.row(row).enumerated() where cell.text.utf8.count > 6 {
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

  /// What draws those of the frame that has just been drawn, in which `rows` were written.
  mutating func drawing(rows: RangeSet<Int>, repaints: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for (placement, origin) in wanted.sorted(by: { $0.key.identifier < $1.key.identifier }) {
      guard let picture = entries[placement] else { continue }
      let covered = RangeSet(origin.row..<(origin.row + picture.size.rows))
      if shown[placement] == origin, repaints == self.repaints, rows.isDisjoint(covered) { continue }
      bytes += Array("\u{1B}7\u{1B}[\(origin.row + 1);\(origin.column + 1)H".utf8)
      bytes += InlineCommand.bytes(of: picture) + Array("\u{1B}8".utf8)
    }
    shown = wanted
    sizes = entries.mapValues(\.size)
    self.repaints = repaints
    return bytes
  }

  /// What blanks them out before somebody else gets the terminal.
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
