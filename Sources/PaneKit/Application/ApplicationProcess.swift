/// The process that an application runs in.
@MainActor
public protocol ApplicationProcess: AnyObject {
  /// Whether it can be stopped and continued, as a shell does.
  var canStop: Bool { get }
  /// Stops it. Returns when it has been continued.
  func stop()
  /// Ends it with an exit status, once the terminal was given back.
  func end(status: Int32)
}

extension ApplicationProcess {
  public var canStop: Bool { false }
  public func stop() {}
}

/// Keeps the state of the screen from one run to the next.
@MainActor
public protocol RestorationStore: AnyObject {
  /// What the last run saved; nil where nothing is known, or where restoring it has failed before.
  func load() -> StateArchive?
  /// The first frame since ``load()`` has been shown: restoring went well.
  func didShowFirstFrame()
  /// Saves `state` in place of what was saved before, without waiting for the disk.
  func save(_ state: StateArchive)
  /// Returns once everything saved is on the disk.
  func flush()
}
