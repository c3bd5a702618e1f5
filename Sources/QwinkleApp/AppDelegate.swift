import PaneKit

/// Answers the application's life-cycle questions. It has no state: objects with something to save or drop observe the
/// application.
@MainActor
final class AppDelegate: ApplicationDelegate {
  func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { true }
}
