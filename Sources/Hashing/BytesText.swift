import FoundationEssentials

extension [UInt8] {
  /// The bytes in lower-case hexadecimal.
  public var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// The bytes in unpadded Base64url (RFC 4648, section 5).
  public var base64URL: String {
    Data(self).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
