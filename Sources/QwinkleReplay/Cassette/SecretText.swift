import QwinkleModel
import SafeText

/// Finds secrets in free text: `access_token=…` in a URL, `Bearer …` in a message, `https://name:password@host`.
enum SecretText {
  /// Removes the secrets from `text` and calls `found` for each.
  static func scrubbed(_ text: String, found: (String) -> Void) -> String {
    let bytes = Array(text.utf8)
    guard
      bytes.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") })
        || hasScheme(bytes)
    else { return text }
    let withoutPairs = scrubbingPairs(bytes, found)
    return String(decoding: scrubbingUsers(scrubbingBearers(withoutPairs, found), found), as: UTF8.self)
  }

  private static func scrubbingPairs(_ bytes: [UInt8], _ found: (String) -> Void) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      // A URL within a URL has its separators escaped.
      let isEscaped = starts(bytes[position...], with: escapedEquals)
      let mark = isEscaped ? 3 : 1
      let isPair = isEscaped || bytes[position] == UInt8(ascii: "=")
      result += bytes[position..<(position + mark)]
      position += mark
      guard isPair else { continue }
      let name = bytes[..<(position - mark)].reversed().prefix { isOfName($0) }.reversed()
      guard isSecret(FormText.decoded(name)) else { continue }
      var value = bytes[position...].prefix { !endsValue($0) }
      if isEscaped, let end = value.indices.first(where: { starts(value[$0...], with: escapedAnd) }) {
        value = value[..<end]
      }
      guard !value.isEmpty else { continue }
      found(FormText.decoded(value))
      result += SecretNames.replacement.utf8
      position += value.count
    }
    return result
  }

  /// Removes the word after `Bearer` or `Basic` if it has at least 16 bytes. A shorter word may be part of a sentence.
  private static func scrubbingBearers(_ bytes: [UInt8], _ found: (String) -> Void) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      guard let scheme = schemes.first(where: { starts(bytes[position...], with: $0) }) else {
        result.append(bytes[position])
        position += 1
        continue
      }
      result += bytes[position..<(position + scheme.count)]
      position += scheme.count
      let value = bytes[position...].prefix { !endsValue($0) }
      if value.count >= 16 {
        found(String(decoding: value, as: UTF8.self))
        result += SecretNames.replacement.utf8
        position += value.count
      }
    }
    return result
  }

  /// Removes user names and passwords before a host.
  private static func scrubbingUsers(_ bytes: [UInt8], _ found: (String) -> Void) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position...].starts(with: "://".utf8) else {
        result.append(bytes[position])
        position += 1
        continue
      }
      result += "://".utf8
      position += 3
      let authority = bytes[position...].prefix { !endsValue($0) && !"/?".utf8.contains($0) }
      guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { continue }
      if let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")) {
        found(PercentEncoding.decoded(authority[(colon + 1)..<at]))
      }
      position = at + 1
    }
    return result
  }

  private static let schemes = [Array("bearer ".utf8), Array("basic ".utf8), Array("bearer%20".utf8)]

  private static let escapedEquals = Array("%3d".utf8)
  private static let escapedAnd = Array("%26".utf8)

  /// Whether `name` or its last word names a secret. The last word is checked separately, because the text before it
  /// may not belong to the name.
  private static func isSecret(_ name: String) -> Bool {
    let last = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.last ?? ""
    return SecretNames.isSecret(String(last)) || SecretNames.isSecret(name)
  }

  private static func hasScheme(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in schemes.contains { starts(bytes[index...], with: $0) } }
  }

  /// Whether `bytes` begin with `word`, ignoring case. `word` is in lower case.
  private static func starts(_ bytes: ArraySlice<UInt8>, with word: [UInt8]) -> Bool {
    guard let first = bytes.first, first | 0x20 == word[0] | 0x20 else { return false }
    return bytes.prefix(word.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } == word
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "_-%[]".utf8.contains(byte)
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || "&\"'<>#;,)]}\\".utf8.contains(byte)
  }
}
