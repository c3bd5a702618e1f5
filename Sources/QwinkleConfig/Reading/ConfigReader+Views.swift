import QwinkleModel

/// Views of the user's own.
extension ConfigReader {
  static let views = "views"
  private static let mostViews = 50

  /// Reads a line of the views. Returns what is wrong in it, and where, in bytes.
  mutating func readView(
    _ item: ConfigScanner.Item, _ toml: ConfigTOML, _ scanner: ConfigScanner
  ) -> (sentence: String, place: Int)? {
    let name = item.path[1]
    guard item.path.count == 2 else { return ("A view is a rule: \(name) = \"boost\".", item.start) }
    guard OwnView.isName(name) else {
      return ("A view's name has letters, digits, - and _, at most 30.", item.start)
    }
    guard let value = toml.value(at: item.path), case .text(let text) = value else {
      return ("\(name) must be a rule such as \"boost and not from:@anna\".", item.start)
    }
    guard config.views.count < Self.mostViews else { return ("There are at most \(Self.mostViews) views.", item.start) }
    do throws(RuleProblem) {
      config.views.append(try OwnView(name: name, text: text))
      return nil
    } catch {
      return (error.sentence, scanner.place(of: error.offset, in: item.value))
    }
  }
}

extension ConfigScanner {
  /// The byte at which a character of a string's text stands in the file. `value` is the string with its quotes.
  func place(of offset: Int, in value: Range<Int>) -> Int {
    let quotes = bytes[value].prefix { $0 == bytes[value.lowerBound] && Self.isQuote($0) }.count
    // Two are an empty text.
    let length = quotes >= 3 ? 3 : min(quotes, 1)
    let hasEscapes = bytes[value].first == UInt8(ascii: "\"")
    var place = value.lowerBound + length
    // The newline right after the marks is none of the text.
    if length == 3 {
      if place < value.upperBound, bytes[place] == 13 { place += 1 }
      if place < value.upperBound, bytes[place] == 10 { place += 1 }
    }
    for _ in 0..<offset where place < value.upperBound {
      place += hasEscapes && bytes[place] == UInt8(ascii: "\\") ? escapeLength(at: place) : 1
      // The rest of a character.
      while place < value.upperBound, bytes[place] & 0xC0 == 0x80 { place += 1 }
    }
    return min(place, max(value.lowerBound, value.upperBound - 1))
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  private func escapeLength(at place: Int) -> Int {
    guard place + 1 < bytes.count else { return 1 }
    switch bytes[place + 1] {
    case UInt8(ascii: "u"): return 6
    case UInt8(ascii: "U"): return 10
    default: return 2
    }
  }
}
