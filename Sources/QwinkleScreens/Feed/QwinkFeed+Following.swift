public import QwinkleModel
import QwinkleService

/// Following, and no longer.
extension QwinkFeed {
  /// Follows somebody, or no longer where `isOn` is false. ``undo()`` reverses it. Observers hear how one stands to them
  /// then.
  public func follow(_ qwinker: Qwinker, isOn: Bool) {
    remember(.follow(qwinker, isOn: isOn))
    sendFollow(qwinker, isOn: isOn)
  }

  func sendFollow(_ qwinker: Qwinker, isOn: Bool) {
    let identifier = service.start(.follow(qwinker.id, isOn: isOn), delegate: self)
    purposes[identifier] = .follow(qwinker.id, isOn: isOn)
  }

  func didFailToFollow(_ id: Qwinker.ID, isOn: Bool, with error: DownloadError) {
    forgetAct { $0.isFollow(id) }
    forEachObserver { $0.feed(self, didFailTo: isOn ? "Following" : "Unfollowing", with: error) }
  }
}
