public import QwinkleModel

@MainActor
public protocol FollowsObserver: AnyObject {
  /// Called when the user's relationship to another account changed.
  func follows(_ follows: Follows, didChange relationship: Relationship)
  /// Called when the set of hidden accounts changed, because the user muted, unmuted, blocked or unblocked an account
  /// or server.
  func followsDidChangeHidden(_ follows: Follows)
  /// Called when the server answered a follow or unfollow.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome)
  /// Called when the user accepted or refused a follow request. `accepted` is nil if the request was withdrawn.
  func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?)
}

extension FollowsObserver {
  public func follows(_ follows: Follows, didChange relationship: Relationship) {}
  public func followsDidChangeHidden(_ follows: Follows) {}
  public func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {}
  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {}
}
