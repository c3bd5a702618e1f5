import SafeText

/// The colours that the terminal has in the course of a frame, as parameters of style sequences (SGR).
struct StyleColors {
  private static let separator = UInt8(ascii: ";")
  private static let defaultFront = Array("39".utf8)
  private static let defaultBack = Array("49".utf8)

  /// Nil if unknown.
  private var front: [UInt8]?
  /// Nil if unknown.
  private var back: [UInt8]?

  /// Returns the parameters of a style sequence without the colours that the terminal already has. Returns nil if the
  /// sequence changes nothing. The result begins with an empty parameter if the sequence resets the style.
  mutating func needed(_ parameters: [UInt8]) -> [UInt8]? {
    var needed: [UInt8] = []
    needed.reserveCapacity(parameters.count)
    var count = 0
    func append(_ range: Range<Int>) {
      if count > 0 { needed.append(Self.separator) }
      needed += parameters[range]
      count += 1
    }
    var (newFront, newBack): (Range<Int>?, Range<Int>?) = (nil, nil)
    var start = 0
    while start <= parameters.count {
      let (number, end) = Self.parameter(at: start, in: parameters)
      switch number {
      case 0:
        (front, back) = (Self.defaultFront, Self.defaultBack)
        (newFront, newBack) = (nil, nil)
        needed.removeAll(keepingCapacity: true)
        count = 1
      case 30...39, 90...97: newFront = start..<end
      case 40...49, 100...107: newBack = start..<end
      default: append(start..<end)
      }
      start = end + 1
    }
    if let newFront, Self.take(parameters[newFront], as: &front) { append(newFront) }
    if let newBack, Self.take(parameters[newBack], as: &back) { append(newBack) }
    return count == 0 ? nil : needed
  }

  /// Returns false if `color` is `new` already.
  private static func take(_ new: ArraySlice<UInt8>, as color: inout [UInt8]?) -> Bool {
    if let color, color.elementsEqual(new) { return false }
    color = Array(new)
    return true
  }

  /// Returns the number at the start of a parameter, or 0 without one, and the end of the colour or attribute. A
  /// colour can have several parameters: `38;5;12`.
  private static func parameter(at start: Int, in bytes: [UInt8]) -> (number: Int, end: Int) {
    var number: Int? = 0
    var hasColon = false
    var end = start
    while end < bytes.count, bytes[end] != separator {
      if bytes[end] == UInt8(ascii: ":") { hasColon = true }
      if !hasColon {
        // Longer numbers have no meaning.
        number = bytes[end].isDigit ? number.map { min($0 * 10 + Int(bytes[end] & 0xF), 10_000) } : nil
      }
      end += 1
    }
    guard number == 38 || number == 48, !hasColon, end + 1 < bytes.count, isEnd(end + 2, in: bytes) else {
      return (number ?? 0, end)
    }
    // A number of the palette, or three components.
    var rest = bytes[end + 1] == UInt8(ascii: "5") ? 2 : bytes[end + 1] == UInt8(ascii: "2") ? 4 : 0
    while rest > 0, end < bytes.count {
      end += 1
      while !isEnd(end, in: bytes) { end += 1 }
      rest -= 1
    }
    return (number ?? 0, end)
  }

  /// Whether a parameter ends before `index`.
  private static func isEnd(_ index: Int, in bytes: [UInt8]) -> Bool {
    index >= bytes.count || bytes[index] == separator
  }
}
