/// Names of keys in keymaps and the help: `a`, `^D`, `M-b`, `S-Tab`, `PgDn`, `F1`.
extension Key: CustomStringConvertible {
  private static let names: [(String, Code)] = [
    ("Enter", .enter), ("Esc", .escape), ("Tab", .tab), ("BS", .backspace), ("Del", .delete), ("Ins", .insert),
    ("↑", .up), ("↓", .down), ("←", .left), ("→", .right), ("Home", .home), ("End", .end), ("PgUp", .pageUp),
    ("PgDn", .pageDown), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Space", .character(" ")),
  ]

  public var description: String {
    var prefix = ""
    if modifiers.contains(.meta) { prefix += "M-" }
    if modifiers.contains(.shift) { prefix += "S-" }
    if case .character(let character) = code, modifiers.contains(.control) {
      return prefix + "^" + character.uppercased()
    }
    if modifiers.contains(.control) { prefix += "C-" }
    if let name = Self.names.first(where: { $0.1 == code })?.0 { return prefix + name }
    switch code {
    case .character(let character): return prefix + String(character)
    case .function(let number): return prefix + "F\(number)"
    default: return prefix
    }
  }

  /// Creates the key called `description`. Returns nil if no key has this name.
  public init?(_ description: some StringProtocol) {
    var rest = Substring(description)
    var modifiers: Modifiers = []
    while rest.count > 2, rest.dropFirst().first == "-" {
      switch rest.first {
      case "M": modifiers.insert(.meta)
      case "S": modifiers.insert(.shift)
      case "C": modifiers.insert(.control)
      default: return nil
      }
      rest = rest.dropFirst(2)
    }
    if rest.count == 2, rest.first == "^", let character = rest.last {
      self.init(.character(Character(character.lowercased())), modifiers.union(.control))
    } else if let code = Self.names.first(where: { $0.0 == rest })?.1 {
      self.init(code, modifiers)
    } else if rest.first == "F", let number = Int(rest.dropFirst()) {
      self.init(.function(number), modifiers)
    } else if rest.count == 1, let character = rest.first {
      self.init(.character(character), modifiers)
    } else {
      return nil
    }
  }
}
