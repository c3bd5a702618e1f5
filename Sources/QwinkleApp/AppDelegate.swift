import PaneKit

/// Decides whether the application saves and restores its state. Objects with state to save or discard observe the
/// application.
@MainActor
final class AppDelegate: ApplicationDelegate {
  private let restores: Bool

  /// - Parameter restores: whether to restore the screen of the last run.
  init(restores: Bool) {
    self.restores = restores
  }

  func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { restores }
}
