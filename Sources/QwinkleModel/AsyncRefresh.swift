/// Work that a server does after its answer, such as fetching the replies that other servers have. The answer becomes
/// outdated when results arrive.
public struct AsyncRefresh: Hashable, Sendable {
  public var id: String
  /// Whether the server may find more results.
  public var isRunning: Bool
  /// Number of results so far. Nil if the server doesn't report it. Results can be invisible to the user.
  public var resultCount: Int?
  /// Seconds to wait before the next request. Nil if the server doesn't report it.
  public var retrySeconds: Int?

  public init(id: String, isRunning: Bool = true, resultCount: Int? = nil, retrySeconds: Int? = nil) {
    self.id = id
    self.isRunning = isRunning
    self.resultCount = resultCount
    self.retrySeconds = retrySeconds
  }
}
