#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The socket that the system listens on for this process:
/// <https://www.freedesktop.org/software/systemd/man/sd_listen_fds.html>.
public enum SocketActivation {
  /// The first descriptor that is handed over.
  private static let first: Int32 = 3

  /// The listening socket that this process was started with; nil if there is none. Programs started later don't get
  /// it. To be called once.
  public static func take() -> Int32? {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let found = descriptor(process: value("LISTEN_PID"), count: value("LISTEN_FDS"), of: getpid())
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    if let found { _ = fcntl(found, F_SETFD, FD_CLOEXEC) }
    return found
  }

  /// The descriptor that these variables hand to a process; nil if they are meant for another.
  static func descriptor(process: String?, count: String?, of pid: Int32) -> Int32? {
    guard let process = process.flatMap({ Int32($0) }), process == pid, let count = count.flatMap({ Int($0) }),
      count > 0
    else { return nil }
    return first
  }
}
