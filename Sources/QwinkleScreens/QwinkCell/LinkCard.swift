import PaneKit
import QwinkleModel
import Terminal

/// The preview of a link: its title, host and description.
struct LinkCard {
  private let card: Qwink.Card
  private let link: TextLink
  /// A note about the host, if the title names another one.
  private let note: LinkNote?
  private let address: WebAddress?

  init(_ card: Qwink.Card) {
    self.card = card
    note = LinkNote(text: card.title, url: card.url)
    link = TextLink(to: card.url, shownAs: card.title, note: note)
    address = WebAddress(card.url)
  }

  /// One line. The host is first, because the end of a long line isn't visible.
  var line: [TextRun<StyleRole>] {
    let host = host.map { [$0, TextRun<StyleRole>(" · ", .dim)] } ?? []
    let summary = card.summary.isEmpty ? [] : [TextRun<StyleRole>(" · \(oneLine(card.summary))", .dim)]
    return [TextRun("↗ ", .dim)] + host + [TextRun(oneLine(card.title), .dim, link: link)] + noteWithoutHost + summary
  }

  /// Paragraphs with all texts.
  var paragraphs: [[TextRun<StyleRole>]] {
    let title: [TextRun<StyleRole>] = [TextRun("↗ ", .dim), TextRun(card.title, .strong, link: link)]
    return [title + noteWithoutHost] + (host.map { [[$0]] } ?? [])
      + (card.summary.isEmpty ? [] : [[TextRun(card.summary, .dim)]])
  }

  /// The host, in brackets if the title names another one.
  private var host: TextRun<StyleRole>? {
    guard let address else { return nil }
    if let note, note.isWarning { return TextRun(note.words, .warning, link: link) }
    let port = address.host.dropFirst(address.hostName.written.count)
    return TextRun(address.hostName.words + port, .dim, link: link)
  }

  /// The note about an address without a host.
  private var noteWithoutHost: [TextRun<StyleRole>] { address == nil ? note.map { [$0.run] } ?? [] : [] }

  private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
