import FoundationEssentials
public import PaneKit
public import QwinkleModel
import Terminal
public import Timekeeping

/// One qwink, whole: everything that a timeline leaves out or cuts.
@MainActor
public final class QwinkDetailViewController: ViewController {
  private let textView = TextView()
  private let clock: any ProgramClock

  /// What is shown; nil says how to show something.
  public private(set) var qwink: Qwink?

  public init(clock: any ProgramClock) {
    self.clock = clock
    super.init(view: textView)
    title = "Qwink"
    keyContext = .reading
    textView.keyContext = .list
    show(nil, isRevealed: false)
  }

  /// Shows `qwink`; what is behind a warning where `isRevealed`.
  public func show(_ qwink: Qwink?, isRevealed: Bool) {
    let isAnother = qwink?.rowID != self.qwink?.rowID
    self.qwink = qwink
    textView.paragraphs = qwink.map { paragraphs($0, isRevealed: isRevealed) } ?? Self.nothing
    if isAnother { textView.scroll(to: 0) }
  }

  private static let nothing: [[TextRun<StyleRole>]] = [[], [TextRun("Nothing is selected.", .dim)]]

  private func paragraphs(_ qwink: Qwink, isRevealed: Bool) -> [[TextRun<StyleRole>]] {
    var lines: [[TextRun<StyleRole>]] = []
    if let booster = qwink.booster { lines.append([TextRun("↻ \(booster.displayName) boosted", .dim)]) }
    lines.append([
      TextRun(AvatarInitials.letters(of: qwink.author), AvatarInitials.role(of: qwink.author)), TextRun("  ", .text),
      TextRun(qwink.author.displayName, .name), TextRun("  @\(qwink.author.handle)", .dim),
    ])
    lines.append([])
    if !qwink.contentWarning.isEmpty {
      lines.append([
        TextRun("⚠ \(qwink.contentWarning)", .warning), TextRun("  z", .key),
        TextRun(isRevealed ? " hides" : " reveals", .dim),
      ])
      lines.append([])
    }
    if qwink.contentWarning.isEmpty || isRevealed {
      lines += qwink.text.runs
      lines += attachments(of: qwink) + poll(of: qwink) + card(of: qwink) + links(of: qwink)
    }
    lines.append([])
    lines.append([TextRun(footer(of: qwink), .dim)])
    return lines
  }

  private func attachments(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    guard !qwink.attachments.isEmpty else { return [] }
    return [[]]
      + qwink.attachments.map { attachment in
        let words = attachment.altText.flatMap { $0.isEmpty ? nil : $0 } ?? "not described"
        return [TextRun("▣ \(AttachmentWords.word(attachment.kind)): ", .dim), TextRun(words, .text)]
      }
  }

  private func poll(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    guard let poll = qwink.poll else { return [] }
    let choices = poll.options.enumerated().map { index, option -> [TextRun<StyleRole>] in
      let sign = poll.ownVotes.contains(index) ? "◉ " : "○ "
      let votes = option.votesCount.map { "  \($0)" } ?? ""
      return [TextRun(sign, .dim), TextRun(option.title, .text), TextRun(votes, .dim)]
    }
    let state = poll.isExpired ? "closed" : "open"
    return [[]] + choices + [[TextRun("\(poll.votesCount) votes, \(state)", .dim)]]
  }

  private func card(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    guard let card = qwink.card, !card.title.isEmpty else { return [] }
    var lines: [[TextRun<StyleRole>]] = [[], [TextRun("↗ ", .dim), TextRun(card.title, .strong)]]
    if !card.summary.isEmpty { lines.append([TextRun(card.summary, .dim)]) }
    return lines
  }

  private func links(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    let links = qwink.text.links
    guard !links.isEmpty else { return [] }
    return [[]] + links.enumerated().map { [TextRun("[\($0 + 1)] ", .dim), TextRun($1, .link)] }
  }

  private func footer(of qwink: Qwink) -> String {
    var parts = [RelativeTime.full(qwink.createdAt, in: clock.timeZone)]
    if let editedAt = qwink.editedAt { parts.append("edited \(RelativeTime.full(editedAt, in: clock.timeZone))") }
    parts.append(QwinkCellData.audience(of: qwink.visibility) ?? qwink.visibility.rawValue)
    if qwink.repliesCount > 0 { parts.append("↩ \(qwink.repliesCount)") }
    if qwink.boostsCount > 0 { parts.append("↻ \(qwink.boostsCount)") }
    if qwink.favouritesCount > 0 { parts.append("★ \(qwink.favouritesCount)") }
    return parts.joined(separator: " · ")
  }
}
