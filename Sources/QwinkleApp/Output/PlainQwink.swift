import Foundation
import QwinkleModel
import QwinkleScreens

/// A qwink as plain text, for a terminal or a pipe. Its first line ends with its id.
enum PlainQwink {
  /// - Parameter place: where the qwink is listed, for the user's filters.
  static func text(_ qwink: Qwink, in place: FilterPlace?, _ style: PlainStyle) -> String {
    var lines: [String] = []
    if let booster = qwink.booster { lines.append("↻ \(booster.shortName) boosted") }
    let time = style.time(qwink.boostedAt ?? qwink.createdAt)
    let marks = [qwink.editedAt == nil ? nil : "edited", audience(of: qwink.visibility)].compactMap {
      $0.map { "  \($0)" }
    }
    let author = NameAndHandle.text(of: qwink.author, columns: style.columns)
    lines.append("\(author)  \(time)\(marks.joined())  \(qwink.id)")
    lines += body(of: qwink, in: place, style)
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// One version from an edit history: its time and text.
  static func text(_ version: QwinkVersion, of qwink: Qwink, _ style: PlainStyle) -> String {
    var shown = qwink.original
    shown.text = version.text
    shown.contentWarning = version.contentWarning
    shown.attachments = version.attachments
    // The history doesn't have these.
    shown.card = nil
    shown.poll = nil
    let disclosure = Disclosure(of: version, of: qwink, in: nil, at: style.now)
    let lines = [style.fullTime(version.createdAt)] + body(of: shown, disclosure, in: nil, style)
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// The content, without author and time; only what covers it, if anything does and the style doesn't reveal.
  static func body(of qwink: Qwink, in place: FilterPlace?, _ style: PlainStyle) -> [String] {
    body(of: qwink, Disclosure(of: qwink, in: place, at: style.now), in: place, style)
  }

  private static func body(
    of qwink: Qwink, _ disclosure: Disclosure, in place: FilterPlace?, _ style: PlainStyle
  ) -> [String] {
    var lines: [String] = []
    if let cover = disclosure.cover {
      guard style.reveals else { return ["⚠ \(cover.words) · hidden (--reveal shows it)"] }
      if case .filter = cover { lines.append("⚠ \(cover.words)") }
    }
    if !qwink.contentWarning.isEmpty { lines.append("⚠ \(qwink.contentWarning)") }
    lines.append(qwink.text.structuredText)
    lines += quote(in: qwink, place, style)
    lines += hiddenLinks(of: qwink).map { "→ \(shown($0))" }
    if let card = qwink.card, !card.title.isEmpty {
      let note = LinkNote(text: card.title, url: card.url).map { " \($0.words)" } ?? ""
      let address = qwink.text.links.contains(card.url) ? "" : "  \(shown(card.url))"
      lines.append("↗ \(card.title)\(note)\(address)")
    }
    if let poll = qwink.poll { lines += self.lines(of: poll) }
    let sign = AttachmentWords.isSensitive(qwink) ? ", \(AttachmentWords.sensitive)" : ""
    lines += qwink.attachments.map { attachment in
      let words = attachment.altText?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
      return "▣ \(AttachmentWords.word(attachment.kind))\(sign): \(words.isEmpty ? "no description" : words)"
        + (attachment.url.map { "  \(shown($0))" } ?? "")
    }
    return lines
  }

  /// The quoted qwink: its author and text, or the reason why it isn't shown.
  private static func quote(in qwink: Qwink, _ place: FilterPlace?, _ style: PlainStyle) -> [String] {
    guard let quote = qwink.quote else { return [] }
    switch QuoteDisclosure(of: quote, in: place, at: style.now) {
    case .withheld(let state): return ["❝ \(QuoteWords.withheld(state))"]
    case .covered(let cover, let author) where !style.reveals: return ["❝ @\(author.handle): ⚠ \(cover.words)"]
    case .covered(_, let author), .shown(let author):
      return ["❝ @\(author.handle):"] + quote.text.structuredText.split(separator: "\n").map { "  \($0)" }
    }
  }

  /// The options, with own votes marked, and the poll's state. Results that would sway a vote are left out unless they
  /// were asked for.
  static func lines(of poll: Poll, showsResults: Bool = false) -> [String] {
    poll.options.enumerated().map { index, option in
      (poll.ownVotes.contains(index) ? "◉ " : "○ ") + option.title
        + (showsResults || poll.showsResults ? option.votesCount.map { "  \($0)" } ?? "" : "")
    } + ["\(Counted.words(poll.votesCount, "vote")), \(poll.isExpired ? "closed" : "open")"]
  }

  /// A URL, with a note if it needs one.
  private static func shown(_ url: String) -> String {
    url + (LinkNote(text: url, url: url).map { " \($0.words)" } ?? "")
  }

  /// Links whose URL the text doesn't show.
  private static func hiddenLinks(of qwink: Qwink) -> [String] {
    let shown = ShownAddresses(in: qwink.text.plainText)
    return qwink.text.links.filter { !shown.contains($0) }
  }

  private static func audience(of visibility: Visibility) -> String? {
    switch visibility {
    case .public, .unlisted: nil
    case .private: "followers"
    case .direct: "direct"
    }
  }
}

extension StringProtocol {
  /// The text with every line indented.
  func indented(by columns: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: columns) + $0 }.joined(separator: "\n")
  }
}
