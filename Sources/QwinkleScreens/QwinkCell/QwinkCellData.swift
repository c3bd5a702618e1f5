import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// The words of a qwink's cell, made from the model.
struct QwinkCellData: Hashable {
  /// The display name of who boosted it.
  var booster: String?
  var initials: String
  var avatarRole: StyleRole
  /// The avatar's colour, for the name where there is no avatar.
  var nameRole: StyleRole
  var name: String
  var handle: String
  var time: String
  /// Who may see it, what a warning hides, a draft, reactions and replies, each in a run of its own: `◌`, `▣ 2`,
  /// `↩ 2`, `★ 12`. Zeros are left out.
  var signs: [TextRun<StyleRole>]
  var warning: String?
  /// Whether the text behind the warning is shown.
  var isRevealed: Bool
  var paragraphs: [[TextRun<StyleRole>]]
  /// One line each for pictures, a poll, and the page that a link leads to.
  var extras: [[TextRun<StyleRole>]]

  init(_ qwink: Qwink, isRevealed: Bool, hasDraft: Bool = false, now: Date, zone: ClockZone) {
    booster = qwink.booster?.displayName
    initials = AvatarInitials.letters(of: qwink.author)
    avatarRole = AvatarInitials.role(of: qwink.author)
    nameRole = AvatarInitials.nameRole(of: qwink.author)
    name = qwink.author.displayName
    handle = "@" + qwink.author.handle
    time = RelativeTime.short(qwink.boostedAt ?? qwink.createdAt, at: now, in: zone)
    warning = Self.warning(of: qwink)
    self.isRevealed = isRevealed || warning == nil
    signs = QwinkSign.audience(of: qwink).map { [$0] } ?? []
    if !self.isRevealed { signs += QwinkSign.hidden(in: qwink) }
    if hasDraft { signs.append(QwinkSign.draft.run(.accent)) }
    signs += Self.counts(of: qwink)
    if qwink.editedAt != nil { signs.append(QwinkSign.edited.run()) }
    paragraphs = qwink.text.runs
    extras = Self.extras(of: qwink)
  }

  /// Replies and reactions.
  static func counts(of qwink: Qwink) -> [TextRun<StyleRole>] {
    func run(_ sign: QwinkSign, _ count: Int, isMine: Bool = false) -> TextRun<StyleRole>? {
      guard count > 0 || isMine else { return nil }
      return TextRun(count > 0 ? "\(sign.rawValue) \(count)" : sign.rawValue, isMine ? .accent : .dim)
    }
    return [
      run(.replies, qwink.repliesCount), run(.boosts, qwink.boostsCount, isMine: qwink.isBoosted),
      run(.favourites, qwink.favouritesCount, isMine: qwink.isFavourite),
      qwink.isBookmarked ? QwinkSign.bookmark.run(.accent) : nil,
    ].compactMap(\.self)
  }

  /// Shown for a message whose audience the server doesn't report.
  static let unclearAudience = "direct or followers-only (the server does not say)"

  static func audience(of qwink: Qwink) -> String? {
    if qwink.isAudienceUnclear { return "direct or followers" }
    return switch qwink.visibility {
    case .public, .unlisted: nil
    case .private: "followers"
    case .direct: "direct"
    }
  }

  /// Shown in place of the text until it is revealed: the content warning or a filter's name; nil if there is neither.
  static func warning(of qwink: Qwink) -> String? {
    guard qwink.contentWarning.isEmpty else { return qwink.contentWarning }
    return qwink.filterTitles.first.map { "Filtered: \($0)" }
  }

  /// What it quotes, in one line.
  private static func quote(of qwink: Qwink) -> [TextRun<StyleRole>]? {
    guard let quote = qwink.quote else { return nil }
    guard let author = quote.author else { return [TextRun("❝ \(QuoteWords.hidden(quote))", .dim)] }
    let text = quote.contentWarning.isEmpty ? quote.text.oneLine : "⚠ \(quote.contentWarning)"
    return [TextRun("❝ @\(author.handle): ", .dim), TextRun(text, .dim)]
  }

  private static func extras(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    var lines = quote(of: qwink).map { [$0] } ?? []
    if let card = qwink.card, !card.title.isEmpty {
      let note = LinkNote(text: card.title, url: card.url).map { [$0.run] } ?? []
      lines.append([TextRun("↗ ", .dim), TextRun(card.title, .dim)] + note)
    }
    if !qwink.attachments.isEmpty {
      lines.append([TextRun("▣ ", .dim), TextRun(AttachmentWords.summary(of: qwink), .dim)])
    }
    if let poll = qwink.poll {
      let choices = poll.options.map(\.title).joined(separator: " · ")
      lines.append([TextRun("◔ poll: ", .dim), TextRun(choices, .dim)])
    }
    return lines
  }
}

extension Account {
  /// What a qwink's cell says now.
  func cellData(of qwink: Qwink) -> QwinkCellData {
    QwinkCellData(
      qwink, isRevealed: timelines.isRevealed(qwink), hasDraft: drafts.hasReply(to: qwink), now: clock.now,
      zone: timeZone)
  }
}
