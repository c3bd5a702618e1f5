import SafeText

/// The parameters of a header's value: `; name=value; name="value"` (RFC 9110, section 5.6.6).
enum HeaderParameters {
  /// Removes the parameter at the start of `rest` and returns it. The value is nil if the parameter has none. Returns
  /// nil if `rest` is empty or begins with a character in `ends`.
  static func next(in rest: inout Substring, before ends: String = "") -> (name: String, value: String?)? {
    rest = rest.drop { $0 == " " || $0 == "\t" || $0 == ";" }
    guard let first = rest.first, !ends.contains(first) else { return nil }
    let name = rest.prefix { $0 != "=" && $0 != ";" && !ends.contains($0) }
    rest = rest[name.endIndex...]
    guard rest.first == "=" else { return (name.lowercased().trimmed(), nil) }
    rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
    return (name.lowercased().trimmed(), value(at: &rest, before: ends))
  }

  private static func value(at rest: inout Substring, before ends: String) -> String {
    guard rest.first == "\"" else {
      let token = rest.prefix { $0 != ";" && !ends.contains($0) }
      rest = rest[token.endIndex...]
      return String(token).trimmed()
    }
    var value = ""
    var isEscaped = false
    rest = rest.dropFirst()
    while let character = rest.popFirst() {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        value.append(character)
      }
    }
    return value
  }
}
