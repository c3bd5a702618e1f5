import QwinkleModel

/// An integer or a float, such as `1_000`, `0xff`, `-1.5e3` or `inf`.
struct TOMLNumber {
  private typealias Word = ArraySlice<UInt8>

  /// Sign, digits and exponent, without underscores or the prefix of the radix.
  private let digits: String
  private let radix: Int
  private let isFloat: Bool

  /// Parses a word. Returns nil if it isn't a number.
  init?(_ word: ArraySlice<UInt8>) {
    if word.first == UInt8(ascii: "0"), let radix = Self.radix(of: word.dropFirst().first) {
      var rest = word.dropFirst(2)
      guard let digits = Self.digits(&rest, radix), rest.isEmpty else { return nil }
      (self.digits, self.radix, isFloat) = (digits, radix, false)
      return
    }
    var rest = word
    let sign = Self.sign(&rest)
    radix = 10
    if rest.elementsEqual("inf".utf8) || rest.elementsEqual("nan".utf8) {
      digits = sign + String(decoding: rest, as: UTF8.self)
      isFloat = true
      return
    }
    guard let whole = Self.digits(&rest), whole == "0" || !whole.hasPrefix("0") else { return nil }
    var text = sign + whole
    let length = rest.count
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard let fraction = Self.digits(&rest) else { return nil }
      text += "." + fraction
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      let sign = Self.sign(&rest)
      guard let exponent = Self.digits(&rest) else { return nil }
      text += "e" + sign + exponent
    }
    guard rest.isEmpty else { return nil }
    digits = text
    isFloat = length > 0
  }

  /// The number. Nil for an integer that doesn't fit into 64 bits.
  var value: TOMLValue? {
    isFloat ? Double(digits).map { .float($0) } : Int(digits, radix: radix).map { .integer($0) }
  }

  // MARK: Parts

  private static func radix(of letter: UInt8?) -> Int? {
    switch letter {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private static func sign(_ rest: inout Word) -> String {
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return "" }
    rest = rest.dropFirst()
    return sign == UInt8(ascii: "-") ? "-" : "+"
  }

  /// Reads digits, with single underscores allowed between them. Returns nil if there are no digits or if an underscore
  /// is elsewhere.
  private static func digits(_ rest: inout Word, _ radix: Int = 10) -> String? {
    let underscore = UInt8(ascii: "_")
    var digits: [UInt8] = []
    var last = underscore
    while let byte = rest.first, isDigit(byte, radix) || byte == underscore {
      guard byte != underscore || last != underscore else { return nil }
      if byte != underscore { digits.append(byte) }
      last = byte
      rest = rest.dropFirst()
    }
    return last == underscore ? nil : String(decoding: digits, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8, _ radix: Int) -> Bool {
    HexDigit.value(of: byte).map { $0 < radix } ?? false
  }
}
