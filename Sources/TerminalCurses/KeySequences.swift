import CNcurses
import Terminal

/// The bytes that a terminal sends for keys other than characters.
struct KeySequences {
  /// Sequences in the terminal's description. They supplement the common forms, which nearly all terminals share.
  private var named: [(bytes: [UInt8], key: Key)] = []

  /// Creates a value without a terminal's description. It contains only the common forms.
  init() {}

  /// Creates a value with the keys in a terminal's description. `capability` returns the bytes of the named capability.
  @MainActor
  init(describedBy capability: (String) -> [UInt8]?) {
    for (name, key) in Self.capabilities {
      if let bytes = capability(name) { add(bytes, key) }
    }
    for number in 1...24 {
      if let bytes = capability("kf\(number)") { add(bytes, Self.function(number)) }
    }
  }

  /// Returns a value with the keys in the description of the terminal on which ncurses has a screen open.
  @MainActor
  static func ofOpenScreen() -> KeySequences {
    KeySequences { name in qw_capability(name).map { Array(String(cString: $0).utf8) } }
  }

  /// Returns the key for exactly these bytes, if the description has one.
  func key(named bytes: some Sequence<UInt8>) -> Key? {
    named.first { $0.bytes.elementsEqual(bytes) }?.key
  }

  /// Whether a key's sequence begins with these bytes and is longer.
  func isBeginning(_ bytes: some Collection<UInt8>) -> Bool {
    named.contains { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }
  }

  private mutating func add(_ bytes: [UInt8], _ key: Key) {
    // A single byte is always a character or a control character, even if the description says otherwise.
    guard bytes.count > 1, bytes[0] == 0x1B, self.key(named: bytes) == nil else { return }
    named.append((bytes, key))
  }

  /// Terminal descriptions use F13 to F24 for Shift with F1 to F12.
  private static func function(_ number: Int) -> Key {
    number > 12 ? Key(.function(number - 12), .shift) : Key(.function(number))
  }

  private static let capabilities: [(String, Key)] = [
    ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)), ("khome", Key(.home)),
    ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)), ("kich1", Key(.insert)),
    ("kdch1", Key(.delete)), ("kent", Key(.enter)), ("kcbt", Key(.tab, .shift)), ("kLFT", Key(.left, .shift)),
    ("kRIT", Key(.right, .shift)), ("kri", Key(.up, .shift)), ("kind", Key(.down, .shift)),
    ("kHOM", Key(.home, .shift)), ("kEND", Key(.end, .shift)), ("kPRV", Key(.pageUp, .shift)),
    ("kNXT", Key(.pageDown, .shift)), ("kDC", Key(.delete, .shift)), ("kIC", Key(.insert, .shift)),
  ]

  /// Returns the key of a control sequence: ESC `[`, parameters, final byte. Nil if it isn't a key, such as a reply to
  /// a query.
  static func key(final: UInt8, parameters: [UInt8]) -> Key? {
    // Replies and mouse events have private parameters: `<`, `=`, `>` or `?`.
    if let first = parameters.first, first >= 0x3C { return nil }
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
      Int(String(decoding: part.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) ?? 1
    }
    let first = numbers.first ?? 1
    let modifiers = numbers.count > 1 ? modifiers(numbers[1]) : []
    switch final {
    case UInt8(ascii: "~"):
      if first == 27, numbers.count == 3 { return character(numbers[2], modifiers) }
      return tildeKeys[first].map { Key($0.code, $0.modifiers.union(modifiers)) }
    case UInt8(ascii: "u"):
      return parameters.isEmpty ? nil : character(first, modifiers)
    case UInt8(ascii: "Z"):
      return Key(.tab, modifiers.union(.shift))
    // F3 and a report of the cursor's position both end in `R`. The first number of a report is the row, which is
    // greater than 1 because queries are sent in a lower row.
    case _ where first == 1:
      return letterKeys[final].map { Key($0, modifiers) }
    default:
      return nil
    }
  }

  /// Returns the key of ESC `O` and a letter.
  static func applicationKey(_ final: UInt8) -> Key? {
    if let code = letterKeys[final] { return Key(code) }
    switch final {
    case UInt8(ascii: "M"): return Key(.enter)
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      // The number pad: * + , - . / and the digits.
      return .character(Character(Unicode.Scalar(final - 0x40)))
    default: return nil
    }
  }

  /// Returns the key that sends a control character.
  static func control(_ byte: UInt8) -> Key {
    switch byte {
    case 0x08, 0x7F: Key(.backspace)
    case 0x09: Key(.tab)
    case 0x0D: Key(.enter)
    case 0x1B: Key(.escape)
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    default: .control(Character(Unicode.Scalar(byte + 0x40)))
    }
  }

  private static func modifiers(_ number: Int) -> Key.Modifiers {
    let bits = max(0, number - 1)
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    // Alt, or the Meta key that few keyboards have.
    if bits & 0b10_1010 != 0 { modifiers.insert(.meta) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  private static func character(_ number: Int, _ modifiers: Key.Modifiers) -> Key? {
    guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else { return nil }
    if scalar.value < 0x20 || scalar.value == 0x7F {
      let key = control(UInt8(scalar.value))
      return Key(key.code, key.modifiers.union(modifiers))
    }
    // Terminals use the private use area for keys without a character.
    if scalar.properties.generalCategory == .privateUse { return nil }
    return Key(.character(Character(scalar)), modifiers.subtracting(.shift))
  }

  private static let letterKeys: [UInt8: Key.Code] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
  ]

  private static let tildeKeys: [Int: Key] = [
    1: Key(.home), 2: Key(.insert), 3: Key(.delete), 4: Key(.end), 5: Key(.pageUp), 6: Key(.pageDown), 7: Key(.home),
    8: Key(.end), 11: function(1), 12: function(2), 13: function(3), 14: function(4), 15: function(5), 17: function(6),
    18: function(7), 19: function(8), 20: function(9), 21: function(10), 23: function(11), 24: function(12),
    25: function(13), 26: function(14), 28: function(15), 29: function(16), 31: function(17), 32: function(18),
    33: function(19), 34: function(20),
  ]
}
