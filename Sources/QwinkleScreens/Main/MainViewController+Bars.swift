import PaneKit
import QwinkleAccount

/// Messages in the status bar.
extension MainViewController {
  public func report(_ notice: Notice) {
    var notice = notice
    if isLinear, let spokenText = notice.spokenText { notice.text = spokenText }
    status.report(notice)
    setNeedsBars()
  }

  /// Whether the status bar shows no notice, no error and no pending action, and no sheet covers the screen.
  var isFree: Bool {
    isOnScreen && window?.topSheet == nil && !status.hasNotice && account.pendingActions.acts.isEmpty
      && router.focus.status.state.error == nil
  }

  public func wordsMayHaveChanged() {
    if status.isNoticeOver { setNeedsBars() }
  }

  /// Updates the header and the status bar before the next frame. Several calls before that frame cause only one
  /// update.
  func setNeedsBars() {
    header.setNeedsUpdateProperties()
    setNeedsHints()
  }

  /// Updates only the status bar.
  func setNeedsHints() { view.setNeedsUpdateProperties() }
}
