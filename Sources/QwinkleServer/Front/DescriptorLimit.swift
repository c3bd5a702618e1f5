#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many files and connections the system lets this process have open.
public enum DescriptorLimit {
  /// Kept free of connections, for the database, logs and what else is opened.
  private static let kept = 64

  /// Raises the limit as far as the system allows without asking an administrator.
  public static func raise() {
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    #if canImport(Darwin)
      // A larger number is refused there.
      limit.rlim_cur = min(limit.rlim_cur, rlim_t(OPEN_MAX))
    #endif
    setrlimit(number, &limit)
  }

  /// The number of connections that the limit has room for.
  static var connections: Int {
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0, limit.rlim_cur < rlim_t(Int32.max) else { return Int(Int32.max) }
    let most = Int(limit.rlim_cur)
    return max(8, most - min(kept, most / 2))
  }

  #if canImport(Glibc)
    private static let number = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let number = RLIMIT_NOFILE
  #endif
}
