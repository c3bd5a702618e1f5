/// Addresses as they go to other programs: nothing but printable ASCII, RFC 3986, section 2.1.
public enum PercentEncoding {
  /// `text` with everything encoded that is not printable ASCII, and what ends an address where it stands in a text.
  /// What is encoded already stays so.
  public static func encoded(_ text: some StringProtocol) -> String {
    encoded(text, where: { _ in false })
  }

  /// The same, with the bytes encoded too that `needsIt`.
  static func encoded(_ text: some StringProtocol, where needsIt: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 { append(byte, to: &bytes, isEncoded: needsIt(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Path, query and fragment of an address, the path with slashes where browsers read a backslash as one: others would
  /// read what stands before it as a user.
  static func encoded(tail: Substring) -> String {
    var bytes: [UInt8] = []
    var isPath = true
    for byte in tail.utf8 {
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isPath = false }
      append(isPath && byte == UInt8(ascii: "\\") ? UInt8(ascii: "/") : byte, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `text` with what is encoded as it was, as browsers read a host: `m%C3%BCnchen.de` is `münchen.de`. Nil where that
  /// is no text.
  static func decoded(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
        let low = rest.dropFirst().first.flatMap(digit)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46, 0x61...0x66: (byte & 0xDF) - 0x41 + 10
    default: nil
    }
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8], isEncoded: Bool = false) {
    guard isEncoded || !(0x21...0x7E).contains(byte) || "\"<>\\`".utf8.contains(byte) else { return bytes.append(byte) }
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }
}
