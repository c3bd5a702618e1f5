public import FoundationEssentials
import QwinkleAccount
public import QwinkleModel

/// Strings of a profile page.
public enum QwinkerWords {
  static let isMe = "this is you"
  /// Shown if the user tries to follow, mute or block their own account.
  public static let notToYourself = "You can't do that to yourself."
  static let accept = "accept"
  static let refuse = "refuse"
  static let message = "message"
  static let showAll = "show all"
  static let showLess = "show less"

  /// The label of the user's private note.
  static let privateNote = "Your note (only you see it)"

  /// The label of a pinned qwink.
  static let pinned = "pinned"

  static let isBot = "bot"
  static let approvesFollowers = "approves followers"
  static let hasMoved = "moved"
  static let isSuspended = "suspended"
  static let isLimited = "limited"
  static let isGroup = "group"
  static let isMemorial = "in memoriam"
  static let isBlocked = "blocked"
  static let isMuted = "muted"
  static let until = "until"
  static let youFollow = "you follow"
  static let followRequested = "follow requested"

  static func followers(_ count: Int) -> String { Counted.words(count, "follower") }
  static func following(_ count: Int) -> String { "\(Counted.grouped(count)) following" }
  static func qwinks(_ count: Int) -> String { Counted.words(count, "post") }

  public static func moved(to handle: String) -> String { "Moved to @\(handle)" }

  /// Returns the facts about an account that matter before following it, such as `bot · suspended`. May be empty.
  public static func signs(of qwinker: Qwinker, saysMoved: Bool = true) -> String {
    let signs: [(String, Bool)] = [
      (isBot, qwinker.isBot), (isGroup, qwinker.traits.contains(.group)), (approvesFollowers, qwinker.isLocked),
      (hasMoved, saysMoved && qwinker.movedTo != nil), (isSuspended, qwinker.isSuspended),
      (isLimited, qwinker.isLimited), (isMemorial, qwinker.traits.contains(.memorial)),
    ]
    return signs.filter(\.1).map(\.0).joined(separator: " · ")
  }

  /// Returns facts about a profile that matter less, such as `hides follows`. May be empty. Only a whole profile states
  /// that it may be recommended, because most are.
  public static func traits(of qwinker: Qwinker, isWhole: Bool) -> [String] {
    (qwinker.traits.contains(.hidesFollows) ? ["hides follows"] : [])
      + (isWhole && qwinker.traits.contains(.discoverable) ? ["discoverable"] : [])
  }

  /// Returns `muted until 22 Nov 2026, 09:30`. `end` is already formatted.
  public static func muted(until end: String) -> String { "\(isMuted) \(until) \(end)" }

  /// Returns `muted until 22 Nov 2026, 09:30`, or `muted` if the server sent no end, or nil if no mute is active at
  /// `now`. `time` formats a date.
  public static func mute(
    _ relationship: Relationship, of qwinker: Qwinker, at now: Date, time: (Date) -> String
  ) -> String? {
    guard relationship.mutes(at: now) else { return nil }
    return qwinker.muteEnd(relationship, at: now).map { muted(until: time($0)) } ?? isMuted
  }

  /// Returns `joined Nov 2026`.
  public static func joined(_ month: String) -> String { "joined \(month)" }

  /// Returns the relationship to another user, such as `you follow each other`, or an empty string for unrelated users.
  /// `mute` is the result of ``mute(_:of:at:time:)``.
  static func words(_ relationship: Relationship, mute: String?) -> String {
    var parts: [String] = []
    if relationship.isBlocking { parts.append(isBlocked) }
    if let mute { parts.append(mute) }
    switch (relationship.isFollowing, relationship.isFollowedBy) {
    case (true, true): parts.append("you follow each other")
    case (true, false): parts.append(youFollow)
    case (false, true): parts.append("follows you")
    case (false, false): break
    }
    if relationship.isRequested { parts.append(followRequested) }
    if relationship.isFollowing { parts += options(relationship, bell: QwinkSign.notifies.rawValue + " ") }
    if relationship.isAskingToFollow { parts.append("wants to follow you") }
    return parts.joined(separator: " · ")
  }
}

extension QwinkerWords {
  /// Returns the options of a follow that aren't usual, such as `boosts hidden`. `bell` precedes the notifications.
  public static func options(_ relationship: Relationship, bell: String = "") -> [String] {
    var options = relationship.followOptions.changes(from: .usual)
    options.notifies = nil
    return (relationship.isNotifying ? ["\(bell)notifications on"] : []) + options.words
  }

  /// Returns `you follow`, with the symbol of notifications if the user is notified of each post. Two spaces separate
  /// them, so that linear form replaces the symbol with words.
  static func following(_ relationship: Relationship) -> String {
    youFollow + (relationship.isNotifying ? "  \(QwinkSign.notifies.rawValue)" : "")
  }
}

extension Relationship {
  /// The hint for the follow key.
  var followWord: String { isFollowing ? "unfollow" : isRequested ? "cancel request" : "follow" }
}
