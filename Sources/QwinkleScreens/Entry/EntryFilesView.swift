import PaneKit
import Pictures
import Terminal

/// A list of the entry's files below its text. Each row has the file's name, size, state and description, after its
/// thumbnail if any.
@MainActor
final class EntryFilesView: View {
  /// The maximum size of a thumbnail.
  static let thumbnail = Size(rows: 3, columns: 8)
  private static let gap = 1

  var files: [EntryAttachments.File] = [] {
    didSet {
      guard files != oldValue else { return }
      if files.map(rows) != oldValue.map(rows) { invalidateIntrinsicSize() }
      setNeedsDisplay()
    }
  }

  /// The number of rows for all files.
  var rowCount: Int { files.reduce(0) { $0 + rows(of: $1) } }

  private func rows(of file: EntryAttachments.File) -> Int { max(1, file.thumbnail?.size.rows ?? 1) }

  override func intrinsicSize(in room: Size) -> Size {
    Size(rows: min(room.rows, rowCount), columns: room.columns)
  }

  override var linearTexts: [LinearText] {
    files.isEmpty ? [] : [LinearText(.status, files.indices.map { line($0).map(\.text).joined() })]
  }

  private func role(of file: EntryAttachments.File) -> StyleRole {
    if file.failure != nil { return .error }
    return file.id == nil ? .accent : .dim
  }

  private func line(_ index: Int) -> [TextRun<StyleRole>] {
    let file = files[index]
    let name = EntryFileWords.name(of: file, number: index + 1)
    let size = file.byteCount > 0 ? "  \(EntryFileWords.size(file.byteCount))" : ""
    var runs: [TextRun<StyleRole>] = [
      TextRun("+ \(name)", .text), TextRun("\(size)  \(EntryFileWords.state(file))", role(of: file)),
    ]
    if !file.altText.isEmpty {
      runs.append(TextRun("  “\(file.altText)”", .dim))
      if file.description == .failed { runs.append(TextRun("  \(EntryFileWords.notDescribed)", .warning)) }
    } else if file.failure == nil {
      runs.append(TextRun("  \(EntryFileWords.noAltText)", .warning))
    }
    return runs
  }

  override func draw(in canvas: Canvas) {
    // If the thumbnails don't all fit, show none of them, so that every file still has a line.
    let showsPictures = rowCount <= canvas.size.rows
    let column = showsPictures && files.contains { $0.thumbnail != nil } ? Self.thumbnail.columns + Self.gap : 0
    let lines = TextLayout.cut(
      files.indices.map(line), columns: max(1, canvas.size.columns - column), rows: max(1, canvas.size.rows),
      form: textForm)
    var row = 0
    for (file, line) in zip(files, lines) {
      if showsPictures, let picture = file.thumbnail {
        canvas.draw(picture, row: row, column: 0, by: window?.application?.driver)
      }
      canvas.write(line, row: row, column: column)
      row += showsPictures ? rows(of: file) : 1
    }
  }
}
