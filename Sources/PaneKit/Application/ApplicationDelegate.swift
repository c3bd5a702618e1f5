/// Answers the application's questions and is notified of its life cycle. Forwards the calls to the objects that they
/// concern: services and data belong elsewhere, not in the delegate. All methods are optional.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// Called before the terminal is set up and the state of the last run is restored.
  func applicationWillFinishLaunching(_ application: Application)
  /// Called after the first frame has been drawn.
  func applicationDidFinishLaunching(_ application: Application)
  /// Called after the terminal was released to another program: the shell or an editor.
  func applicationDidEnterBackground(_ application: Application)
  /// Called before the terminal is set up again.
  func applicationWillEnterForeground(_ application: Application)
  /// Called when memory should be released that can be loaded again: before the process is stopped.
  func applicationDidReceiveMemoryWarning(_ application: Application)
  /// Whether the application may terminate at once when the user quits. If the delegate returns false, it can call
  /// ``Application/terminate(status:)`` later.
  func applicationShouldTerminate(_ application: Application) -> Bool
  /// Called before observers are notified of the termination and the terminal is restored.
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
  public func applicationDidReceiveMemoryWarning(_ application: Application) {}
  public func applicationShouldTerminate(_ application: Application) -> Bool { true }
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
