import PaneKit
import Terminal

/// The files of an entry below its text, one in each row: name, size, how far it is, and its description.
@MainActor
final class EntryFilesView: View {
  var files: [EntryAttachments.File] = [] {
    didSet {
      guard files != oldValue else { return }
      if files.count != oldValue.count { invalidateIntrinsicSize() }
      setNeedsDisplay()
    }
  }

  override func intrinsicSize(in room: Size) -> Size {
    Size(rows: min(room.rows, files.count), columns: room.columns)
  }

  override var linearTexts: [LinearText] {
    files.isEmpty ? [] : [LinearText(.status, files.indices.map { line($0).map(\.text).joined() })]
  }

  private func line(_ index: Int) -> [TextRun<StyleRole>] {
    let file = files[index]
    let name = file.name ?? EntryFileWords.file(index + 1)
    let size = file.byteCount > 0 ? "  \(EntryFileWords.size(file.byteCount))" : ""
    var runs: [TextRun<StyleRole>] = [
      TextRun("+ \(name)", .text), TextRun("\(size)  \(EntryFileWords.state(file))", file.id == nil ? .accent : .dim),
    ]
    if !file.altText.isEmpty {
      runs.append(TextRun("  “\(file.altText)”", .dim))
    } else if file.name != nil {
      runs.append(TextRun("  \(EntryFileWords.noAltText)", .warning))
    }
    return runs
  }

  override func draw(in canvas: Canvas) {
    let lines = TextLayout.cut(
      files.indices.map(line), columns: canvas.size.columns, rows: canvas.size.rows, form: textForm)
    for (row, line) in lines.enumerated() { canvas.write(line, row: row, column: 0) }
  }
}
