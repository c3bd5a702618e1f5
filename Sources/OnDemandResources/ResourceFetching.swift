public import QwinkleModel

/// Fetches resources over the network. Methods can be called from any thread.
public protocol ResourceFetching: Sendable {
  /// Fetches the file at `address`. If the calling task is cancelled, the download stops with
  /// ``ResourceError/cancelled``. The result then has the bytes received so far if the download can be resumed.
  ///
  /// - Parameter part: The beginning of the file, saved by an earlier download. If not nil, the download resumes after
  ///   it if possible.
  /// - Parameter isByKey: Whether the user pressed a key to load this resource.
  /// - Parameter mostBytes: Maximum size of the file.
  /// - Parameter didReceive: Called with the progress as bytes arrive.
  @concurrent func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult
}

/// Progress of a download, in bytes.
public struct ResourceAmount: Hashable, Sendable {
  public var received: Int
  /// Nil if unknown.
  public var total: Int?
}

public enum ResourceFetchResult: Hashable, Sendable {
  case whole([UInt8])
  /// The download is incomplete. `part` is the beginning of the file if the download can be resumed.
  case broken(ResourceError, part: PartialResource?)
}
