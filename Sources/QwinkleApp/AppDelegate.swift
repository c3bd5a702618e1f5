import PaneKit
import QwinkleScreens

/// Forwards the application's life cycle to the open accounts, which the graph owns.
@MainActor
final class AppDelegate: ApplicationDelegate {
  private let restores: Bool
  private weak var accounts: ScreenAccounts?

  /// - Parameter restores: whether to restore the screen that the previous run saved.
  init(restores: Bool, accounts: ScreenAccounts) {
    self.restores = restores
    self.accounts = accounts
  }

  func applicationWillFinishLaunching(_ application: Application) { accounts?.showFirst() }
  func applicationDidFinishLaunching(_ application: Application) { accounts?.openOthersSoon() }
  func applicationDidEnterBackground(_ application: Application) { accounts?.didEnterBackground() }
  func applicationWillEnterForeground(_ application: Application) { accounts?.willEnterForeground() }
  func applicationDidReceiveMemoryWarning(_ application: Application) { accounts?.releaseMemory() }
  func applicationShouldTerminate(_ application: Application) -> Bool { accounts?.shown.main.mayQuit() ?? true }
  func applicationWillTerminate(_ application: Application) { accounts?.finishPendingActions() }
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { restores }
}
