@testable import QwinkleConfig

/// Prints values in the format of Tests/Fixtures/toml/parse.py, which is exact to the bit.
enum TOMLDump {
  /// Returns the values of a text, or "invalid".
  static func result(_ text: String) -> String {
    guard let document = try? TOMLDocument(Array(text.utf8)) else { return "invalid" }
    return dump(.table(document.root))
  }

  private static func dump(_ value: TOMLValue) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .integer(let number): String(number)
    case .float(let number): "f:" + (number.isNaN ? "nan" : padded(String(number.bitPattern, radix: 16), to: 16))
    case .boolean(let flag): flag ? "true" : "false"
    case .dateTime(let value): dump(value)
    case .array(let array): "[" + array.values.map(dump).joined(separator: ", ") + "]"
    case .table(let table):
      "{"
        + table.contents.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
        .map { "\(quoted($0.name)): \(dump($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// Digits beyond microseconds are dropped.
  private static func dump(_ value: TOMLDateTime) -> String {
    let format = #/(?:([0-9-]{10})(?:[Tt ]|$))?(?:([0-9:]{8})(?:\.([0-9]+))?)?(.*)/#
    guard let (_, day, time, fraction, offset) = value.text.wholeMatch(of: format)?.output else { return "unreadable" }
    let digits = String((fraction ?? "").prefix(6))
    let full = time.map { "\($0).\(digits)" + String(repeating: "0", count: 6 - digits.count) }
    let zone = ["Z", "z", "-00:00"].contains(offset) ? "+00:00" : String(offset)
    return [day.map { String($0) }, full].compactMap(\.self).joined(separator: "T") + zone
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        let isPlain = " "..."~" ~= scalar && scalar != "\"" && scalar != "\\"
        return isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }.joined() + "\""
  }

  private static func padded(_ digits: String, to count: Int) -> String {
    String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
