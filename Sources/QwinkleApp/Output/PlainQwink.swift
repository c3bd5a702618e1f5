import Foundation
import QwinkleModel
import QwinkleScreens

/// A qwink (a post) as plain text, for a terminal or a pipe. The line with the author and the time ends with the
/// qwink's id. For a boost, that is the id of the boosted qwink, because Takahe doesn't return a boost by its own id.
enum PlainQwink {
  /// - Parameters:
  ///   - place: The kind of list that contains the qwink. It determines which of the user's filters apply.
  ///   - translation: The translation that replaced the qwink's texts, if any.
  static func text(
    _ qwink: Qwink, in place: FilterPlace?, translation: Translation? = nil, _ style: PlainStyle
  ) -> String {
    let cover = Disclosure(of: qwink, in: place, at: style.now).cover
    let facts = facts(of: qwink, cover, in: place, translation: translation, style)
    var lines: [String] = []
    if let booster = facts.booster { lines.append("↻ boosted by \(booster.shortName)") }
    let time = style.time(qwink.listedAt)
    let marks = [facts.editedAt == nil ? nil : "edited", audience(of: qwink)].compactMap { $0.map { "  \($0)" } }
    let author = NameAndHandle.text(of: facts.author, columns: style.columns)
    lines.append("\(author)  \(time)\(marks.joined())  \(qwink.originalID)")
    lines += body(of: facts, style)
    let reactions = facts.counts.map { QwinkWords.words($0) } + facts.marks.map { QwinkWords.words($0) }
    if !reactions.isEmpty { lines.append(reactions.joined(separator: " · ")) }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// One version from an edit history: its time and text.
  static func text(_ version: QwinkVersion, of qwink: Qwink, _ style: PlainStyle) -> String {
    var shown = qwink.original
    shown.text = version.text
    shown.contentWarning = version.contentWarning
    shown.attachments = version.attachments
    // The edit history has no cards and polls. Don't print the current ones as part of an old version.
    shown.card = nil
    shown.poll = nil
    let cover = Disclosure(of: version, of: qwink, in: nil, at: style.now).cover
    let lines = [style.fullTime(version.createdAt)] + body(of: facts(of: shown, cover, in: nil, style), style)
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// The content, without author and time. If the content is covered, for example by a filter, and `style` doesn't
  /// reveal it, the reason replaces the content.
  static func body(of qwink: Qwink, in place: FilterPlace?, _ style: PlainStyle) -> [String] {
    body(of: facts(of: qwink, in: place, style), style)
  }

  /// The name of the audience. Nil if the qwink is visible to everybody.
  static func audience(of qwink: Qwink) -> String? {
    qwink.audience == .everybody ? nil : QwinkWords.words(qwink.audience)
  }

  private static func facts(of qwink: Qwink, in place: FilterPlace?, _ style: PlainStyle) -> QwinkDescription {
    facts(of: qwink, Disclosure(of: qwink, in: place, at: style.now).cover, in: place, style)
  }

  private static func facts(
    of qwink: Qwink, _ cover: Disclosure.Cover?, in place: FilterPlace?, translation: Translation? = nil,
    _ style: PlainStyle
  ) -> QwinkDescription {
    QwinkDescription(
      of: qwink, cover: cover, quote: qwink.quote.map { QuoteDisclosure(of: $0, in: place, at: style.now) },
      translation: translation, at: style.now)
  }

  private static func body(of facts: QwinkDescription, _ style: PlainStyle) -> [String] {
    var lines: [String] = []
    if let cover = facts.cover {
      guard style.reveals else { return ["⚠ \(cover.words) · hidden (--reveal shows it)"] }
      if case .filter = cover { lines.append("⚠ \(cover.words)") }
    }
    if let warning = facts.warning { lines.append("⚠ \(warning)") }
    for part in facts.parts { lines += self.lines(of: part, in: facts, style) }
    return lines
  }

  private static func lines(
    of part: QwinkDescription.Part, in facts: QwinkDescription, _ style: PlainStyle
  ) -> [String] {
    switch part {
    case .text(let text): [text.structuredText]
    case .translation(let translation): ["(\(translation.credit))"]
    case .quote(let quote, let disclosure): lines(of: quote, disclosure, style)
    case .attachment(let attachment, let isSensitive):
      [
        "▣ \(QwinkWords.name(of: attachment, isSensitive: isSensitive)): "
          + QwinkWords.description(of: attachment).split(whereSeparator: \.isNewline).joined(separator: " ")
          + (attachment.url.map { "  \(shown($0))" } ?? "")
      ]
    case .poll(let state): lines(of: state, style)
    case .card(let card): lines(of: card, in: facts)
    case .links(let links): hidden(links, in: facts).map { "→ \(shown($0))" }
    }
  }

  /// The quoted qwink: its author, address and text, or the reason why it's hidden.
  private static func lines(of quote: Qwink.Quote, _ disclosure: QuoteDisclosure, _ style: PlainStyle) -> [String] {
    // Print the address, or the id if there is no address. Commands accept both.
    let address = (quote.url ?? quote.id?.rawValue).map { "  \($0)" } ?? ""
    switch disclosure {
    case .withheld(let state): return ["❝ \(QuoteWords.withheld(state))"]
    case .covered(let cover, let author) where !style.reveals:
      return ["❝ @\(author.handle): ⚠ \(cover.words)\(address)"]
    case .covered(let cover, let author):
      return ["❝ @\(author.handle): ⚠ \(cover.words)\(address)"] + indented(quote.text)
    case .shown(let author): return ["❝ @\(author.handle):\(address)"] + indented(quote.text)
    }
  }

  private static func indented(_ text: RichText) -> [String] {
    text.structuredText.split(separator: "\n").map { "  \($0)" }
  }

  /// The options, with the user's votes marked, and the poll's state. Omits results that could sway the user's vote,
  /// unless `showsResults` is true.
  static func lines(of poll: Poll, _ style: PlainStyle, showsResults: Bool) -> [String] {
    lines(of: QwinkDescription.PollState(poll, at: style.now), style, showsResults: showsResults)
  }

  private static func lines(
    of state: QwinkDescription.PollState, _ style: PlainStyle, showsResults: Bool = false
  ) -> [String] {
    let poll = state.poll
    return poll.options.enumerated().map { index, option in
      (poll.ownVotes.contains(index) ? "◉ " : "○ ") + option.title
        + (showsResults || state.showsResults ? option.votesCount.map { "  \($0)" } ?? "" : "")
    } + [QwinkWords.state(of: state, end: poll.expiresAt.map { style.fullTime($0) })]
  }

  private static func lines(of card: Qwink.Card, in facts: QwinkDescription) -> [String] {
    let note = LinkNote(text: card.title, url: card.url).map { " \($0.words)" } ?? ""
    let address = facts.text.links.contains(card.url) ? "" : "  \(shown(card.url))"
    let summary = card.summary.split(whereSeparator: \.isNewline).joined(separator: " ")
    return ["↗ \(card.title)\(note)\(address)"] + (summary.isEmpty ? [] : ["  \(summary)"])
  }

  /// A URL, followed by a warning if the link may mislead the reader.
  private static func shown(_ url: String) -> String {
    url + (LinkNote(text: url, url: url).map { " \($0.words)" } ?? "")
  }

  /// The links whose URLs the text doesn't show.
  private static func hidden(_ links: [String], in facts: QwinkDescription) -> [String] {
    let shown = ShownAddresses(in: facts.text.plainText)
    return links.filter { !shown.contains($0) }
  }
}

extension StringProtocol {
  /// Returns the text with every line indented, except empty lines.
  func indented(by columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: columns) + $0 }.joined(separator: "\n")
  }
}
