/// Decides whether the application saves and restores its state. Services and data belong elsewhere, not in the
/// delegate.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// Whether to save the state of the screen for the next launch.
  func applicationShouldSaveApplicationState(_ application: Application) -> Bool
  /// Whether to restore the state of the last run.
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool
}

/// An observer of the application's life cycle. It may save or discard data when the phase changes. Held weakly.
@MainActor
public protocol ApplicationObserver: AnyObject {
  func application(_ application: Application, didChangeTo phase: ApplicationPhase)
}

/// A phase of the application's life cycle.
public enum ApplicationPhase: Hashable, Sendable {
  case launching, active, background, terminating
}
