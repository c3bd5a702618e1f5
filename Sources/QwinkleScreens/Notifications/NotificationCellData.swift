import FoundationEssentials
import PaneKit
public import QwinkleModel
import Terminal
import Timekeeping

/// What the cell of a notification says: words, made from the model.
struct NotificationCellData: Hashable {
  var sign: TextRun<StyleRole>
  /// Who did it: the names that are told, the latest first, and how many there are besides.
  var names: [String]
  var othersCount: Int
  /// What they did, `favourited`.
  var verb: String
  /// Where somebody tells more of themselves than their name: a follower's handle.
  var handle: String?
  var time: String
  var isUnread: Bool
  /// Who may see it, where that is not everybody.
  var audience: String?
  /// What it is about; nil where it is about nothing that has words.
  var text: TextRun<StyleRole>?

  /// `me` tells answers to me, and my own polls, from others; nil where that is not known yet.
  /// `requestAnswer` is how a request to follow was answered here.
  init(
    _ group: NotificationGroup, isRevealed: Bool = false, requestAnswer: Bool? = nil, me: Qwinker.ID?, now: Date,
    zone: ClockZone
  ) {
    let notification = group.newest
    let qwinkers = group.qwinkers
    let told = qwinkers.count > 3 ? 2 : qwinkers.count
    names = qwinkers.prefix(told).map(\.displayName)
    othersCount = qwinkers.count - told
    sign = Self.sign(of: notification.kind)
    verb = NotificationWords.verb(of: notification, me: me)
    if notification.kind == .followRequest, let requestAnswer {
      verb = requestAnswer ? "asked to follow you: accepted" : "asked to follow you: refused"
    }
    if notification.kind == .poll, notification.qwinker.id == me { names = [] }
    time = RelativeTime.short(notification.createdAt, at: now, in: zone)
    isUnread = group.isUnread
    audience = notification.qwink.flatMap { QwinkCellData.audience(of: $0) }
    switch notification.kind {
    case .follow, .followRequest:
      handle = "@" + notification.qwinker.handle
      text = notification.qwinker.note.isEmpty ? nil : TextRun(notification.qwinker.note.oneLine, .dim)
    case .favourite, .boost, .poll:
      text = notification.qwink.flatMap { Self.text(of: $0, isRevealed, .dim, me: me) }
    default:
      text = notification.qwink.flatMap { Self.text(of: $0, isRevealed, .text, me: me) }
    }
  }

  private static func text(
    of qwink: Qwink, _ isRevealed: Bool, _ role: StyleRole, me: Qwinker.ID?
  ) -> TextRun<StyleRole>? {
    if !isRevealed, let warning = QwinkCellData.warning(of: qwink) { return TextRun("⚠ \(warning)", .warning) }
    // That it is for me is said already.
    let text = qwink.visibility == .direct ? MessageText.shown(qwink, among: Set(me.map { [$0] } ?? [])) : qwink.text
    if !text.isEmpty { return TextRun(text.oneLine, role) }
    return qwink.attachments.isEmpty ? nil : TextRun("▣ \(AttachmentWords.summary(of: qwink))", .dim)
  }

  private static func sign(of kind: AccountNotification.Kind) -> TextRun<StyleRole> {
    switch kind {
    case .mention: TextRun("@", .mention)
    case .boost: TextRun("↻", .accent)
    case .favourite: TextRun("★", .accent)
    case .follow: TextRun("+", .accent)
    case .followRequest: TextRun("?", .warning)
    case .poll: TextRun("◔", .dim)
    case .qwink: TextRun("»", .accent)
    case .edit: TextRun("✎", .dim)
    case .other: TextRun("·", .dim)
    }
  }
}

/// What happened, in words.
public enum NotificationWords {
  /// What was done, to stand behind who did it.
  public static func verb(of notification: AccountNotification, me: Qwinker.ID?) -> String {
    switch notification.kind {
    case .mention:
      if notification.qwink?.visibility == .direct { return "wrote to you" }
      return me != nil && notification.qwink?.inReplyToAuthor == me ? "answered you" : "mentioned you"
    case .boost: return "boosted"
    case .favourite: return "favourited"
    case .follow: return "follows you"
    case .followRequest: return "asks to follow you"
    case .poll: return notification.qwinker.id == me ? "Your poll has ended" : "asked in a poll that has ended"
    case .qwink: return "wrote"
    case .edit: return "edited"
    case .other(let word): return words(of: word)
    }
  }

  /// A kind that this program does not know, by the wire's word: `admin.sign_up` is `admin: sign up`.
  private static func words(of kind: String) -> String {
    let words = kind.map { $0 == "_" ? " " : $0 == "." ? ":" : String($0) }.joined()
    return words.replacing(":", with: ": ")
  }
}
