import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// The text of a qwink's cell, made from the model.
struct QwinkCellData: Hashable {
  /// The short names of the boosters, newest first, if the qwink is a boost.
  var boosters: [String]
  var initials: String
  var avatarRole: StyleRole
  /// The avatar's colour, used for the name if no avatar is drawn.
  var nameRole: StyleRole
  var name: String
  /// The author's name for layouts without a handle.
  var shortName: String
  var handle: String
  var time: String
  /// The usual width of times in the form that the reader chose.
  var timeColumns: Int
  /// The symbol of a restricted audience.
  var audience: TextRun<StyleRole>?
  /// Symbols such as `▣ 2` and `⚑`. In this order: attachments and a poll hidden by a warning or filter, a draft of a
  /// reply, a bookmark, an edit.
  var marks: [TextRun<StyleRole>]
  /// Replies and reactions. Zeros are left out.
  var counts: [QwinkDescription.Count]
  var isReply: Bool
  /// The warning that covers the text, if any.
  var warning: String?
  /// Whether the warning is from one of the user's filters, not from the author.
  var isFiltered = false
  /// Whether the text behind the warning is visible.
  var isRevealed: Bool
  /// The text, preceded by the author's warning if a filter covers the warning too.
  var paragraphs: [[TextRun<StyleRole>]]
  /// One line each for a quote, a link preview and attachments.
  var extras: [[TextRun<StyleRole>]]
  var poll: PollCellData?

  /// - Parameters:
  ///   - disclosure: Whether the user's filters or the author's warning cover the qwink's text with a notice.
  ///   - quote: Whether the quoted qwink is shown, covered or withheld. Nil if `qwink` quotes nothing.
  init(
    _ qwink: Qwink, _ disclosure: Disclosure, quote: QuoteDisclosure?, isRevealed: Bool, hasDraft: Bool = false,
    now: Date, zone: ClockZone
  ) {
    boosters = [qwink.booster?.shortName].compactMap(\.self)
    initials = AvatarInitials.letters(of: qwink.author)
    avatarRole = AvatarInitials.role(of: qwink.author)
    nameRole = AvatarInitials.nameRole(of: qwink.author)
    name = qwink.author.displayName
    shortName = qwink.author.shortName
    handle = "@" + qwink.author.handle
    time = RelativeTime.short(qwink.listedAt, at: now, in: zone)
    warning = disclosure.cover?.words
    if case .filter = disclosure.cover { isFiltered = true }
    self.isRevealed = isRevealed || warning == nil
    timeColumns = RelativeTime.columns(in: zone.form)
    audience = QwinkSign.audience(of: qwink)
    marks = self.isRevealed ? [] : QwinkSign.hidden(in: qwink)
    if hasDraft { marks.append(QwinkSign.draft.run(.accent)) }
    if qwink.isBookmarked { marks.append(QwinkSign.bookmark.run(.accent)) }
    if qwink.editedAt != nil { marks.append(QwinkSign.edited.run()) }
    counts = qwink.counts
    isReply = qwink.inReplyTo != nil
    let covered =
      qwink.warning(under: disclosure.cover).map { [[TextRun("\(WarningWords.sign) \($0)", StyleRole.warning)]] } ?? []
    paragraphs = covered + qwink.text.runs
    poll = qwink.poll.map { poll in
      let state = QwinkDescription.PollState(poll, at: now)
      return PollCellData(state, footer: PollWords.state(of: state, at: now))
    }
    extras = Self.extras(of: qwink, quote: quote.map { Self.line(of: qwink.quote, $0) })
  }

  /// Shown for a qwink if the server doesn't report whether its audience is direct or followers-only.
  static let unclearAudience = "direct or followers-only (the server does not say)"

  /// Returns the name of a restricted audience, or nil if everyone can see the qwink.
  static func audience(of qwink: Qwink) -> String? {
    switch qwink.audience {
    case .everybody, .unlisted: nil
    case .followers, .mentioned, .unclear: QwinkWords.words(qwink.audience)
    }
  }

  /// Returns one line with the quoted qwink, or with the notice that covers it, or with the reason that it isn't shown.
  static func line(of quote: Qwink.Quote?, _ disclosure: QuoteDisclosure) -> [TextRun<StyleRole>] {
    switch disclosure {
    case .withheld(let state): [TextRun("❝ \(QuoteWords.withheld(state))", .dim)]
    case .covered(let cover, let author): [TextRun("❝ @\(author.handle): ⚠ \(cover.words)", .dim)]
    case .shown(let author): [TextRun("❝ @\(author.handle): ", .dim), TextRun(quote?.text.oneLine ?? "", .dim)]
    }
  }

  private static func extras(of qwink: Qwink, quote: [TextRun<StyleRole>]?) -> [[TextRun<StyleRole>]] {
    var lines = quote.map { [$0] } ?? []
    if let card = qwink.shownCard { lines.append(LinkCard(card).line) }
    if !qwink.attachments.isEmpty {
      lines.append([TextRun("▣ ", .dim), TextRun(AttachmentWords.summary(of: qwink), .dim)])
    }
    return lines
  }
}

extension Account {
  /// Returns the content of a qwink's cell. The filters that apply in `place` can cover the qwink's text; if `place` is
  /// nil, all filters apply.
  func cellData(of qwink: Qwink, in place: FilterPlace?) -> QwinkCellData {
    guard let (translated, translation) = translations.translated(qwink) else {
      return originalData(of: qwink, in: place)
    }
    var data = originalData(of: translated, in: place)
    data.paragraphs.append([TextRun(translation.credit, .dim)])
    return data
  }

  private func originalData(of qwink: Qwink, in place: FilterPlace?) -> QwinkCellData {
    QwinkCellData(
      qwink, disclosure(of: qwink, in: place), quote: quoteDisclosure(of: qwink, in: place),
      isRevealed: timelines.isRevealed(qwink), hasDraft: drafts.hasReply(to: qwink), now: clock.now, zone: timeZone)
  }
}
