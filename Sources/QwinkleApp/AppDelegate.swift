import PaneKit

/// Decides whether the application saves and restores its state. The state itself is handled by the application's
/// observers.
@MainActor
final class AppDelegate: ApplicationDelegate {
  private let restores: Bool

  /// - Parameter restores: whether to restore the screen that the previous run saved.
  init(restores: Bool) {
    self.restores = restores
  }

  func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { restores }
}
