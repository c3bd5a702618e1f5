import Terminal
import Testing

@Suite struct KeyNameTests {
  private static let modifiers: [Key.Modifiers] = [
    [], .control, .meta, .shift, [.control, .meta], [.control, .shift], [.meta, .shift], [.control, .meta, .shift],
  ]
  private static let codes: [Key.Code] =
    [
      .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
    ] + (1...12).map { .function($0) }
  /// Characters that keyboards type; lower case if combined with control.
  private static let characters: [Character] = (UInt8(0x20)..<0x7F).map { Character(Unicode.Scalar($0)) } + ["é", "日"]

  @Test(arguments: [
    (Key.character("a"), "a"), (.control("d"), "^D"), (.meta("b"), "M-b"), (Key(.tab, .shift), "S-Tab"),
    (Key(.pageDown), "PgDn"), (Key(.function(1)), "F1"), (Key(.function(5), .control), "C-F5"), (Key(.down), "↓"),
    (.character(" "), "Space"), (Key(.up, [.control, .shift]), "S-C-↑"),
    (Key(.character("x"), [.control, .meta]), "M-^X"),
  ])
  func `a key is converted to its name and back`(key: Key, name: String) {
    #expect(key.description == name)
    #expect(Key(name) == key)
  }

  @Test(arguments: modifiers) func `each key's name is unique and parsed as that key`(modifiers: Key.Modifiers) {
    var keys = Self.codes.map { Key($0, modifiers) }
    // Shift with a character yields another character.
    if !modifiers.contains(.shift) {
      let isControl = modifiers.contains(.control)
      keys += Self.characters.filter { !isControl || $0.lowercased() == String($0) }.map {
        Key(.character($0), modifiers)
      }
    }
    for key in keys { #expect(Key(key.description) == key, "\(key.description)") }
    #expect(Set(keys.map(\.description)).count == keys.count)
  }

  @Test(arguments: ["", "Hyper", "X-a", "M-", "Fx", "ab"]) func `an invalid name is not parsed as a key`(words: String)
  {
    #expect(Key(words) == nil)
  }
}
