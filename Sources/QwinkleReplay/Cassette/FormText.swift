/// Forms and queries: `name=value&…`, percent-encoded.
enum FormText {
  /// The pairs, decoded, in their order.
  static func pairs(_ bytes: [UInt8]) -> [(name: String, value: String)] {
    bytes.split(separator: UInt8(ascii: "&")).map { pair in
      let (name, value) = halves(of: pair)
      return (decoded(name), value.map { decoded($0) } ?? "")
    }
  }

  /// The same with other values: those for which `replace` gives one. The rest stays as it is written.
  static func rewritten(_ bytes: [UInt8], _ replace: (_ name: String, _ value: String) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    for (index, pair) in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result.append(UInt8(ascii: "&")) }
      let (name, value) = halves(of: pair)
      guard let value, let other = replace(decoded(name), decoded(value)) else {
        // A word alone may be a value without its name.
        if value == nil, let other = replace("", decoded(name)) { result += encoded(other) } else { result += pair }
        continue
      }
      result += name + [UInt8(ascii: "=")] + encoded(other)
    }
    return result
  }

  /// `bytes` with plus signs as spaces and escapes resolved. An escape that is none stays as it is.
  static func decoded(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = true) -> String {
    let bytes = Array(bytes)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
        let low = hexValue(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `text` with all but unreserved characters, and those in `allowed`, escaped.
  static func encoded(_ text: String, allowing allowed: String = "") -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    let allowed = Array(allowed.utf8)
    return text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        [byte]
      default: allowed.contains(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  private static func halves(of pair: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, nil) }
    return (pair[..<equals], pair[(equals + 1)...])
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
