import LibC

/// The listening socket that systemd passes to this process:
/// <https://www.freedesktop.org/software/systemd/man/sd_listen_fds.html>.
public enum SocketActivation {
  /// The first inherited descriptor.
  private static let first: Int32 = 3

  /// Returns the listening socket that this process inherited, if any. Clears systemd's environment variables, so that
  /// child processes don't use the socket. A second call therefore returns nil.
  public static func take() -> Int32? {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let found = descriptor(process: value("LISTEN_PID"), count: value("LISTEN_FDS"), of: getpid())
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    if let found { _ = fcntl(found, F_SETFD, FD_CLOEXEC) }
    return found
  }

  /// Returns the descriptor that these variables pass to the process `pid`. Returns nil if the variables are missing or
  /// malformed, or address another process.
  static func descriptor(process: String?, count: String?, of pid: Int32) -> Int32? {
    guard let process = process.flatMap({ Int32($0) }), process == pid, let count = count.flatMap({ Int($0) }),
      count > 0
    else { return nil }
    return first
  }
}
