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
  /// `↩ 2`, `↻ 3`, `★ 12`: reactions and replies; zeros are left out.
  var counts: [TextRun<StyleRole>]
  /// Who may see it, unless everybody may.
  var audience: String?
  var warning: String?
  /// Whether the text behind the warning is shown.
  var isRevealed: Bool
  var paragraphs: [[TextRun<StyleRole>]]
  /// One line each for pictures, a poll, and the page that a link leads to.
  var extras: [[TextRun<StyleRole>]]

  init(_ qwink: Qwink, isRevealed: Bool, now: Date, zone: ClockZone) {
    booster = qwink.booster?.displayName
    initials = AvatarInitials.letters(of: qwink.author)
    avatarRole = AvatarInitials.role(of: qwink.author)
    nameRole = AvatarInitials.nameRole(of: qwink.author)
    name = qwink.author.displayName
    handle = "@" + qwink.author.handle
    time = RelativeTime.short(qwink.boostedAt ?? qwink.createdAt, at: now, in: zone)
    counts = Self.counts(of: qwink)
    audience = Self.audience(of: qwink)
    warning = Self.warning(of: qwink)
    self.isRevealed = isRevealed || warning == nil
    paragraphs = qwink.text.runs
    extras = Self.extras(of: qwink)
  }

  static func counts(of qwink: Qwink, saysEdited: Bool = true) -> [TextRun<StyleRole>] {
    var parts: [TextRun<StyleRole>] = []
    func add(_ sign: String, _ count: Int, isMine: Bool = false) {
      guard count > 0 || isMine else { return }
      if !parts.isEmpty { parts.append(TextRun("  ", .dim)) }
      parts.append(TextRun(count > 0 ? "\(sign) \(count)" : sign, isMine ? .accent : .dim))
    }
    add("↩", qwink.repliesCount)
    add("↻", qwink.boostsCount, isMine: qwink.isBoosted)
    add("★", qwink.favouritesCount, isMine: qwink.isFavourite)
    if qwink.isBookmarked { parts += [TextRun(parts.isEmpty ? "" : "  ", .dim), TextRun("⚑", .accent)] }
    if qwink.editedAt != nil, saysEdited {
      parts += [TextRun(parts.isEmpty ? "" : "  ", .dim), TextRun("edited", .dim)]
    }
    return parts
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

  private static func extras(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    var lines: [[TextRun<StyleRole>]] = []
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
    QwinkCellData(qwink, isRevealed: timelines.isRevealed(qwink), now: clock.now, zone: clock.timeZone)
  }
}
