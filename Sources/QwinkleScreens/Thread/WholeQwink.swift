import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// Everything that is known of a qwink, as paragraphs: also what a timeline leaves out or cuts.
struct WholeQwink {
  let qwink: Qwink
  /// The notice that covers the text, if any.
  let cover: Disclosure.Cover?
  /// The part of the quoted qwink that may be shown; nil if it quotes nothing.
  let quoteDisclosure: QuoteDisclosure?
  let isRevealed: Bool
  var hasDraft = false
  let zone: ClockZone
  /// The room in which names yield to handles; nil leaves names whole.
  var columns: Int?

  /// Everything, without the avatar.
  var paragraphs: [[TextRun<StyleRole>]] { [booster, heading].compactMap(\.self) + body }

  /// Who brought it here by a boost.
  var booster: [TextRun<StyleRole>]? {
    qwink.booster.map { NameAndHandle.boost(by: $0.shortName, columns: columns ?? .max) }
  }

  /// Whether more than the warning is shown.
  var isOpen: Bool { isRevealed || cover == nil }

  var avatar: TextRun<StyleRole> {
    TextRun(AvatarInitials.letters(of: qwink.author), AvatarInitials.role(of: qwink.author))
  }

  var heading: [TextRun<StyleRole>] {
    NameAndHandle(qwink.author).runs(columns: columns ?? .max)
  }

  /// What stands below the heading.
  var body: [[TextRun<StyleRole>]] {
    var lines: [[TextRun<StyleRole>]] = [[]]
    if let warning = cover?.words {
      let hint = WarningWords.hint(isRevealed: isRevealed)
      lines.append([TextRun("⚠ \(warning)", .warning), TextRun("  ", .key)] + hint)
      lines.append([])
    }
    if isOpen {
      if let warning = qwink.warning(under: cover) { lines += [[TextRun("⚠ \(warning)", .warning)], []] }
      lines += qwink.text.runs
      lines += quote + attachments + poll + card + links
    }
    return lines + [[], footer]
  }

  private var quote: [[TextRun<StyleRole>]] {
    guard let quote = qwink.quote, let quoteDisclosure else { return [] }
    func head(_ author: Qwinker) -> [TextRun<StyleRole>] {
      [TextRun("❝ ", .dim)] + NameAndHandle(author).runs(columns: columns.map { $0 - 2 } ?? .max)
    }
    switch quoteDisclosure {
    case .withheld(let state): return [[], [TextRun("❝ \(QuoteWords.withheld(state))", .dim)]]
    // A covered quote isn't opened here: its own thread does that.
    case .covered(let cover, let author):
      return [[], head(author), [.quoteSign, TextRun("⚠ \(cover.words)", .warning)]]
    case .shown(let author): return [[], head(author)] + quote.text.runs.map { [.quoteSign] + $0 }
    }
  }

  private var attachments: [[TextRun<StyleRole>]] {
    guard !qwink.attachments.isEmpty else { return [] }
    return [[]]
      + qwink.attachments.map { attachment in
        let words = attachment.altText.flatMap { $0.isEmpty ? nil : $0 } ?? ThreadWords.noDescription
        let sign = AttachmentWords.isSensitive(qwink) ? ", \(AttachmentWords.sensitive)" : ""
        return [TextRun("▣ \(AttachmentWords.word(attachment.kind))\(sign): ", .dim), TextRun(words, .text)]
      }
  }

  private var poll: [[TextRun<StyleRole>]] {
    guard let poll = qwink.poll else { return [] }
    let choices = poll.options.enumerated().map { index, option -> [TextRun<StyleRole>] in
      let sign = poll.ownVotes.contains(index) ? "◉ " : "○ "
      // Results would sway a vote.
      let votes = poll.showsResults ? option.votesCount.map { "  \($0)" } ?? "" : ""
      let number = poll.showsResults ? "" : "\(index + 1) "
      return [TextRun(sign + number, .dim), TextRun(option.title, .text), TextRun(votes, .dim)]
    }
    let state = ThreadWords.poll(
      votes: poll.votesCount, isExpired: poll.isExpired, end: poll.expiresAt.map { RelativeTime.full($0, in: zone) },
      canVote: !poll.showsResults)
    return [[]] + choices + [[TextRun(state, .dim)]]
  }

  private var card: [[TextRun<StyleRole>]] {
    guard let card = qwink.card, !card.title.isEmpty else { return [] }
    let note = LinkNote(text: card.title, url: card.url).map { [$0.run] } ?? []
    var lines: [[TextRun<StyleRole>]] = [[], [TextRun("↗ ", .dim), TextRun(card.title, .strong)] + note]
    if !card.summary.isEmpty { lines.append([TextRun(card.summary, .dim)]) }
    return lines
  }

  private var links: [[TextRun<StyleRole>]] {
    let links = qwink.text.links
    guard !links.isEmpty else { return [] }
    return [[]]
      + links.enumerated().map { index, url in
        let note = LinkNote(text: url, url: url).map { [$0.run] } ?? []
        // No line ends between the number and the link.
        return [TextRun("[\(index + 1)]\u{A0}", .dim), TextRun(url, .link)] + note
      }
  }

  private var footer: [TextRun<StyleRole>] {
    var parts = [RelativeTime.full(qwink.createdAt, in: zone)]
    if let editedAt = qwink.editedAt { parts.append(ThreadWords.edited(RelativeTime.full(editedAt, in: zone))) }
    parts.append(
      (qwink.isAudienceUnclear ? QwinkCellData.unclearAudience : QwinkCellData.audience(of: qwink))
        ?? ThreadWords.audience(isPublic: qwink.visibility == .public))
    let draft = hasDraft ? [[TextRun(" · ", .dim), QwinkSign.draft.run(.accent)]] : []
    let counts = QwinkCellData.counts(of: qwink).enumerated().map { index, count in
      [TextRun(index == 0 ? " · " : "  ", .dim), count]
    }
    return [TextRun(parts.joined(separator: " · "), .dim)] + (draft + counts).joined()
  }
}
