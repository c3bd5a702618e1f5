import SafeText

/// Sends 24-bit colours to a terminal whose description has 256.
///
/// ncurses draws 24-bit colours only with a description such as `xterm-direct`, which may have other keys than the
/// user's terminal. A changed palette would change the colours of other programs. So each colour pair gets a code, two
/// numbers from 16 to 255, which ncurses sends as `ESC [38;5;F m ESC [48;5;B m`. In the output, the colours of the pair
/// replace the code. As ncurses compares only pairs, it draws as little as with 256 colours.
struct ExactColors {
  /// Colours of a pair: the palette's from 0 to 15, 24-bit ones from 16, and -1 for the terminal's default.
  struct Pair: Hashable {
    var front: Int32
    var back: Int32
  }

  private static let base = 16
  private static let digits = 240
  /// Pair numbers must be less than this.
  static let limit = digits * digits
  private static let front = Array("\u{1B}[38;5;".utf8)
  private static let back = Array("\u{1B}[48;5;".utf8)

  /// The pairs with the numbers 1 and above.
  private var pairs: [Pair] = []

  /// Adds a pair and returns its code.
  mutating func add(_ pair: Pair) -> Pair {
    pairs.append(pair)
    let number = pairs.count
    return Pair(front: Int32(Self.base + number / Self.digits), back: Int32(Self.base + number % Self.digits))
  }

  mutating func removeLast() { pairs.removeLast() }

  mutating func removeAll() { pairs.removeAll(keepingCapacity: true) }

  /// Returns the pair with a code, or nil if the code was never assigned.
  func pair(withCode code: Pair) -> Pair? {
    let (front, back) = (Int(code.front) - Self.base, Int(code.back) - Self.base)
    guard (0..<Self.digits).contains(front), (0..<Self.digits).contains(back) else { return nil }
    let index = front * Self.digits + back - 1
    return pairs.indices.contains(index) ? pairs[index] : nil
  }

  /// Returns the output of ncurses with codes replaced by colours.
  func expanding(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(2 * bytes.count)
    var rest = bytes[...]
    while let place = rest.firstIndex(of: 0x1B) {
      output += rest[..<place]
      rest = rest[place...]
      if let (pair, length) = code(at: rest) {
        output += Self.style(of: pair)
        rest = rest.dropFirst(length)
      } else {
        output.append(0x1B)
        rest = rest.dropFirst()
      }
    }
    return output + rest
  }

  /// Returns the pair whose code is at the start of `bytes`, and the code's length.
  private func code(at bytes: ArraySlice<UInt8>) -> (pair: Pair, length: Int)? {
    guard let (front, frontLength) = Self.number(after: Self.front, in: bytes),
      let (back, backLength) = Self.number(after: Self.back, in: bytes.dropFirst(frontLength)),
      let pair = pair(withCode: Pair(front: front, back: back))
    else { return nil }
    return (pair, frontLength + backLength)
  }

  /// Returns the number in a sequence that begins with `start` and ends with `m`, and the length of the sequence. Some
  /// terminals separate parameters by colons instead of semicolons.
  private static func number(after start: [UInt8], in bytes: ArraySlice<UInt8>) -> (number: Int32, length: Int)? {
    let isStart = bytes.starts(with: start) { $0 == $1 || ($0 == UInt8(ascii: ":") && $1 == UInt8(ascii: ";")) }
    guard isStart else { return nil }
    let digits = bytes.dropFirst(start.count).prefix(while: \.isDigit)
    guard digits.endIndex < bytes.endIndex, bytes[digits.endIndex] == UInt8(ascii: "m"),
      let number = Int32(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return (number, start.count + digits.count + 1)
  }

  /// Returns the sequence (SGR) that selects the colours of a pair.
  private static func style(of pair: Pair) -> [UInt8] {
    Array("\u{1B}[\(parameters(of: pair.front, layer: 0));\(parameters(of: pair.back, layer: 10))m".utf8)
  }

  /// Returns the parameters of a colour. `layer` is 0 for the text and 10 for the background.
  private static func parameters(of color: Int32, layer: Int32) -> String {
    switch color {
    case ..<0: "\(39 + layer)"
    case ..<8: "\(30 + layer + color)"
    case ..<16: "\(90 + layer + color - 8)"
    default: "\(38 + layer);2;\(color >> 16);\(color >> 8 & 255);\(color & 255)"
    }
  }
}
