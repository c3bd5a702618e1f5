/// The process that an application runs in.
@MainActor
public protocol ApplicationProcess: AnyObject {
  /// Whether the process can be stopped and continued, as by a shell.
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
  /// Returns the state saved by the last run, or nil if no usable state is saved or restoring it has failed before.
  func load() -> StateArchive?
  /// Called when the first frame since ``load()`` has been drawn, so restoring succeeded.
  func didShowFirstFrame()
  /// Saves `state` asynchronously, replacing the previous state.
  func save(_ state: StateArchive)
  /// Waits until everything saved is on disk.
  func flush()
}
