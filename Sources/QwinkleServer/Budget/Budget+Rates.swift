import FoundationEssentials
import HTTPTypes
import Synchronization
import Timekeeping

/// Counts events in periods of fixed length, for each resource and client.
struct Windows {
  fileprivate struct Key: Hashable {
    var resource: Resource
    var client: Client
  }

  fileprivate struct Window {
    var count = 0
    var end: Duration
  }

  private var windows: [Key: Window] = [:]
  /// If there are more windows than this, expired windows are removed.
  private var mostWindows = 1000

  /// Counts an event. Returns the number of events left in this period, and the time until the next period. If the
  /// limit is already reached, counts nothing and the number is nil.
  fileprivate mutating func add(
    _ key: Key, most: Int, period: Duration, at now: Duration
  ) -> (left: Int?, wait: Duration) {
    var window = windows[key] ?? Window(end: now + period)
    if window.end <= now { window = Window(end: now + period) }
    guard window.count < most else { return (nil, window.end - now) }
    window.count += 1
    windows[key] = window
    if windows.count > mostWindows {
      windows = windows.filter { $0.value.end > now }
      mostWindows = max(1000, 2 * windows.count)
    }
    return (most - window.count, window.end - now)
  }
}

extension Budget {
  /// The current state of a limit. The headers are Mastodon's: <https://docs.joinmastodon.org/api/rate-limits/>.
  struct Standing: Sendable {
    var most: Int
    var left: Int
    var reset: Date

    /// Adds the headers to a response.
    func write(to fields: inout HTTPFields) {
      let values = [
        ("X-RateLimit-Limit", String(most)), ("X-RateLimit-Remaining", String(left)),
        ("X-RateLimit-Reset", reset.formatted(.iso8601)),
      ]
      for (name, value) in values {
        if let name = HTTPField.Name(name) { fields[name] = value }
      }
    }
  }

  /// Counts an event towards the limits per period of `resources`. Returns the state of the limit with the fewest
  /// events left, or nil if no limit applies.
  ///
  /// - Throws: ``Refusal`` if a limit is reached. The limits after it count nothing then.
  func count(_ resources: [Resource], of client: Client) throws(Refusal) -> Standing? {
    var standings: [Standing] = []
    for resource in resources {
      if let standing = try count(resource, of: client) { standings.append(standing) }
    }
    return standings.min { $0.left < $1.left }
  }

  /// Counts an event towards the limit per period of `resource`. Counts nothing and returns nil if the resource has no
  /// ``Resource/Limit/window(ofAccount:ofAddress:period:)``, if the client has no limits, or if ``isUnpaced`` is true.
  ///
  /// - Throws: ``Refusal`` if the limit is reached.
  func count(_ resource: Resource, of client: Client) throws(Refusal) -> Standing? {
    guard !isUnpaced, client != .process,
      case .window(let ofAccount, let ofAddress, let period) = limit(of: resource)
    else { return nil }
    let now = clock.uptime
    let most = if case .account = client { ofAccount } else { ofAddress }
    let (left, wait) = windows.withLock {
      $0.add(Windows.Key(resource: resource, client: client), most: most, period: period, at: now)
    }
    let reset = clock.now.addingTimeInterval(Double(wait.secondsToWait))
    if let left { return Standing(most: most, left: left, reset: reset) }
    refusals.add(resource)
    var refusal = Refusal.tooMany(wait)
    Standing(most: most, left: 0, reset: reset).write(to: &refusal.headers)
    throw refusal
  }
}

/// A leaky bucket: at most `burst` events at once; one drains in each interval.
struct Pace: Sendable {
  private let burst: Int
  private let interval: Duration
  /// The time at which the bucket is empty.
  private(set) var emptyAt = Duration.zero

  init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
  }

  /// Counts an event if it has to wait no longer than `patience`, and returns how long it has to wait. Otherwise
  /// returns nil and counts nothing.
  mutating func add(at now: Duration, patience: Duration = .zero) -> Duration? {
    let start = max(emptyAt, now)
    let wait = start + interval - (now + interval * burst)
    guard wait <= patience else { return nil }
    emptyAt = start + interval
    return max(.zero, wait)
  }

  /// Returns how long an event would have to wait now.
  func wait(at now: Duration) -> Duration { max(.zero, max(emptyAt, now) + interval - (now + interval * burst)) }

  mutating func remove() { emptyAt -= interval }
}

/// The request rate of each client.
struct Paces {
  private var paces: [Client: Pace] = [:]
  private var mostClients = 1000

  fileprivate mutating func delay(
    of client: Client, burst: Int, interval: Duration, patience: Duration, at now: Duration
  ) -> Duration? {
    if paces.count > mostClients {
      paces = paces.filter { $0.value.emptyAt > now }
      mostClients = max(1000, 2 * paces.count)
    }
    return paces[client, default: Pace(burst: burst, interval: interval)].add(at: now, patience: patience)
  }
}

extension Budget {
  /// The maximum delay of a request.
  private static let patience = Duration.seconds(10)

  /// Counts a request and returns its delay.
  ///
  /// - Throws: ``Refusal`` if the delay would be too long.
  func delay(of client: Client) throws(Refusal) -> Duration {
    guard !isUnpaced, client != .process, case .pace(let burst, let interval) = limit(of: .requestRate) else {
      return .zero
    }
    let now = clock.uptime
    let delay = paces.withLock {
      $0.delay(of: client, burst: burst, interval: interval, patience: Self.patience, at: now)
    }
    guard let delay else {
      refusals.add(.requestRate)
      throw .tooMany(Self.patience)
    }
    return delay
  }
}
