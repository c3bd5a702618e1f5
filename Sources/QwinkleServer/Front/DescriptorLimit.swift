import LibC

/// The number of files and connections that this process can have open.
public enum DescriptorLimit {
  /// Descriptors reserved for the database, logs and other files.
  private static let reserved = 64

  /// Raises the soft limit to the hard limit, which needs no privileges.
  public static func raise() {
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(number, &limit)
  }

  /// The number of connections that the limit allows.
  static var connections: Int {
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0, limit.rlim_cur < rlim_t(Int32.max) else { return Int(Int32.max) }
    let most = Int(limit.rlim_cur)
    return max(8, most - min(reserved, most / 2))
  }

  #if canImport(Glibc)
    private static let number = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let number = RLIMIT_NOFILE
  #endif
}
