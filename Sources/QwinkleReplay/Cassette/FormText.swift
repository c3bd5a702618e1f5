import QwinkleModel

/// Forms and queries: `name=value&…`, percent-encoded.
enum FormText {
  /// Replaces values with the results of `replace`; nil leaves a value unchanged. Everything else stays verbatim.
  static func rewritten(_ bytes: [UInt8], _ replace: (_ name: String, _ value: String) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    for (index, pair) in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result.append(UInt8(ascii: "&")) }
      let (name, value) = halves(of: pair)
      guard let value, let other = replace(decoded(name), decoded(value)) else {
        // Text without `=` may be a value without a name.
        let alone = value == nil ? replace("", decoded(name)) : nil
        result += alone.map { Array(PercentEncoding.component($0).utf8) } ?? Array(pair)
        continue
      }
      result += name + [UInt8(ascii: "=")]
      result += PercentEncoding.component(other).utf8
    }
    return result
  }

  /// Decodes a name or a value; plus signs are spaces.
  static func decoded(_ bytes: some Sequence<UInt8>) -> String { PercentEncoding.decoded(bytes, plusIsSpace: true) }

  private static func halves(of pair: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, nil) }
    return (pair[..<equals], pair[(equals + 1)...])
  }
}
