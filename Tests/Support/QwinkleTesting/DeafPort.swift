import Foundation

/// A loopback port on which nothing listens. It stays reserved while this object lives, so that no other test can bind
/// it.
public final class DeafPort: Sendable {
  private let descriptor: Int32
  private let port: UInt16

  /// Returns nil if no port is available.
  public init?() {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(descriptor, general, length) == 0 ? getsockname(descriptor, general, &length) : -1
      }
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    guard status == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// `127.0.0.1:port`.
  public var host: String { "127.0.0.1:\(port)" }
}
