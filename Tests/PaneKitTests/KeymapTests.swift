import PaneKit
import Terminal
import Testing

@Suite struct KeymapTests {
  @Test func `an error reports the line that cannot be parsed`() {
    let error = #expect(throws: KeymapError.self) { try Keymap(text: "# words\nlist  next  j Hyper  next: next") }
    #expect(error?.line == 2)
    #expect(error?.reason == "“Hyper” is not a key")
    #expect(throws: KeymapError.self) { try Keymap(text: "list next j") }
  }

  @Test func `a binding has its label, summary and key sequences`() throws {
    let keymap = try Keymap(text: "list  list.first  gg Home  first: the newest")
    let binding = try #require(keymap.binding(of: "list.first"))
    #expect(binding.word == "first")
    #expect(binding.summary == "the newest")
    #expect(binding.sequences.map(Keymap.name(of:)) == ["gg", "Home"])
    #expect(keymap.match([.character("g")], in: "list") == .prefix)
    #expect(keymap.match([.character("g"), .character("g")], in: "list") == .action("list.first"))
  }

  @Test func `a hint shows a key that works in the current context`() throws {
    let keymap = try Keymap(
      text: """
        reading  help   ?      help: this page
        global   help   ? F1   keys: this page
        chat     send   x ^D   send: send it
        list     down   ^D j   down: further down
        """)
    let isTyped: (Key, KeyContext) -> Bool = { $1 != "chat" && $0.typedCharacter != nil }
    #expect(keymap.hint(for: "help", in: ["reading", "global"])?.word == "help")
    #expect(keymap.hint(for: "help", in: ["list", "global"])?.key == "?")
    #expect(keymap.hint(for: "help", in: ["chat", "global"], unless: isTyped)?.key == "F1")
    #expect(keymap.hint(for: "help", in: ["reading"], unless: isTyped)?.key == nil)
    // Keys bound in the text's own context are matched before they are typed.
    #expect(keymap.hint(for: "send", in: ["chat", "global"], unless: isTyped)?.key == "x")
    // An earlier context binds ^D to another action.
    #expect(keymap.hint(for: "down", in: ["chat", "list"])?.key == "j")
    #expect(keymap.hint(for: "send", in: ["list"])?.key == nil)
  }
}
