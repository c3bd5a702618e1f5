#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Addresses of clients as limits know them: all of an IPv4 address, but the first half of an IPv6 address, as its
/// second half is the client's own choice.
enum ClientAddress {
  /// The client of an address such as `192.0.2.1` or `2001:db8::1`; nil if it is none.
  static func client(_ address: String) -> String? {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return address }
    var six = in6_addr()
    guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: &six) { Array($0) }
    // An IPv4 address in IPv6 form.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 255, bytes[11] == 255 {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/64"
  }
}
