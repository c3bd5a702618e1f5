import SafeText

/// Percent encoding (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Encodes `text` as one component of a path, a query or a form. Escapes all bytes except unreserved characters (RFC
  /// 3986, section 2.3) and the characters in `allowed`.
  public static func component(_ text: some StringProtocol, allowing allowed: String = "") -> String {
    encoded(text) { !isUnreserved($0) && !allowed.utf8.contains($0) }
  }

  /// Encodes an address for other programs: printable ASCII, without characters that would end the address in running
  /// text. Existing escapes are unchanged.
  public static func encoded(_ address: some StringProtocol) -> String {
    encoded(address, where: isUnsafe)
  }

  /// Escapes the bytes of `text` for which `needsIt` returns true.
  public static func encoded(_ text: some StringProtocol, where needsIt: (UInt8) -> Bool) -> String {
    guard text.utf8.contains(where: needsIt) else { return String(text) }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if needsIt(byte) {
        bytes += [UInt8(ascii: "%"), HexDigit.digit(byte >> 4), HexDigit.digit(byte & 15)]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes `bytes`. Incomplete escapes are unchanged; invalid UTF-8 becomes U+FFFD.
  public static func decoded(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String {
    String(decoding: decodedBytes(Array(bytes), plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// Whether a byte is a letter, a digit or one of `-._~`.
  public static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~".utf8.contains(byte)
  }

  /// Encodes a user name in an address.
  static func user(_ name: Substring) -> String {
    encoded(name) { isUnsafe($0) || $0 == UInt8(ascii: "@") }
  }

  /// Encodes the path, query and fragment of an address. Backslashes in the path become slashes, as in browsers. Other
  /// programs could take the host before a backslash for a user name: `https://example.org\@evil.example`.
  static func tail(_ text: Substring) -> String {
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    return encoded(text[..<end].replacing("\\", with: "/") + text[end...])
  }

  /// Decodes `text` as browsers decode a host: `m%C3%BCnchen.de` becomes `münchen.de`. Returns nil if the result isn't
  /// UTF-8.
  static func valid(_ text: Substring) -> String? {
    String(validating: decodedBytes(Array(text.utf8), plusIsSpace: false), as: UTF8.self)
  }

  private static func isUnsafe(_ byte: UInt8) -> Bool {
    !(0x21...0x7E).contains(byte) || "\"<>\\`".utf8.contains(byte)
  }

  private static func decodedBytes(_ bytes: [UInt8], plusIsSpace: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = HexDigit.value(of: bytes[index + 1]),
        let low = HexDigit.value(of: bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
        index += 1
      }
    }
    return result
  }
}
