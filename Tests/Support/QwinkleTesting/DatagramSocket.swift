import LibC
import TerminalTesting
import Testing

/// A Unix datagram socket that receives the messages of a server, as systemd does.
public final class DatagramSocket: Sendable {
  private let descriptor: Int32

  /// Creates a socket at a path, or at a name in the abstract namespace after `@`.
  public init(at name: String) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    var limit = timeval(tv_sec: Deadline.seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8) + [0]
    try #require(path.count <= MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let offset = try #require(MemoryLayout<sockaddr_un>.offset(of: \.sun_path))
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(offset + path.count)) }
    }
    try #require(status == 0, "cannot bind \(name): \(systemWords())")
  }

  deinit { close(descriptor) }

  /// Waits for a message and returns it. Returns nil after ``Deadline/seconds``.
  public func next() async -> String? {
    await RawClient.onThread { [descriptor] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = systemRead(descriptor, &buffer, buffer.count)
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }
}
