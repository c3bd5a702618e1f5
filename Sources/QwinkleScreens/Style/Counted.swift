import QwinkleModel

/// Numbers with what they count.
enum Counted {
  /// `1 follower`, `1,204 followers`; `noun` is one of them.
  static func words(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `1204` as `1,204`.
  static func grouped(_ count: Int) -> String {
    var digits = String(count.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.append(digits.suffix(3))
      digits.removeLast(3)
    }
    return (count < 0 ? "-" : "") + ([Substring(digits)] + groups.reversed()).joined(separator: ",")
  }
}

extension RichText {
  /// All of it as one line, for where there is room for its beginning only.
  var oneLine: String {
    paragraphs.map(\.plainText).joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
