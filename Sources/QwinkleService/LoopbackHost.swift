/// Addresses of this machine.
public enum LoopbackHost {
  /// Whether a host is this machine: `localhost`, `::1`, `[::1]` or an address of `127.0.0.0/8`, without a port.
  public static func contains(_ host: some StringProtocol) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host) { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }
}
