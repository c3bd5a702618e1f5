import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// Notifies the focused screen of the reader's input. Recognizes notifications whose subject the reader already sees.
@MainActor
final class ReadingMonitor {
  /// After this time without a key press or mouse click, the reader may be looking elsewhere.
  private static let readingTime = Duration.seconds(120)

  private let account: Account
  private let router: SectionRouter
  /// Uptime of the user's last key or mouse input.
  private var actedAt: Duration?
  /// The screen that had keyboard focus before the last input; nil if a sheet was open.
  private weak var readScreen: (any Screen)?

  init(account: Account, router: SectionRouter) {
    self.account = account
    self.router = router
  }

  func observe(_ application: Application) {
    application.willHandleInput.add(self) { $0.prepareReading() }
    application.didHandleKey.add(self) { $0.noteReading() }
    application.didHandleMouse.add(self) { $0.noteReading() }
  }

  func stopObserving(_ application: Application) {
    application.willHandleInput.remove(self)
    application.didHandleKey.remove(self)
    application.didHandleMouse.remove(self)
  }

  /// Called before each input. Closes dead streams, shows qwinks that were hidden by filters that have expired, and
  /// notifies the focused screen.
  private func prepareReading() {
    account.live.checkAlive()
    account.checkFilters()
    actedAt = account.clock.uptime
    readScreen = router.uncoveredFocus
    readScreen?.readerWillAct()
  }

  /// Called after each input. Notifies the focused screen, which may mark rows as read.
  private func noteReading() {
    guard let screen = router.uncoveredFocus else { return }
    screen.readerDidAct(wasHere: screen === readScreen)
  }

  /// Whether the reader was recently active, and the focused screen shows the notification's subject: the list of
  /// notifications, the message's chat, or the thread with the qwink that was replied to. False while a sheet (a view
  /// above the screen) is open.
  func isReading(_ notification: AccountNotification) -> Bool {
    guard let actedAt, account.clock.uptime - actedAt < Self.readingTime else { return false }
    switch router.uncoveredFocus {
    case is NotificationsViewController: return true
    case let chat as ChatViewController:
      return notification.qwink.map { chat.conversation.holds($0, me: account.identity.me?.id) } ?? false
    case let thread as ThreadViewController:
      return notification.qwink?.inReplyTo.map { thread.shows($0) } ?? false
    default: return false
    }
  }
}
