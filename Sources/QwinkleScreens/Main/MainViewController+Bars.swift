import PaneKit

/// Messages in the status bar.
extension MainViewController {
  public func report(_ notice: Notice) {
    var notice = notice
    if isLinear, let spokenText = notice.spokenText { notice.text = spokenText }
    status.report(notice)
    setNeedsBars()
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
