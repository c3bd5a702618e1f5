/// Text from percent-encoded text. What is no encoding stays; bytes that are no UTF-8 become U+FFFD.
func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
  var bytes: [UInt8] = []
  var iterator = text.utf8.makeIterator()
  var pending: [UInt8] = []
  func value(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) }
  while let byte = pending.popLast() ?? iterator.next() {
    switch byte {
    case UInt8(ascii: "%"):
      guard let high = iterator.next() else { bytes.append(byte); continue }
      guard let highValue = value(high) else { bytes.append(byte); pending.append(high); continue }
      guard let low = iterator.next() else { bytes += [byte, high]; continue }
      guard let lowValue = value(low) else { bytes += [byte, high]; pending.append(low); continue }
      bytes.append(highValue << 4 | lowValue)
    case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
    default: bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Text for a query: all but unreserved characters percent-encoded (RFC 3986, section 2.3).
func percentEncoded(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var bytes: [UInt8] = []
  for byte in text.utf8 {
    if isUnreserved(byte) {
      bytes.append(byte)
    } else {
      bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Whether a byte is a letter, a digit or one of `-._~`.
func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
    UInt8(ascii: "~"):
    true
  default: false
  }
}
