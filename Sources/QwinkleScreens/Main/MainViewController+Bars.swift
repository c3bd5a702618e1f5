public import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// Messages in the status bar.
extension MainViewController {
  private static let announcementTime = Duration.seconds(60)
  private static let messageTime = Duration.seconds(6)

  /// Shows a message about the program itself.
  public func announce(_ text: String) {
    say(text, .warning, for: Self.announcementTime, isKept: true)
  }

  public func say(_ text: String, _ role: StyleRole) {
    say(text, role, for: Self.messageTime)
  }

  public func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool) {
    say(text, role, for: Self.messageTime)
    status.messageIsSo = isSo
  }

  /// Shows a message for `time`, or until the user presses a key that has an effect. Errors and messages with `isKept`
  /// always stay for `time`: the user doesn't expect them and could miss them.
  private func say(_ text: String, _ role: StyleRole, for time: Duration, isKept: Bool = false) {
    status.say(text, role, for: time)
    messageKeyCount = isKept || role == .error ? nil : window?.application?.keyCount
    setNeedsBars()
  }

  /// Removes the message if the user has pressed a key since it appeared. Errors and messages with `isKept` stay, and
  /// no message is removed while a sheet is open.
  func endFormerMessage() {
    guard let window, window.topSheet == nil, let application = window.application, let messageKeyCount,
      messageKeyCount < application.keyCount
    else { return }
    self.messageKeyCount = nil
    status.endMessageNow()
  }

  public func wordsMayHaveChanged() {
    if status.isMessageOver { setNeedsBars() }
  }

  /// Updates the header and the status bar before the next frame. Several calls before that frame cause only one
  /// update.
  func setNeedsBars() { view.setNeedsUpdateProperties() }
}
