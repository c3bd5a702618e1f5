public import QwinkleModel

/// The server's answer to a follow or unfollow.
public struct FollowOutcome: Sendable {
  public let qwinker: Qwinker
  /// Whether it was a follow.
  public let isOn: Bool
  /// The relationship before.
  public let before: Relationship?
  public let now: Relationship
  /// Whether it was an undo, which can't be undone.
  public let isUndo: Bool

  init(qwinker: Qwinker, isOn: Bool, before: Relationship?, now: Relationship, isUndo: Bool) {
    self.qwinker = qwinker
    self.isOn = isOn
    self.before = before
    self.now = now
    self.isUndo = isUndo
  }

  /// The answer to a follow, or an unfollow if `isOn` is false, where the relationship before is unknown.
  public init(of qwinker: Qwinker, isOn: Bool, now: Relationship) {
    self.init(qwinker: qwinker, isOn: isOn, before: nil, now: now, isUndo: false)
  }

  /// The result in words.
  public var sentence: String {
    let name = "@\(qwinker.handle)"
    return switch (isOn, now.isFollowing, now.isRequested) {
    case (true, true, _): "Following \(name)"
    // Some servers answer before they know whether it takes effect.
    case (true, false, _): "Follow request sent to \(name)"
    case (false, true, _): "Still following \(name)"
    case (false, false, true): "Follow request to \(name) still pending"
    case (false, false, false) where before?.isRequested == true && before?.isFollowing != true:
      "Follow request to \(name) withdrawn"
    case (false, false, false): "Unfollowed \(name)"
    }
  }

  /// What the status bar says while it is under way.
  public static func activity(_ qwinker: Qwinker, isOn: Bool) -> String {
    isOn ? "Following @\(qwinker.handle)…" : "Unfollowing @\(qwinker.handle)…"
  }
}
