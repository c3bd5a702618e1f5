import PaneKit

/// Answers the application's life-cycle questions, as the command line has settled them. Objects with something to save
/// or drop observe the application.
@MainActor
final class AppDelegate: ApplicationDelegate {
  private let restores: Bool

  /// - Parameter restores: whether a start takes up the screen of the last run.
  init(restores: Bool) {
    self.restores = restores
  }

  func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { restores }
}
