import OnDemandResources
import PaneKit
import Pictures
import QwinkleModel
import Terminal

/// Custom emoji as pictures of two columns in the text of a cell. A name stays text until its picture is loaded, and on
/// terminals without pixel pictures.
@MainActor
struct EmojiPictures {
  private struct Entry {
    let emoji: CustomEmoji
    let wish: PictureWish
    /// The character that reserves the picture's columns in the text.
    let placeholder: Character
  }

  private static let size = Size(rows: 1, columns: 2)
  /// The first placeholder, a Tangut ideograph. These ideographs are two columns wide, so that wrapping and truncation
  /// never divide a picture, and posts practically never contain them.
  private static let firstPlaceholder: UInt32 = 0x17000
  private static let mostPlaceholders = 256

  private let shelf: PictureShelf
  private let entries: [Entry]

  /// Returns nil if there are no emoji, or if the terminal can't show pixels in text.
  init?(_ emoji: [CustomEmoji], shelf: PictureShelf, rendering: PictureShelf.Rendering) {
    guard !emoji.isEmpty, rendering.form == .pixels else { return nil }
    self.shelf = shelf
    var seen: Set<String> = []
    entries = emoji.filter { seen.insert($0.name).inserted }.prefix(Self.mostPlaceholders).enumerated().compactMap {
      index, emoji in
      Unicode.Scalar(Self.firstPlaceholder + UInt32(index)).map { scalar in
        Entry(
          emoji: emoji,
          wish: PictureWish(
            address: emoji.url, tag: .emoji(at: emoji.url), order: rendering.order(room: Self.size)),
          placeholder: Character(scalar))
      }
    }
  }

  /// The pictures to load.
  var wishes: [PictureWish] { entries.map(\.wish) }

  /// Returns the text with a placeholder for each name whose picture is loaded.
  func placing(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
    return loaded.reduce(text) { $0.replacing($1.emoji.text, with: String($1.placeholder)) }
  }

  func placing(in runs: [TextRun<StyleRole>]) -> [TextRun<StyleRole>] {
    runs.map { run in
      guard run.text.utf8.contains(UInt8(ascii: ":")) else { return run }
      return TextRun(placing(in: run.text), run.attribute, link: run.link)
    }
  }

  /// Draws the pictures over the placeholders in `lines`, which were drawn into `canvas`.
  func draw(over lines: [CellLine], in canvas: Canvas, by driver: (any TerminalDriver)?) {
    let loaded = loaded
    guard !loaded.isEmpty else { return }
    for (row, line) in lines.enumerated() where canvas.visibleRows.contains(row) {
      var column = line.column
      for run in line.runs {
        draw(over: run.text, row: row, column: column, in: canvas, by: driver)
        column += DisplayWidth.columns(of: run.text)
      }
    }
  }

  private func draw(over text: String, row: Int, column: Int, in canvas: Canvas, by driver: (any TerminalDriver)?) {
    // Most texts have no character beyond the basic plane. The first byte of a placeholder in UTF-8 is F0.
    guard text.utf8.contains(0xF0) else { return }
    var column = column
    for character in text {
      if let entry = loaded.first(where: { $0.placeholder == character }),
        case .shown(let picture) = shelf.state(of: entry.wish)
      {
        canvas.write("  ", row: row, column: column, role: .text)
        canvas.draw(picture, row: row, column: column, by: driver)
      }
      column += DisplayWidth.columns(of: String(character))
    }
  }

  private var loaded: [Entry] {
    entries.filter { entry in
      if case .shown = shelf.state(of: entry.wish) { true } else { false }
    }
  }
}

extension QwinkCellData {
  /// Returns the content with placeholders for the emoji whose pictures are loaded.
  @MainActor
  func placing(_ emoji: EmojiPictures) -> QwinkCellData {
    var data = self
    data.name = emoji.placing(in: name)
    data.shortName = emoji.placing(in: shortName)
    data.warning = warning.map { emoji.placing(in: $0) }
    data.paragraphs = paragraphs.map { emoji.placing(in: $0) }
    return data
  }
}
