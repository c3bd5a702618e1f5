import CIDN

/// A host name, as people read it and as the network looks it up.
public struct HostName: Hashable, Sendable {
  /// As written, in lower case: `bücher.example`.
  public let written: String
  /// The name looked up: `xn--bcher-kva.example`. Equal for equal hosts.
  public let ascii: String

  private static let mostBytes = 255

  /// Nil if `text` is neither a host name nor an IP address.
  public init?(_ text: some StringProtocol) {
    written = text.lowercased()
    guard written.utf8.count <= 4 * Self.mostBytes else { return nil }
    let isASCII = written.utf8.allSatisfy { $0 < 0x80 }
    guard let ascii = isASCII ? written : Self.ascii(of: written), Self.isName(ascii) || Self.isNumber(ascii) else {
      return nil
    }
    self.ascii = ascii
  }

  /// The name for people who judge a link by it. A name outside ASCII has its ASCII form beside it, because letters of
  /// other scripts can imitate a well-known name: `bücher.example (xn--bcher-kva.example)`
  public var words: String { written == ascii ? ascii : "\(written) (\(ascii))" }

  /// Whether both are the same site for people, who ignore `www.`.
  func isSameSite(as other: HostName) -> Bool { bare == other.bare }

  /// Without a leading `www.` and a trailing dot.
  var bare: Substring {
    let name = ascii.hasSuffix(".") ? ascii.dropLast() : ascii[...]
    return name.hasPrefix("www.") ? name.dropFirst(4) : name
  }

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
    let labels = (host.hasSuffix(".") ? host.dropLast() : host[...]).utf8
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
    }
  }

  /// Whether it is an IPv6 address in brackets.
  private static func isNumber(_ host: String) -> Bool {
    guard host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 else { return false }
    return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
  }
}
