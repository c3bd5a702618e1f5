import SafeText

/// The value of an option.
public enum ConfigValue: Hashable, Sendable {
  case flag(Bool)
  case number(Int)
  case text(String)
  case list([String])

  /// The text. Empty for other kinds.
  public var text: String {
    if case .text(let text) = self { return text }
    return ""
  }

  /// The flag. False for other kinds.
  public var flag: Bool { self == .flag(true) }

  /// The number. 0 for other kinds.
  public var number: Int {
    if case .number(let number) = self { return number }
    return 0
  }

  /// The list. Empty for other kinds.
  public var list: [String] {
    if case .list(let list) = self { return list }
    return []
  }

  /// The value as written in the file: `"compact"`, `true`, `64`, `["a", "b"]`.
  public var toml: String {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): String(number)
    case .text(let text): TOMLText.quoted(text)
    case .list(let words): "[" + words.map(TOMLText.quoted).joined(separator: ", ") + "]"
    }
  }

  /// The value as typed after `:set` and the option's name: `compact`, `on`, `64`, `a b`.
  public var typed: String {
    switch self {
    case .flag(let flag): flag ? "on" : "off"
    case .number(let number): String(number)
    case .text(let text): text
    case .list(let words): words.joined(separator: " ")
    }
  }
}

/// Encodes strings and keys in TOML.
enum TOMLText {
  /// Returns `text` as a basic string.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns `name` as a key, without quotes if possible.
  static func key(_ name: String) -> String {
    let isBare = !name.isEmpty && name.utf8.allSatisfy(isBare)
    return isBare ? name : quoted(name)
  }

  /// Whether a key can contain the byte without quotes.
  static func isBare(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-_".utf8.contains(byte) }
}
