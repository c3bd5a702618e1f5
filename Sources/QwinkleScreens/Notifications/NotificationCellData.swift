import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// Texts of a notification's cell, made from the model.
struct NotificationCellData: Hashable {
  /// An action, and the people who performed it.
  struct Act: Hashable {
    var sign: TextRun<StyleRole>
    /// Short names of the people shown by name, latest first. ``othersCount`` counts the rest.
    var names: [TextRun<StyleRole>]
    var othersCount: Int
    /// The verb, such as `favourited`.
    var verb: String
  }

  /// Initials for the avatar of the latest person, with their style.
  var avatar: TextRun<StyleRole>
  /// At least one action, latest first.
  var acts: [Act]
  /// All people of the notification or group, without a verb. Used on a compact line that has no room for the separate
  /// actions.
  var everybody: Act
  /// The handle of a single new follower or of the sender of a follow request. Nil if the name shown is already the
  /// handle, and for all other notifications.
  var handle: String?
  var time: String
  var isUnread: Bool
  /// The audience of the notification's qwink, if not everyone can see the qwink.
  var audience: String?
  /// The text below the names, if any: the qwink's text, a follower's biography, the handles of several followers, or
  /// the details of another notification.
  var text: TextRun<StyleRole>?
  /// Whether only one row of the text is shown, because the reader knows the qwink already, or because the text is
  /// about new followers.
  var isQuote: Bool

  /// `me` identifies replies to the user and the user's polls; nil if the user isn't known yet. `requestAnswer` is
  /// whether the user accepted the follow request in this program; nil if the user hasn't answered it. `cover` replaces
  /// the text of the newest notification's qwink unless `isRevealed` is true.
  init(
    _ group: NotificationGroup, cover: Disclosure.Cover?, isRevealed: Bool = false, requestAnswer: Bool? = nil,
    me: Qwinker.ID?, now: Date,
    zone: ClockZone
  ) {
    let notification = group.newest
    let qwinkers = group.qwinkers
    avatar = TextRun(AvatarInitials.letters(of: notification.qwinker), AvatarInitials.role(of: notification.qwinker))
    acts = group.acts.map { kind, people in
      let verb =
        kind == notification.kind
        ? NotificationWords.verb(of: notification, me: me, count: people.count) : NotificationWords.verb(of: kind)
      return Self.act(NotificationWords.sign(of: kind), people, verb)
    }
    everybody = Self.act(acts[0].sign, qwinkers, "")
    if notification.kind == .followRequest, let requestAnswer {
      acts[0].verb = NotificationWords.answered(accepted: requestAnswer)
    }
    if NotificationWords.isAboutUser(notification, me: me) { acts[0].names = [] }
    time = RelativeTime.short(notification.createdAt, at: now, in: zone)
    isUnread = group.isUnread
    audience = notification.qwink.flatMap { QwinkCellData.audience(of: $0) }
    isQuote = notification.kind.isReaction || [.poll, .follow].contains(notification.kind)
    switch notification.kind {
    case .follow where qwinkers.count > 1:
      text = TextRun(qwinkers.map { "@\($0.handle)" }.joined(separator: "  "), .dim)
    case .follow, .followRequest:
      let (name, full) = (notification.qwinker.shortName, "@" + notification.qwinker.handle)
      handle = name == full ? nil : full
      text = notification.qwinker.note.isEmpty ? nil : TextRun(notification.qwinker.note.oneLine, .dim)
    default:
      text =
        notification.qwink.flatMap { Self.text(of: $0, isRevealed ? nil : cover, isQuote ? .dim : .text, me: me) }
        ?? NotificationWords.text(of: notification.detail).map { words in
          TextRun(words.split(whereSeparator: \.isNewline).joined(separator: " "), .text)
        }
    }
  }

  private static func act(_ sign: TextRun<StyleRole>, _ qwinkers: [Qwinker], _ verb: String) -> Act {
    let told = qwinkers.count > 3 ? 2 : qwinkers.count
    return Act(
      sign: sign,
      names: qwinkers.prefix(told).map { TextRun($0.shortName, AvatarInitials.nameRole(of: $0)) },
      othersCount: qwinkers.count - told, verb: verb)
  }

  /// Returns the start of a qwink's text, or its cover.
  static func text(
    of qwink: Qwink, _ cover: Disclosure.Cover?, _ role: StyleRole, me: Qwinker.ID?
  ) -> TextRun<StyleRole>? {
    if let cover { return TextRun("⚠ \(cover.words)", .warning) }
    // Omit the mention of the user: the verb already implies it.
    let text = MessageText.shown(qwink, among: Set(me.map { [$0] } ?? []))
    if !text.isEmpty { return TextRun(text.oneLine, role) }
    return qwink.attachments.isEmpty ? nil : TextRun("▣ \(AttachmentWords.summary(of: qwink))", .dim)
  }
}
