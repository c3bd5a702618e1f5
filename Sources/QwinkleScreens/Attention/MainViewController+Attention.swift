import PaneKit
import QwinkleAccount
public import QwinkleModel
import Timekeeping

/// Suppresses alerts for content that is already visible.
extension MainViewController {
  /// After this time without a key press or mouse click, the reader may be looking elsewhere.
  private static let readingTime = Duration.seconds(120)

  /// Whether the reader was recently active, and the focused screen shows the notification's subject: the list of
  /// notifications, the message's chat, or the thread with the qwink that was replied to. False while a sheet (a view
  /// above the screen) is open.
  public func isReading(_ notification: AccountNotification) -> Bool {
    guard let actedAt, account.clock.uptime - actedAt < Self.readingTime, window?.topSheet == nil else { return false }
    switch focus {
    case is NotificationsViewController: return true
    case let chat as ChatViewController:
      return notification.qwink.map { chat.conversation.holds($0, me: account.identity.me?.id) } ?? false
    case let thread as ThreadViewController:
      return notification.qwink?.inReplyTo.map { thread.shows($0) } ?? false
    default: return false
    }
  }
}
