import PaneKit
import QwinkleModel
import Terminal

/// The text of a link in a catch-up: its title, its host, and the users who shared it.
struct CatchUpLinkData: Hashable {
  var title: String
  var url: String
  var host: String
  /// The short names of the users who shared it, oldest first.
  var sharers: [String]
  /// Whether the reader has seen all posts with the link.
  var isSeen: Bool

  init(_ link: CatchUpRow.Link, isSeen: Bool) {
    title = link.title.isEmpty ? WebAddress(link.url)?.words ?? link.url : link.title
    url = link.url
    host = link.host
    sharers = link.sharers.map(\.name)
    self.isSeen = isSeen
  }

  /// The title, and the host unless the title is the address.
  private var head: [TextRun<StyleRole>] {
    // A title that names another host must not hide the link's own.
    let note = LinkNote(text: title, url: url)
    let name = TextRun(
      oneLine(title), isSeen ? StyleRole.dim : .strong, link: TextLink(to: url, shownAs: title, note: note))
    if let note { return [name, note.run] }
    return title.contains(host) ? [name] : [name, TextRun("  \(host)", .link)]
  }

  private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Returns the cell's lines. Only one line has room at the density `index`.
  func lines(columns: Int, density: Density) -> [CellLine] {
    let column = CellLine.avatarColumn
    let count = density == .index ? [TextRun(CatchUpWords.sharers(sharers.count), StyleRole.dim)] : []
    let room = CellLine.room(column: column, columns: columns, trailing: count)
    let first = CellLine(
      column: column, runs: CellLine.truncated(head, columns: min(room, ContentWidth.text)), trailing: count)
    if density == .index { return [first] }
    let below = CellLine.room(column: column, columns: columns)
    let names = CellLine.truncated([TextRun(CatchUpWords.shared(by: sharers), .dim)], columns: below)
    return [first, CellLine(column: column, runs: names)] + (density.hasBlankRows ? [.separator] : [])
  }
}
