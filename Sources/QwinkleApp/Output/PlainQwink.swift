import Foundation
import QwinkleModel
import QwinkleScreens

/// A qwink as plain text, for a terminal or a pipe. Its first line ends with its id.
enum PlainQwink {
  static func text(_ qwink: Qwink, _ style: PlainStyle) -> String {
    var lines: [String] = []
    if let booster = qwink.booster { lines.append("↻ \(booster.displayName) boosted") }
    let time = style.time(qwink.boostedAt ?? qwink.createdAt)
    let marks = [qwink.editedAt == nil ? nil : "edited", audience(of: qwink.visibility)].compactMap {
      $0.map { "  \($0)" }
    }
    lines.append("\(qwink.author.displayName)  @\(qwink.author.handle)  \(time)\(marks.joined())  \(qwink.id)")
    lines += body(of: qwink, style)
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
    let lines = [style.fullTime(version.createdAt)] + body(of: shown, style)
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  /// The content, without author and time; only the warning if there is one and the style doesn't reveal.
  static func body(of qwink: Qwink, _ style: PlainStyle) -> [String] {
    var lines: [String] = []
    if let warning = warning(of: qwink) {
      guard style.reveals else { return ["⚠ \(warning) · hidden (--reveal shows it)"] }
      lines.append("⚠ \(warning)")
    }
    lines.append(qwink.text.structuredText)
    lines += hiddenLinks(of: qwink).map { "→ \(shown($0))" }
    if let card = qwink.card, !card.title.isEmpty {
      let note = LinkNote(text: card.title, url: card.url).map { " \($0.words)" } ?? ""
      let address = qwink.text.links.contains(card.url) ? "" : "  \(shown(card.url))"
      lines.append("↗ \(card.title)\(note)\(address)")
    }
    if let poll = qwink.poll { lines += self.lines(of: poll) }
    lines += qwink.attachments.map { attachment in
      let words = attachment.altText?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
      return "▣ \(AttachmentWords.word(attachment.kind)): \(words.isEmpty ? "no description" : words)"
        + (attachment.url.map { "  \(shown($0))" } ?? "")
    }
    return lines
  }

  /// The author's content warning, or one of the user's filters.
  private static func warning(of qwink: Qwink) -> String? {
    qwink.contentWarning.isEmpty ? qwink.filterTitles.first.map { "Filtered: \($0)" } : qwink.contentWarning
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
