/// Responds to life cycle events. Services and data belong elsewhere, not in the delegate.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// Called before the terminal is set up and the first frame is drawn.
  func applicationWillFinishLaunching(_ application: Application)
  /// Called after the first frame.
  func applicationDidFinishLaunching(_ application: Application)
  /// Called after the terminal has been released to the shell or another program.
  func applicationDidEnterBackground(_ application: Application)
  /// Called when the terminal has been set up again.
  func applicationWillEnterForeground(_ application: Application)
  /// Called before the program ends.
  func applicationWillTerminate(_ application: Application)
  /// Whether to save the state of the screen for the next launch.
  func applicationShouldSaveApplicationState(_ application: Application) -> Bool
  /// Whether to restore the state of the last run.
  func applicationShouldRestoreApplicationState(_ application: Application) -> Bool
}

extension ApplicationDelegate {
  public func applicationWillFinishLaunching(_ application: Application) {}
  public func applicationDidFinishLaunching(_ application: Application) {}
  public func applicationDidEnterBackground(_ application: Application) {}
  public func applicationWillEnterForeground(_ application: Application) {}
  public func applicationWillTerminate(_ application: Application) {}
  public func applicationShouldSaveApplicationState(_ application: Application) -> Bool { true }
  public func applicationShouldRestoreApplicationState(_ application: Application) -> Bool { true }
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
