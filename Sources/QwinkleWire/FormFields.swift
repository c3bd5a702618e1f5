import QwinkleModel

/// The fields of a form (application/x-www-form-urlencoded). If a name is repeated, the first value counts.
struct FormFields {
  /// More than any client sends; the rest is not read.
  private static let mostFields = 1000

  private var fields: [String: String] = [:]

  init(_ bytes: [UInt8]) {
    for pair in bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.mostFields).prefix(Self.mostFields) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = PercentEncoding.decoded(parts[0], plusIsSpace: true)
      if fields[name] == nil {
        fields[name] = parts.count > 1 ? PercentEncoding.decoded(parts[1], plusIsSpace: true) : ""
      }
    }
  }

  subscript(name: String) -> String? { fields[name] }
}
