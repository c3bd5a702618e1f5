import HTTPTypes
import LibC
import Synchronization

/// A cache of encoded responses to reads. A repeated request gets the same bytes without a database query.
///
/// A response depends on the database's content, the request and the time. Therefore a write clears the cache, the key
/// contains everything that handlers read of a request, and a response expires after a second.
final class AnswerCache: Sendable {
  /// The properties of a request that affect its response.
  struct Key: Hashable, Sendable {
    /// The Authorization header as sent, or nil if it wasn't sent or the route ignores it.
    var authorization: String?
    /// The user of this host who sent the request, or nil if the route ignores them.
    var unixUser: uid_t?
    /// A proxy is refused, so it must not get answers cached for the Unix user that runs it.
    var isFromProxy = false
    var target: String
    var origin: BaseURL
    /// Whether the client accepts gzip.
    var takesGzip: Bool

    fileprivate var bytes: Int { (authorization?.utf8.count ?? 0) + target.utf8.count }
  }

  struct Answer: Sendable {
    var head: HTTPResponse
    var body: [UInt8]
    /// The signed-in account, for the log.
    var viewer: Int64?
  }

  fileprivate struct Entry {
    var answer: Answer
    var until: Duration
  }

  fileprivate struct State {
    var version: Int64?
    /// Two generations. When `newer` is full, it replaces `older`.
    var newer: [Key: Entry] = [:]
    var older: [Key: Entry] = [:]
    var newerBytes = 0
  }

  /// Lifetime of a response.
  private static let longest = Duration.seconds(1)
  /// Maximum size of a generation, in bytes.
  private static let mostBytes = 8 << 20
  /// Maximum size of a cached response, in bytes. A few larger responses would evict all others.
  private static let mostAnswerBytes = 256 << 10

  private let version: DataVersion
  private let state = Mutex(State())

  /// Creates a cache of reads from the file that `version` observes.
  init(_ version: DataVersion) {
    self.version = version
  }

  var count: Int { state.withLock { $0.newer.count + $0.older.count } }

  /// The current version of the database's content, or nil if it can't be determined. The caller must get the version
  /// before it reads the content. Without a version, the caller must not cache the response.
  var currentVersion: Int64? { version.current }

  /// Returns the cached response to a request, if it has this version and hasn't expired.
  func answer(to key: Key, at version: Int64, now: Duration) -> Answer? {
    state.withLock { state in
      state.forget(unless: version)
      guard let cached = state.newer[key] ?? state.older[key], now < cached.until else { return nil }
      return cached.answer
    }
  }

  /// Caches a response that was read from content of this version or a later one. Does nothing if the response isn't a
  /// 200 response, is too large, or if the cache has another version by now.
  func keep(_ answer: Answer, for key: Key, at version: Int64, now: Duration) {
    guard answer.head.status == .ok, answer.body.count <= Self.mostAnswerBytes else { return }
    state.withLock { state in
      guard state.version == version else { return }
      let bytes = answer.body.count + key.bytes + 500
      if state.newerBytes + bytes > Self.mostBytes {
        (state.older, state.newer, state.newerBytes) = (state.newer, [:], 0)
      }
      state.newerBytes += bytes
      state.newer[key] = Entry(answer: answer, until: now + Self.longest)
    }
  }

  /// Closes the connection that reads the version.
  func close() { version.close() }
}

extension AnswerCache.Key {
  init(_ request: ServiceRequest, for route: Route) {
    let isOpen = route.access == .open
    self.init(
      authorization: isOpen ? nil : request.headers[.authorization], unixUser: isOpen ? nil : request.unixUser,
      isFromProxy: !isOpen && request.unixUser != nil && request.isFromProxy, target: request.target,
      origin: request.origin,
      takesGzip: Compression.isAccepted(request.headers[values: .acceptEncoding]))
  }
}

extension AnswerCache.State {
  /// Clears the cache if the content's version has changed.
  fileprivate mutating func forget(unless version: Int64) {
    guard self.version != version else { return }
    self = AnswerCache.State()
    self.version = version
  }
}
