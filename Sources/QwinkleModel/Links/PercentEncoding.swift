/// Addresses as they go to other programs: nothing but printable ASCII, RFC 3986, section 2.1.
public enum PercentEncoding {
  /// `text` with everything encoded that is not printable ASCII, and what ends an address where it stands in a text. What is
  /// encoded already stays so.
  public static func encoded(_ text: some StringProtocol) -> String {
    encoded(text, where: { _ in false })
  }

  /// The same, with the bytes encoded too that `needsIt`.
  static func encoded(_ text: some StringProtocol, where needsIt: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 { append(byte, to: &bytes, isEncoded: needsIt(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Path, query and fragment of an address, the path with slashes where browsers read a backslash as one: others would read
  /// what stands before it as a user.
  static func encoded(tail: Substring) -> String {
    var bytes: [UInt8] = []
    var isPath = true
    for byte in tail.utf8 {
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isPath = false }
      append(isPath && byte == UInt8(ascii: "\\") ? UInt8(ascii: "/") : byte, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8], isEncoded: Bool = false) {
    guard isEncoded || !(0x21...0x7E).contains(byte) || "\"<>\\`".utf8.contains(byte) else { return bytes.append(byte) }
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }
}
