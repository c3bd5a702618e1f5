import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// A qwink in full, as paragraphs. Includes details that a timeline omits or truncates.
struct WholeQwink {
  let facts: QwinkDescription
  let isRevealed: Bool
  var hasDraft = false
  let zone: ClockZone
  /// The width in which a name and its handle must fit. A longer name is truncated, the handle never is. Nil means that
  /// there is no limit.
  var columns: Int?
  /// The width of the rows of a poll.
  var textColumns = ContentWidth.text
  /// Whether the paragraphs are for linear form.
  var isSpoken = false

  init(_ facts: QwinkDescription, isRevealed: Bool, hasDraft: Bool = false, zone: ClockZone) {
    self.facts = facts
    self.isRevealed = isRevealed
    self.hasDraft = hasDraft
    self.zone = zone
  }

  /// All paragraphs, without the avatar.
  var paragraphs: [[TextRun<StyleRole>]] {
    [heading, booster].compactMap(\.self) + contents + [footer(startingWith: [time.text])]
  }

  /// The line that names the booster, if the qwink is a boost.
  var booster: [TextRun<StyleRole>]? {
    facts.booster.map { NameAndHandle.boosted(by: [$0.shortName], columns: columns ?? .max) }
  }

  /// Whether the text behind the warning is visible.
  var isOpen: Bool { isRevealed || facts.cover == nil }

  var avatar: TextRun<StyleRole> {
    TextRun(AvatarInitials.letters(of: facts.author), AvatarInitials.role(of: facts.author))
  }

  var heading: [TextRun<StyleRole>] {
    NameAndHandle(facts.author).runs(columns: columns ?? .max)
  }

  /// The paragraphs below the heading, if the time is next to the name.
  var body: [[TextRun<StyleRole>]] { contents + [footer()] }

  /// The index in ``body`` of the link preview's first paragraph, if the preview is shown.
  var cardIndex: Int? { contentsAndCard.card }

  private var contents: [[TextRun<StyleRole>]] { contentsAndCard.contents }

  private var contentsAndCard: (contents: [[TextRun<StyleRole>]], card: Int?) {
    var card: Int?
    var lines: [[TextRun<StyleRole>]] = []
    if let cover = facts.cover {
      let hint = WarningWords.hint(isRevealed: isRevealed)
      lines.append([TextRun("⚠ \(cover.words)", .warning), TextRun("  ", .key)] + hint)
    }
    if isOpen {
      // Without a filter, the cover above already shows the author's warning.
      if case .filter = facts.cover, let warning = facts.warning {
        lines.append([TextRun("⚠ \(warning)", .warning)])
      }
      var isAfterAttachment = false
      for part in facts.parts {
        var paragraphs = self.paragraphs(of: part)
        let isAttachment = if case .attachment = part { true } else { false }
        // No empty lines between attachments.
        if isAttachment, isAfterAttachment { paragraphs.removeFirst() }
        if case .card = part { card = lines.count + 1 }
        lines += paragraphs
        isAfterAttachment = isAttachment
      }
    }
    return (lines, card)
  }

  /// Returns the paragraphs of a part. An empty paragraph precedes every part except the text.
  private func paragraphs(of part: QwinkDescription.Part) -> [[TextRun<StyleRole>]] {
    switch part {
    case .text(let text): text.runs
    case .translation(let translation): [[], [TextRun(translation.credit, .dim)]]
    case .quote(let quote, let disclosure): [[]] + paragraphs(of: quote, disclosure)
    case .attachment(let attachment, let isSensitive):
      [
        [],
        [
          TextRun("▣ \(QwinkWords.name(of: attachment, isSensitive: isSensitive)): ", .dim),
          TextRun(QwinkWords.description(of: attachment), .text),
        ],
      ]
    case .poll(let state): [[]] + paragraphs(of: state)
    case .card(let card): [[]] + LinkCard(card).paragraphs
    case .links(let links): [[]] + paragraphs(of: links)
    }
  }

  private func paragraphs(of quote: Qwink.Quote, _ disclosure: QuoteDisclosure) -> [[TextRun<StyleRole>]] {
    func head(_ author: Qwinker) -> [TextRun<StyleRole>] {
      [TextRun("❝ ", .dim)] + NameAndHandle(author).runs(columns: columns.map { $0 - 2 } ?? .max)
    }
    switch disclosure {
    case .withheld(let state): return [[TextRun("❝ \(QuoteWords.withheld(state))", .dim)]]
    // A covered quote can be revealed in its own thread only.
    case .covered(let cover, let author): return [head(author), [.quoteSign, TextRun("⚠ \(cover.words)", .warning)]]
    // The links below are the qwink's own, so the quote shows its addresses whole.
    case .shown(let author):
      return [head(author)] + quote.text.runs(shortensAddresses: false).map { [.quoteSign] + $0 }
    }
  }

  private func paragraphs(of state: QwinkDescription.PollState) -> [[TextRun<StyleRole>]] {
    let end = state.poll.expiresAt.map { RelativeTime.full($0, in: zone) }
    let data = PollCellData(state, footer: QwinkWords.state(of: state, end: end))
    if isSpoken { return PollLayout.spoken(data) }
    return PollLayout(data, columns: textColumns).lines(titleRows: .max)
  }

  private func paragraphs(of links: [String]) -> [[TextRun<StyleRole>]] {
    links.enumerated().map { index, url in
      let note = LinkNote(text: url, url: url).map { [$0.run] } ?? []
      // A non-breaking space prevents a line break between the number and the link.
      return [TextRun("[\(index + 1)]\u{A0}", .dim), TextRun(url, .link, link: TextLink(to: url, shownAs: url))]
        + note
    }
  }

  /// The time at which the qwink was posted.
  var time: TextRun<StyleRole> { TextRun(RelativeTime.full(facts.createdAt, in: zone), .dim) }

  private func footer(startingWith start: [String] = []) -> [TextRun<StyleRole>] {
    var parts = start
    if let editedAt = facts.editedAt { parts.append(ThreadWords.edited(RelativeTime.full(editedAt, in: zone))) }
    parts.append(
      facts.audience == .unclear ? QwinkCellData.unclearAudience : QwinkWords.words(facts.audience))
    // The bookmark is among the symbols below.
    parts += facts.marks.filter { $0 != .bookmarked }.map { QwinkWords.words($0) }
    let draft = hasDraft ? [[TextRun(" · ", .dim), QwinkSign.draft.run(.accent)]] : []
    let signs =
      facts.counts.map { QwinkSign.run(of: $0, gap: " ") }
      + (facts.marks.contains(.bookmarked) ? [QwinkSign.bookmark.run(.accent)] : [])
    let counts = signs.enumerated().map { index, count in
      [TextRun(index == 0 ? " · " : "  ", .dim), count]
    }
    return [TextRun(parts.joined(separator: " · "), .dim)] + (draft + counts).joined()
  }
}
