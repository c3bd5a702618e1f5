import LibC

/// Normalizes IP addresses for rate limits. An IPv6 client is identified by the first half of its address, because it
/// can choose the second half freely.
enum ClientAddress {
  /// Returns an IP address in canonical form, or nil if the text isn't an IP address.
  static func plain(_ address: String) -> String? {
    guard let bytes = bytes(address) else { return nil }
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    return groups(bytes[...]).joined(separator: ":")
  }

  /// Returns a name for the client with an IP address such as `192.0.2.1` or `2001:db8::1`, or nil if the text isn't an
  /// IP address.
  static func client(_ address: String) -> String? {
    guard let bytes = bytes(address) else { return nil }
    return bytes.count == 4 ? plain(address) : groups(bytes[..<8]).joined(separator: ":") + "::/64"
  }

  /// Returns the 4 or 16 bytes of an address. For an IPv4-mapped IPv6 address, returns the 4 bytes of the IPv4 address.
  private static func bytes(_ address: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
    var six = in6_addr()
    guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: &six) { Array($0) }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
    return isMapped ? Array(bytes[12...]) : bytes
  }

  private static func groups(_ bytes: ArraySlice<UInt8>) -> [String] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
    }
  }
}
