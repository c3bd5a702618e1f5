import PaneKit
import QwinkleAccount
public import QwinkleModel
import Timekeeping

/// What needs no call, as the reader sees it.
extension MainViewController {
  /// Whoever has done nothing for so long may look elsewhere.
  private static let readingTime = Duration.seconds(120)

  /// Whether the reader has just been where they see what a notification is about.
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
