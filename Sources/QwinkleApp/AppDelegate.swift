import PaneKit

/// Answers the application's questions about its life cycle. It holds nothing: who has something to save or to drop
/// observes the application.
@MainActor
final class AppDelegate: ApplicationDelegate {
  func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { true }
}
