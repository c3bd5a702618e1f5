import QwinkleModel

/// The words of a profile page.
enum QwinkerWords {
  static let isMe = "this is you"
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
  static let isBlocked = "blocked"
  static let isMuted = "muted"
  static let until = "until"
  static let youFollow = "you follow"
  static let followRequested = "follow requested"

  static func followers(_ count: Int) -> String { Counted.words(count, "follower") }
  static func following(_ count: Int) -> String { "\(Counted.grouped(count)) following" }
  static func qwinks(_ count: Int) -> String { Counted.words(count, "qwink") }

  static func moved(to handle: String) -> String { "Moved to @\(handle)" }

  static func joined(_ month: String) -> String { "joined \(month)" }

  /// The relationship to somebody, `you follow each other`; empty if there is none.
  static func words(_ relationship: Relationship) -> String {
    var parts: [String] = []
    if relationship.isBlocking { parts.append(isBlocked) }
    if relationship.isMuting { parts.append(isMuted) }
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
