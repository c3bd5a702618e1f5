public import QwinkleModel

/// What became of a follow, or of its end, by the server's answer.
public struct FollowOutcome: Sendable {
  public let qwinker: Qwinker
  /// Whether to follow was wanted, or no longer to.
  public let isOn: Bool
  /// How I stood to them by what the server said last.
  public let before: Relationship?
  public let now: Relationship
  /// Whether it took something back, and cannot be taken back itself.
  public let isUndo: Bool

  /// What is so now.
  public var sentence: String {
    let name = "@\(qwinker.handle)"
    return switch (isOn, now.isFollowing, now.isRequested) {
    case (true, true, _): "Following \(name)."
    // Some servers answer before they know whether it takes effect.
    case (true, false, _): "Follow request sent to \(name)."
    case (false, true, _): "Still following \(name)."
    case (false, false, true): "The follow request to \(name) still stands."
    case (false, false, false) where before?.isRequested == true && before?.isFollowing != true:
      "Follow request to \(name) withdrawn."
    case (false, false, false): "No longer following \(name)."
    }
  }

  /// While it is under way.
  public static func activity(_ qwinker: Qwinker, isOn: Bool) -> String {
    isOn ? "Following @\(qwinker.handle)…" : "Unfollowing @\(qwinker.handle)…"
  }
}
