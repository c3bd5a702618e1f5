import LibC
public import Logging
import NIOCore
import NIOPosix
import SafeText
import Synchronization
public import Timekeeping

/// The program that started this process and supervises it, such as systemd. It receives the server's state as
/// datagrams: <https://www.freedesktop.org/software/systemd/man/sd_notify.html>.
public final class ServiceManager: Sendable {
  /// Time that a datagram may wait while the service manager's queue is full, in seconds.
  private static let patience = 5

  private let name: String
  private let address: (bytes: sockaddr_un, count: socklen_t)
  private let descriptor: Int32
  /// Half the time after which the service manager restarts a server that sends no ping. Nil if it expects none.
  private let interval: Duration?
  private let log: Logger
  private let hasFailed = Mutex(false)
  @MainActor private var timer: ProgramTimer?

  /// Returns the service manager that `NOTIFY_SOCKET` names, or nil if the variable isn't set. Clears the variables of
  /// the protocol, so that child processes don't send messages. A second call therefore returns nil.
  public static func take(log: Logger) -> ServiceManager? {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let name = value("NOTIFY_SOCKET")
    let timeout = watchdogTimeout(value("WATCHDOG_USEC"), process: value("WATCHDOG_PID"), of: getpid())
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    return name.flatMap { ServiceManager(at: $0, watchdogTimeout: timeout, log: log) }
  }

  /// Returns the time within which the process `pid` must send a ping. Returns nil if the variables are missing or
  /// malformed, or address another process.
  static func watchdogTimeout(_ microseconds: String?, process: String?, of pid: Int32) -> Duration? {
    guard process == nil || process == String(pid), let count = microseconds.flatMap({ Int64($0) }), count > 0
    else { return nil }
    return .microseconds(count)
  }

  /// - Parameter name: An absolute path, or a name in Linux's abstract namespace after `@`. For any other name the
  ///   result is nil, and the log has the reason.
  init?(at name: String, watchdogTimeout: Duration? = nil, log: Logger) {
    guard let address = Self.address(name) else {
      log.warning("NOTIFY_SOCKET is neither an absolute path nor @NAME, or is too long. No state is reported.")
      return nil
    }
    descriptor = Self.makeSocket()
    guard descriptor >= 0 else {
      log.warning("Cannot report the state to \(SafeText.line(name)): \(systemWords()).")
      return nil
    }
    self.name = name
    self.address = address
    self.interval = watchdogTimeout.map { $0 / 2 }
    self.log = log
  }

  deinit { systemClose(descriptor) }

  /// Reports what the server is doing, on one line.
  public func show(_ status: String) { send("STATUS=\(status)") }

  /// Reports that the server accepts connections. If the service manager expects pings, sends them from now on, with
  /// the number of connections.
  @MainActor
  public func isServing(clock: any ProgramClock, connectionCount: @escaping @Sendable () -> Int) {
    send("READY=1\nSTATUS=\(Self.status(connectionCount()))")
    ping(from: MultiThreadedEventLoopGroup.singleton, clock: clock, connectionCount: connectionCount)
  }

  /// Reports that the server is shutting down.
  public func isStopping() { send("STOPPING=1\nSTATUS=Finishing the requests in progress") }

  /// Sends a ping after each interval, once the main queue and every event loop have run a task. A server that hangs
  /// therefore sends none.
  @MainActor
  func ping(
    from group: any EventLoopGroup, clock: any ProgramClock, connectionCount: @escaping @Sendable () -> Int
  ) {
    guard let interval else { return }
    timer = clock.schedule(after: interval) { [weak self] in
      self?.ping(from: group, clock: clock, connectionCount: connectionCount)
      Task { @MainActor [weak self] in
        for loop in group.makeIterator() { try? await loop.submit {}.get() }
        self?.send("WATCHDOG=1\nSTATUS=\(Self.status(connectionCount()))")
      }
    }
  }

  private static func status(_ count: Int) -> String {
    count == 1 ? "Serving 1 connection" : "Serving \(count) connections"
  }

  // MARK: Sending

  /// A failure is logged once and has no other effect: the server works without a service manager, too.
  private func send(_ message: String) {
    let bytes = Array(message.utf8)
    var count = 0
    repeat {
      count = withUnsafePointer(to: address.bytes) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, bytes, bytes.count, 0, $0, address.count)
        }
      }
    } while count < 0 && errno == EINTR
    guard count < 0 else { return }
    let reason = systemWords()
    let isFirst = hasFailed.withLock { hasFailed in
      defer { hasFailed = true }
      return !hasFailed
    }
    guard isFirst else { return }
    log.warning("Cannot report the state to \(SafeText.line(name)): \(reason). systemd may stop this server.")
  }

  private static func address(_ name: String) -> (bytes: sockaddr_un, count: socklen_t)? {
    var path = Array(name.utf8)
    switch path.first {
    // A null byte marks the abstract namespace, in which a name's length counts and no null byte ends it.
    case UInt8(ascii: "@"): path[0] = 0
    case UInt8(ascii: "/") where path.count > 1: path.append(0)
    default: return nil
    }
    var address = sockaddr_un()
    guard path.count > 1, path.count <= MemoryLayout.size(ofValue: address.sun_path),
      let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)
    else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    return (address, socklen_t(offset + path.count))
  }

  /// Returns a datagram socket that child processes don't inherit, or a negative number on failure.
  private static func makeSocket() -> Int32 {
    #if canImport(Musl)
      let descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
    #else
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }
}
