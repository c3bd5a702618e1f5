import PaneKit

/// Messages about pasted text.
enum PasteWords {
  static let ignored = "Pasted text goes into an entry: press c first."
  static let stalled = "The rest of the paste has not arrived. ^C drops it."

  /// Asks whether to paste this much.
  static func question(_ size: PasteSize) -> String {
    let characters = Counted.words(size.characters, "character")
    return size.lines > PasteSize.maximumLines
      ? "Paste \(characters) in \(Counted.grouped(size.lines)) lines?" : "Paste \(characters)?"
  }
}
