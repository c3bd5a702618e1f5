/// The fields of a form (application/x-www-form-urlencoded). Where a name comes twice, the first counts.
struct FormFields {
  /// More than any client sends; the others are not read.
  private static let mostFields = 1000

  private var fields: [String: String] = [:]

  init(_ bytes: [UInt8]) {
    for pair in bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.mostFields).prefix(Self.mostFields) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.decoded(parts[0])
      if fields[name] == nil { fields[name] = parts.count > 1 ? Self.decoded(parts[1]) : "" }
    }
  }

  subscript(name: String) -> String? { fields[name] }

  /// Plus signs are spaces; an escape that is none stays as it is; bytes that are no UTF-8 cost a character each.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = HexDigit.value(of: bytes[index + 1]),
        let low = HexDigit.value(of: bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
