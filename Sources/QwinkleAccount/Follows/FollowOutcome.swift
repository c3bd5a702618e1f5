public import QwinkleModel

/// The server's answer to a follow or unfollow.
public struct FollowOutcome: Sendable {
  public let qwinker: Qwinker
  /// True for a follow, false for an unfollow.
  public let isOn: Bool
  /// The relationship before the change, if known.
  public let before: Relationship?
  public let now: Relationship
  /// Whether the change was an undo, which can't itself be undone.
  public let isUndo: Bool

  init(qwinker: Qwinker, isOn: Bool, before: Relationship?, now: Relationship, isUndo: Bool) {
    self.qwinker = qwinker
    self.isOn = isOn
    self.before = before
    self.now = now
    self.isUndo = isUndo
  }

  /// Creates the outcome of a follow, or of an unfollow if `isOn` is false, when the previous relationship is unknown.
  public init(of qwinker: Qwinker, isOn: Bool, now: Relationship) {
    self.init(qwinker: qwinker, isOn: isOn, before: nil, now: now, isUndo: false)
  }

  /// The result as a sentence for the user.
  public var sentence: String {
    let name = "@\(qwinker.handle)"
    return switch (isOn, now.isFollowing, now.isRequested) {
    case (true, true, _): "Following \(name)"
    // Even if `isRequested` is false: some servers respond before the follow takes effect.
    case (true, false, _): "Follow request sent to \(name)"
    case (false, true, _): "Still following \(name)"
    case (false, false, true): "Follow request to \(name) still pending"
    case (false, false, false) where before?.isRequested == true && before?.isFollowing != true:
      "Follow request to \(name) withdrawn"
    case (false, false, false): "Unfollowed \(name)"
    }
  }

  /// Returns the status bar text while the request is in progress.
  public static func activity(_ qwinker: Qwinker, isOn: Bool) -> String {
    isOn ? "Following @\(qwinker.handle)…" : "Unfollowing @\(qwinker.handle)…"
  }
}
