public import PaneKit
public import QwinkleModel
import Terminal
public import Timekeeping

/// The type of alert for direct messages and mentions.
enum AttentionKind: String, CaseIterable, Sendable {
  case off
  case bell
  /// A desktop notification. Terminals that don't support notifications ring the bell.
  case notify
}

/// Alerts the user to new direct messages and mentions, as the settings specify.
@MainActor
public final class AttentionCaller {
  private weak var application: Application?
  private let clock: any ProgramClock

  public init(_ application: Application, clock: any ProgramClock) {
    self.application = application
    self.clock = clock
  }

  /// Alerts the user to the direct messages and mentions in `news`. Does nothing if alerts are off, during quiet hours,
  /// or while the program is suspended.
  ///
  /// - Parameter account: The name of the account that received `news`. Nil if that account is the visible one.
  /// - Parameter settings: The account's settings.
  /// - Parameter isRead: Returns whether the user is already reading the content that a notification is about. Such
  ///   notifications cause no alert.
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
