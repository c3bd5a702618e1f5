import Dispatch
import LibC

/// Resolves host names. Callable from anywhere.
public protocol HostResolver: Sendable {
  /// Returns the addresses of `host` as text; empty if it has none.
  @concurrent func addresses(of host: String) async -> [String]
}

/// A resolver that uses the system's `getaddrinfo`, which can block on the network.
public final class SystemResolver: HostResolver {
  private let queue = DispatchQueue(label: "qwinkle.resolver")

  public init() {}

  @concurrent public func addresses(of host: String) async -> [String] {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Self.look(up: host)) }
    }
  }

  private static func look(up host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      var name = [CChar](repeating: 0, count: 64)
      if getnameinfo(entry.ai_addr, entry.ai_addrlen, &name, 64, nil, 0, NI_NUMERICHOST) == 0 {
        addresses.append(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
      }
      next = entry.ai_next
    }
    return addresses
  }
}
