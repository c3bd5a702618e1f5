import HTTPTypes
import Synchronization

/// Encoded answers to reads. A repeated request gets the same bytes without a query.
///
/// An answer depends on the file's content, the request and the time. So a write empties the cache, a key holds all
/// that handlers read of a request, and an answer lives for a second at most.
final class AnswerCache: Sendable {
  /// What an answer depends on, besides the content and the time.
  struct Key: Hashable, Sendable {
    /// The header as sent; nil if the route ignores it.
    var authorization: String?
    var target: String
    var origin: Origin
    /// Whether the client takes a compressed answer.
    var takesGzip: Bool

    fileprivate var bytes: Int { (authorization?.utf8.count ?? 0) + target.utf8.count }
  }

  /// An encoded answer.
  struct Answer: Sendable {
    var head: HTTPResponse
    var body: [UInt8]
    /// Who asked, for the log.
    var viewer: Int64?
  }

  fileprivate struct Kept {
    var answer: Answer
    var until: Duration
  }

  fileprivate struct State {
    var version: Int64?
    /// The answers added last, and those added before them. When the first fill their half they replace the others.
    var newer: [Key: Kept] = [:]
    var older: [Key: Kept] = [:]
    var newerBytes = 0
  }

  /// How long an answer is kept.
  private static let longest = Duration.seconds(1)
  /// The size of each half, in bytes.
  private static let mostBytes = 8 << 20
  /// A larger answer is not kept: a few of them would push out all others.
  private static let mostAnswerBytes = 256 << 10

  private let version: DataVersion
  private let state = Mutex(State())

  /// Creates a cache of reads from the file that `version` watches.
  init(_ version: DataVersion) {
    self.version = version
  }

  /// The number of answers kept.
  var count: Int { state.withLock { $0.newer.count + $0.older.count } }

  /// The content's version before a read; nil if it can't be told, and then nothing is kept of the read.
  var currentVersion: Int64? { version.current }

  /// The answer to a request; nil if there is none of this version.
  func answer(to key: Key, at version: Int64, now: Duration) -> Answer? {
    state.withLock { state in
      state.forget(unless: version)
      guard let kept = state.newer[key] ?? state.older[key], now < kept.until else { return nil }
      return kept.answer
    }
  }

  /// Keeps an answer read from content of this version or a later one.
  func keep(_ answer: Answer, for key: Key, at version: Int64, now: Duration) {
    guard answer.head.status == .ok, answer.body.count <= Self.mostAnswerBytes else { return }
    state.withLock { state in
      guard state.version == version else { return }
      let bytes = answer.body.count + key.bytes + 500
      if state.newerBytes + bytes > Self.mostBytes {
        (state.older, state.newer, state.newerBytes) = (state.newer, [:], 0)
      }
      state.newerBytes += bytes
      state.newer[key] = Kept(answer: answer, until: now + Self.longest)
    }
  }

  /// Closes the connection that tells versions.
  func close() { version.close() }
}

extension AnswerCache.Key {
  init(_ request: ServiceRequest, for route: Route) {
    self.init(
      authorization: route.access == .open ? nil : request.headers[.authorization], target: request.target,
      origin: request.origin, takesGzip: Compression.isAccepted(request.headers[values: .acceptEncoding]))
  }
}

extension AnswerCache.State {
  /// Forgets everything if the content has another version.
  fileprivate mutating func forget(unless version: Int64) {
    guard self.version != version else { return }
    self = AnswerCache.State()
    self.version = version
  }
}
