/// Finds the items of one array in a JSON object that is read in pieces, so that a large file needs little memory.
/// Only strings and brackets are recognized: the caller parses the items.
public struct JSONItemScanner: Sendable {
  private static let mostKeyBytes = 64

  private let name: [UInt8]
  /// Offset of the next byte.
  private var offset = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The last string directly in the object, and whether a colon follows it.
  private var key: [UInt8] = []
  private var isKeyed = false
  private var isInArray = false
  /// Whether the array was found.
  public private(set) var foundArray = false
  private var start: Int?
  /// Offset after the last byte of the item that isn't white space.
  private var end = 0

  /// - Parameter name: The member with the array.
  public init(array name: String) {
    self.name = Array(name.utf8)
  }

  /// Reads the next bytes. Calls `found` with the offsets of each item that ends in them.
  public mutating func read(_ bytes: [UInt8], found: (Range<Int>) throws -> Void) rethrows {
    for byte in bytes {
      if let item = take(byte) { try found(item) }
      offset += 1
    }
  }

  /// Returns the item that ends before this byte, if any.
  private mutating func take(_ byte: UInt8) -> Range<Int>? {
    if isInString {
      takeInString(byte)
      note(byte)
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if depth == 1 { (key, isKeyed) = ([], false) }
    case UInt8(ascii: ":"): if depth == 1 { isKeyed = true }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isArray = byte == UInt8(ascii: "[")
      depth += 1
      if depth == 2, isArray, isKeyed, key == name {
        (isInArray, foundArray) = (true, true)
        return nil
      }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if isInArray, depth == 1 {
        isInArray = false
        return finish()
      }
    case UInt8(ascii: ","):
      if isInArray, depth == 2 { return finish() }
      if depth == 1 { isKeyed = false }
    default: break
    }
    note(byte)
    return nil
  }

  private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return
    }
    if depth == 1, key.count < Self.mostKeyBytes { key.append(byte) }
  }

  private mutating func note(_ byte: UInt8) {
    guard isInArray, byte > UInt8(ascii: " ") else { return }
    if start == nil { start = offset }
    end = offset + 1
  }

  private mutating func finish() -> Range<Int>? {
    defer { start = nil }
    return start.map { $0..<end }
  }
}
