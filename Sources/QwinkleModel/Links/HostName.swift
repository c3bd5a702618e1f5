import CIDN
import LibC

/// A host name, both in its readable form and in the form for DNS lookups.
public struct HostName: Hashable, Sendable {
  /// The name as written, in lower case, without a trailing dot: `bücher.example`.
  public let written: String
  /// The name for DNS lookups: `xn--bcher-kva.example`, or an IPv6 address in brackets. Equal for equal hosts.
  public let ascii: String

  private static let mostBytes = 255

  /// Nil if `text` is neither a host name nor an IP address.
  public init?(_ text: some StringProtocol) {
    let written = text.lowercased()
    guard written.utf8.count <= 4 * Self.mostBytes else { return nil }
    if let number = Self.number(written) {
      self.written = number
      self.ascii = number
      return
    }
    let isASCII = written.utf8.allSatisfy { $0 < 0x80 }
    guard let ascii = isASCII ? written : Self.ascii(of: written) else { return nil }
    // Remove a trailing dot (the DNS root), because certificates omit it.
    let name = ascii.hasSuffix(".") ? String(ascii.dropLast()) : ascii
    guard Self.isName(name) else { return nil }
    self.written = isASCII ? name : written.hasSuffix(".") ? String(written.dropLast()) : written
    self.ascii = name
  }

  /// The name for readers who check where a link goes. A non-ASCII name is followed by its ASCII form, because letters
  /// of other scripts can imitate a well-known name: `bücher.example (xn--bcher-kva.example)`
  public var words: String { written == ascii ? ascii : "\(written) (\(ascii))" }

  /// Whether both names differ at most in a leading `www.`, which readers ignore.
  func isSameSite(as other: HostName) -> Bool { bare == other.bare }

  /// The name without a leading `www.`.
  var bare: Substring { ascii.hasPrefix("www.") ? ascii.dropFirst(4) : ascii[...] }

  private static func ascii(of host: String) -> String? {
    var host = host
    host.makeContiguousUTF8()
    guard !host.utf8.contains(0) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, count in
      count = max(0, Int(qw_host_to_ascii(host, buffer.baseAddress, mostBytes)))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func isName(_ host: String) -> Bool {
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
    }
  }

  /// Returns the shortest form of an IPv6 address in brackets, or nil if `host` isn't one.
  private static func number(_ host: String) -> String? {
    guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
    let text = host.dropFirst().dropLast()
    // A NUL would terminate the C string early.
    guard text.utf8.allSatisfy({ "0123456789abcdef:.".utf8.contains($0) }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    var form = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_pton(AF_INET6, String(text), &bytes) == 1,
      inet_ntop(AF_INET6, bytes, &form, socklen_t(INET6_ADDRSTRLEN)) != nil
    else { return nil }
    let shortest = form.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "[\(String(decoding: shortest, as: UTF8.self))]"
  }
}
