import LibC

/// Addresses that only nearby machines can reach. Strangers choose the URLs of pictures, and must not be able to make
/// this machine send requests to its neighbours.
public enum PrivateAddress {
  /// Whether `address`, an IPv4 or IPv6 address as text, is on this machine or a private network, link-local, multicast
  /// or reserved. False for names.
  public static func contains(_ address: some StringProtocol) -> Bool {
    var text = String(address)
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    // Remove the interface from a link-local address such as `fe80::1%eth0`.
    text = String(text.prefix { $0 != "%" })
    if let bytes = parsed(text, AF_INET, count: 4) ?? loose(text) { return isPrivate(four: bytes) }
    if let bytes = parsed(text, AF_INET6, count: 16) { return isPrivate(six: bytes) }
    return false
  }

  private static func parsed(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  /// Parses short forms such as `127.1` and `2130706433`, which are IPv4 addresses, too.
  private static func loose(_ text: String) -> [UInt8]? {
    let address = UnsafeMutablePointer<in_addr>.allocate(capacity: 1)
    defer { address.deallocate() }
    guard inet_aton(text, address) != 0 else { return nil }
    return Array(UnsafeRawBufferPointer(start: address, count: 4))
  }

  /// IPv4 ranges that aren't globally reachable, according to IANA's special-purpose registry.
  private static func isPrivate(four bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (192, 168, _): true
    case (100, 64...127, _), (172, 16...31, _), (198, 18...19, _): true
    case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): true
    case (224...255, _, _): true
    default: false
    }
  }

  /// IPv6 ranges that aren't globally reachable, including IPv6 forms of such IPv4 addresses.
  private static func isPrivate(six bytes: [UInt8]) -> Bool {
    let isZero = { (range: Range<Int>) in bytes[range].allSatisfy { $0 == 0 } }
    // Unspecified, loopback, IPv4-compatible and IPv4-mapped.
    if isZero(0..<10), isZero(10..<12) || (bytes[10] == 0xFF && bytes[11] == 0xFF) {
      return isZero(0..<15) || isPrivate(four: Array(bytes[12...])) || bytes[10] == 0
    }
    switch (bytes[0], bytes[1]) {
    // NAT64: 64:ff9b::/96, and the local 64:ff9b:1::/48.
    case (0x00, 0x64):
      return bytes[2] == 0xFF && bytes[3] == 0x9B && (!isZero(4..<12) || isPrivate(four: Array(bytes[12...])))
    // Discard-only, Teredo and other protocol assignments, documentation.
    case (0x01, 0x00): return true
    case (0x20, 0x01): return bytes[2] <= 0x01 || (bytes[2] == 0x0D && bytes[3] == 0xB8)
    // 6to4.
    case (0x20, 0x02): return isPrivate(four: Array(bytes[2..<6]))
    default: break
    }
    // Unique local, link-local, the former site-local, and multicast.
    return bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80) || bytes[0] == 0xFF
  }
}
