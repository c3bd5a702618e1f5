@MainActor
public protocol ConnectionObserver: AnyObject {
  /// Called after a successful write, which shows that the server is reachable.
  func connectionDidWrite(_ connection: AccountConnection)
  /// Called when a write starts or ends.
  func connectionDidChangeInProgress(_ connection: AccountConnection)
  /// Called when the server becomes unreachable or reachable, when a long download progresses or ends, when a missing
  /// ability is detected, or when the user has to sign in again or has done so.
  func connectionDidChangeState(_ connection: AccountConnection)
  /// Called when ``AccountConnection/isBusy`` changes.
  func connectionDidChangeBusy(_ connection: AccountConnection)
  /// Called when a read has been answered, before its owner merges the answer. `path` has no query. `byteCount` is the
  /// size of the response's body.
  func connection(_ connection: AccountConnection, didFetch path: String, byteCount: Int)
  /// Called when a download is redirected.
  func connection(_ connection: AccountConnection, didFollowRedirectTo url: String)
}

extension ConnectionObserver {
  public func connectionDidWrite(_ connection: AccountConnection) {}
  public func connectionDidChangeInProgress(_ connection: AccountConnection) {}
  public func connectionDidChangeState(_ connection: AccountConnection) {}
  public func connectionDidChangeBusy(_ connection: AccountConnection) {}
  public func connection(_ connection: AccountConnection, didFetch path: String, byteCount: Int) {}
  public func connection(_ connection: AccountConnection, didFollowRedirectTo url: String) {}
}
