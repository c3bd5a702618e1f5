/// Answers questions about the life cycle, and nothing else: a delegate holds no service and no data.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// Before the terminal is taken over and the first frame painted.
  func applicationWillFinishLaunching(_ application: Application)
  /// After the first frame.
  func applicationDidFinishLaunching(_ application: Application)
  /// The program is about to be suspended; the terminal has been given back.
  func applicationDidEnterBackground(_ application: Application)
  /// The program runs again; the terminal has been taken back.
  func applicationWillEnterForeground(_ application: Application)
  /// The program is about to end.
  func applicationWillTerminate(_ application: Application)
  /// Whether the state of the screen should be kept for the next start.
  func applicationShouldSaveApplicationState(_ application: Application) -> Bool
  /// Whether the state of the last run should be taken up.
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

/// Told of the life cycle, for those who have something to save or to drop. Held weakly.
@MainActor
public protocol ApplicationObserver: AnyObject {
  func application(_ application: Application, didChangeTo phase: ApplicationPhase)
}

/// Where in its life a program is.
public enum ApplicationPhase: Hashable, Sendable {
  case launching, active, background, terminating
}
