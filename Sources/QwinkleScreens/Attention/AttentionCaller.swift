public import PaneKit
public import QwinkleModel
import Terminal
public import Timekeeping

/// How direct messages and mentions call.
enum AttentionKind: String, CaseIterable, Sendable {
  case off
  case bell
  /// By a notification of the desktop, where the terminal shows such.
  case notify
}

/// Calls the user when direct messages and mentions come, as the settings say.
@MainActor
public final class AttentionCaller {
  private weak var application: Application?
  private let clock: any ProgramClock

  public init(_ application: Application, clock: any ProgramClock) {
    self.application = application
    self.clock = clock
  }

  /// Notifications have come, which were not there before.
  ///
  /// - Parameters:
  ///   - account: the account's name, if another one is shown.
  ///   - settings: what is set for the account.
  ///   - isRead: whether the user is reading what a notification is about.
  public func note(
    _ news: [AccountNotification], in account: String?, by settings: ReaderSettings,
    isRead: (AccountNotification) -> Bool
  ) {
    guard settings.attention != .off, let application, application.phase == .active else { return }
    if settings.quietHours?.contains(clock.timeZone.localTime(of: clock.now)) == true { return }
    let calling = news.filter { $0.kind == .mention && !isRead($0) }
    guard !calling.isEmpty else { return }
    application.driver.callAttention(
      settings.attention == .notify ? AttentionWords.news(calling, account: account) : nil)
  }
}
