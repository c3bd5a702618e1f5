import LibC

/// The listening sockets that systemd passes to this process:
/// <https://www.freedesktop.org/software/systemd/man/sd_listen_fds.html>.
public enum SocketActivation {
  /// Inherited sockets, by their address family.
  public struct Sockets: Sendable {
    /// A socket for HTTP over the network.
    public var network: Int32?
    /// A Unix socket for the users of this host.
    public var unix: Int32?

    public init() {}
  }

  /// The first inherited descriptor.
  private static let first: Int32 = 3
  /// More descriptors than a unit for this program passes.
  private static let mostDescriptors = 64

  /// Returns the listening sockets that this process inherited: the first of each family. Clears systemd's environment
  /// variables, so that child processes don't use the sockets. A second call therefore returns none.
  public static func take() -> Sockets {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let found = descriptors(process: value("LISTEN_PID"), count: value("LISTEN_FDS"), of: getpid())
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    for descriptor in found { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return sockets(among: found)
  }

  /// Returns the descriptors that these variables pass to the process `pid`. Returns none if the variables are missing
  /// or malformed, or address another process.
  static func descriptors(process: String?, count: String?, of pid: Int32) -> Range<Int32> {
    guard let process = process.flatMap({ Int32($0) }), process == pid, let count = count.flatMap({ Int32($0) }),
      count > 0
    else { return first..<first }
    return first..<first + min(count, Int32(mostDescriptors))
  }

  /// Returns the first descriptor of each family. Ignores descriptors that aren't sockets of either family.
  static func sockets(among descriptors: some Sequence<Int32>) -> Sockets {
    var sockets = Sockets()
    for descriptor in descriptors {
      switch family(of: descriptor) {
      case AF_INET, AF_INET6: sockets.network = sockets.network ?? descriptor
      case AF_UNIX: sockets.unix = sockets.unix ?? descriptor
      default: break
      }
    }
    return sockets
  }

  /// Returns the path of a Unix socket, or nil if it has none.
  public static func path(of descriptor: Int32) -> String? {
    guard let (address, size) = address(of: descriptor), Int32(address.sun_family) == AF_UNIX else { return nil }
    let bytes = withUnsafeBytes(of: address.sun_path) { Array($0) }
    let length = max(0, Int(size) - (MemoryLayout<sockaddr_un>.size - bytes.count))
    let path = bytes.prefix(length).prefix { $0 != 0 }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  static func family(of descriptor: Int32) -> Int32? {
    address(of: descriptor).map { Int32($0.address.sun_family) }
  }

  private static func address(of descriptor: Int32) -> (address: sockaddr_un, size: socklen_t)? {
    // The longest type of address. All start with the family.
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return result == 0 ? (address, size) : nil
  }
}
