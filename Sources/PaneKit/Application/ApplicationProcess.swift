/// The process that an application runs in.
@MainActor
public protocol ApplicationProcess: AnyObject {
  /// Whether the process can be stopped. True only if a shell can continue it later.
  var canStop: Bool { get }
  /// Stops the process. Returns when the process is continued.
  func stop()
  /// Exits with `status`. Called after the terminal has been restored.
  func end(status: Int32)
}

extension ApplicationProcess {
  public var canStop: Bool { false }
  public func stop() {}
}

/// Saves the state of the screen between runs.
@MainActor
public protocol RestorationStore: AnyObject {
  /// Returns the state saved by the last run. Returns nil if no run has saved a state, if the state is unreadable, or
  /// if an earlier attempt to restore it failed.
  func load() -> StateArchive?
  /// Called when the first frame has been drawn, after launch or with a new root controller. If ``load()`` has returned
  /// a state, this shows that the state could be restored.
  func didShowFirstFrame()
  /// Saves `state` asynchronously, replacing the previous state.
  func save(_ state: StateArchive)
  /// Waits until all states passed to ``save(_:)`` are on disk.
  func flush()
}
