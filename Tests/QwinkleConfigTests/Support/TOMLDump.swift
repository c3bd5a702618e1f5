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

  private static func dump(_ value: TOMLDateTime) -> String {
    let day = value.day.map { "\(padded($0.year, to: 4))-\(padded($0.month, to: 2))-\(padded($0.day, to: 2))" }
    let time = value.time.map { time in
      [time.hour, time.minute, time.second].map { padded($0, to: 2) }.joined(separator: ":")
        + "." + padded(time.microsecond, to: 6)
    }
    let offset = value.offset.map { minutes in
      (minutes < 0 ? "-" : "+") + padded(abs(minutes) / 60, to: 2) + ":" + padded(abs(minutes) % 60, to: 2)
    }
    return [day, time].compactMap(\.self).joined(separator: "T") + (offset ?? "")
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        let isPlain = " "..."~" ~= scalar && scalar != "\"" && scalar != "\\"
        return isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }.joined() + "\""
  }

  private static func padded(_ number: Int, to count: Int) -> String { padded(String(number), to: count) }

  private static func padded(_ digits: String, to count: Int) -> String {
    String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
