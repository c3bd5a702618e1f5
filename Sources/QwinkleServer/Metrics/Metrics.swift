import HTTPTypes
import Synchronization
public import Timekeeping

/// Counts of requests, connections and bytes since the server started, for ``MetricsFront``. All calls are fast and
/// thread-safe.
///
/// No label of a count contains text from a client: its number of values is fixed, and it can't reveal anything.
public final class Metrics: Sendable {
  /// Requests grouped by the work that they cause.
  enum RouteClass: String, CaseIterable {
    case read, write, stream, upload

    /// The class of requests with this method for a route's pattern, which is nil if no route matches.
    init(_ method: HTTPRequest.Method, _ route: [String]?) {
      let isRead = method == .get || method == .head || method == .options
      switch route {
      case let route? where isRead && route.dropFirst(2).first == "streaming" && route.last != "health": self = .stream
      case let route? where method == .post && route.last == "media": self = .upload
      default: self = isRead ? .read : .write
      }
    }
  }

  /// The labels of a count of requests.
  struct RequestLabels: Hashable {
    /// A method of the API, or `other`: a client can send any text as its method.
    var method: String
    /// The pattern of the route, or nil if no route matches.
    var route: [String]?
    /// The first digit of the status. Zero if the client disconnected first.
    var statusClass: Int
  }

  /// Numbers of durations in seconds, up to each of ``bounds``.
  struct Histogram {
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The number of durations up to each bound but above the previous one, and last the number above all bounds.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      sum += seconds
    }
  }

  struct Counts {
    var requests: [RequestLabels: Int] = [:]
    var durations: [RouteClass: Histogram] = [:]
  }

  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  let clock: any ProgramClock
  let start: Duration
  private let state = Mutex(Counts())
  private let opened = Atomic(0)
  private let accepted = Atomic(0)
  private let received = Atomic(0)
  private let sent = Atomic(0)
  let cache = MetricsCache()

  public init(clock: any ProgramClock) {
    self.clock = clock
    start = clock.uptime
  }

  /// Counts an answered request. A status of zero means that the client disconnected.
  func count(_ note: RequestNote, _ method: HTTPRequest.Method, status: Int, took time: Duration) {
    let route = note.route
    let name = method.rawValue
    let labels = RequestLabels(
      method: Self.methods.contains(name) ? name : "other", route: route, statusClass: status / 100)
    let kind = RouteClass(method, route)
    let seconds = time / .seconds(1)
    state.withLock { state in
      state.requests[labels, default: 0] += 1
      state.durations[kind, default: Histogram()].add(seconds)
    }
  }

  func connectionOpened() {
    opened.wrappingAdd(1, ordering: .relaxed)
    accepted.wrappingAdd(1, ordering: .relaxed)
  }

  func connectionClosed() { opened.wrappingSubtract(1, ordering: .relaxed) }

  func bytesReceived(_ count: Int) { received.wrappingAdd(count, ordering: .relaxed) }

  func bytesSent(_ count: Int) { sent.wrappingAdd(count, ordering: .relaxed) }

  var counts: Counts { state.withLock { $0 } }
  var openConnections: Int { opened.load(ordering: .relaxed) }
  var acceptedConnections: Int { accepted.load(ordering: .relaxed) }
  var receivedBytes: Int { received.load(ordering: .relaxed) }
  var sentBytes: Int { sent.load(ordering: .relaxed) }
}
