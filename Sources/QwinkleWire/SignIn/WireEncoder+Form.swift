extension WireEncoder {
  /// The fields of a form, as a body (application/x-www-form-urlencoded) or as the query of a URL. All but unreserved
  /// characters are escaped (RFC 3986, section 2.3).
  public static func form(_ fields: [(name: String, value: String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in fields {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      append(field.name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      append(field.value, to: &bytes)
    }
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      if HexDigit.isLetterOrDigit(byte) || "-._~".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), HexDigit.digit(byte >> 4), HexDigit.digit(byte & 15)]
      }
    }
  }
}
