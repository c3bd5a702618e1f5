public import QwinkleModel

@MainActor
public protocol TimelinesObserver: AnyObject {
  /// Called when rows of a timeline changed. `change` describes exactly those rows.
  func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause)
  /// Called when new rows were cached above a timeline's rows in memory.
  func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName)
  /// Called when the number of rows above a timeline's rows in memory became known.
  func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName)
  /// Called when a timeline starts or stops fetching, or when its stream or the number of rows missing at a gap
  /// changes.
  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName)
  /// Called when a qwink's appearance changed in all lists: it was edited or revealed, or has other reactions.
  func timelines(_ timelines: Timelines, didChange qwink: Qwink)
  /// Called when a qwink was deleted.
  func timelines(_ timelines: Timelines, didDelete id: Qwink.ID)
  /// Called when an edit gave a qwink another id. `qwink` is its new version.
  func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink)
}

extension TimelinesObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {}
  public func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {}
  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {}
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {}
}
