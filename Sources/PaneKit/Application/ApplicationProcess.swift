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
public protocol RestorationStore {
  /// What the last run saved; nil where nothing is known.
  func load() -> StateArchive?
  func save(_ state: StateArchive)
}
