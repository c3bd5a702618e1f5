// Classes of ASCII bytes.
extension UInt8 {
  @inlinable public var isDigit: Bool { 0x30...0x39 ~= self }
  @inlinable public var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }
  @inlinable public var isLetterOrDigit: Bool { isLetter || isDigit }
  /// Whether Base64 text can contain the byte, as a digit or as padding.
  @inlinable public var isBase64: Bool { isLetterOrDigit || "+/=".utf8.contains(self) }
}
