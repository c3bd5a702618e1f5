public import FoundationEssentials
public import QwinkleModel

/// The words of a profile page.
public enum QwinkerWords {
  static let isMe = "this is you"
  /// Refuses an action that needs another user.
  public static let notToYourself = "You can't do that to yourself."
  static let accept = "accept"
  static let refuse = "refuse"
  static let message = "message"
  static let showAll = "show all"
  static let showLess = "show less"

  /// Stands before the user's own remark about somebody.
  static let privateNote = "Your note (only you see it)"

  /// The sign of a qwink that they have pinned.
  static let pinned = "pinned"

  static let isBot = "bot"
  static let approvesFollowers = "approves followers"
  static let hasMoved = "moved"
  static let isSuspended = "suspended"
  static let isLimited = "limited"
  static let isBlocked = "blocked"
  static let isMuted = "muted"
  static let until = "until"
  static let youFollow = "you follow"
  static let followRequested = "follow requested"

  static func followers(_ count: Int) -> String { Counted.words(count, "follower") }
  static func following(_ count: Int) -> String { "\(Counted.grouped(count)) following" }
  static func qwinks(_ count: Int) -> String { Counted.words(count, "qwink") }

  public static func moved(to handle: String) -> String { "Moved to @\(handle)" }

  /// The facts about an account that matter before a follow: `bot · suspended`. Empty if there are none.
  public static func signs(of qwinker: Qwinker, saysMoved: Bool = true) -> String {
    let signs: [(String, Bool)] = [
      (isBot, qwinker.isBot), (approvesFollowers, qwinker.isLocked),
      (hasMoved, saysMoved && qwinker.movedTo != nil), (isSuspended, qwinker.isSuspended),
      (isLimited, qwinker.isLimited),
    ]
    return signs.filter(\.1).map(\.0).joined(separator: " · ")
  }

  /// `muted until 22 Nov 2026, 09:30`; `end` is a time in words.
  public static func muted(until end: String) -> String { "\(isMuted) \(until) \(end)" }

  /// `muted until 22 Nov 2026, 09:30`, or `muted` if the server sent no end; nil if no mute is in force at `now`.
  /// `time` returns a time in words.
  public static func mute(
    _ relationship: Relationship, of qwinker: Qwinker, at now: Date, time: (Date) -> String
  ) -> String? {
    guard relationship.mutes(at: now) else { return nil }
    return qwinker.muteEnd(relationship, at: now).map { muted(until: time($0)) } ?? isMuted
  }

  /// `joined Nov 2026`
  public static func joined(_ month: String) -> String { "joined \(month)" }

  /// The relationship to another user, such as `you follow each other`; empty without any relationship. `mute` is the
  /// result of ``mute(_:of:at:time:)``.
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
    if relationship.isAskingToFollow { parts.append("wants to follow you") }
    return parts.joined(separator: " · ")
  }
}

extension Relationship {
  /// What the follow key does, in one or two words.
  var followWord: String { isFollowing ? "unfollow" : isRequested ? "cancel request" : "follow" }
}
