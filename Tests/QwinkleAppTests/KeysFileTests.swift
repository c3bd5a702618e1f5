@testable import PaneKit
import QwinkleConfig
import QwinkleResources
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The user's `keys.txt` and the bundled keymaps.
@Suite(.bounded) struct KeysFileTests {
  private func overlay(_ text: String) throws -> KeymapOverlay { try Keymap.standard.get().overlaid(by: text) }

  private func problems(_ text: String) throws -> [String] {
    try overlay(text).problems.map { "\($0.line):\($0.column): \($0.sentence)" }
  }

  private func keys(_ action: Action, _ context: KeyContext, _ keymap: Keymap) -> [String] {
    keymap.bindings.filter { $0.action == action && $0.context == context }.flatMap(\.sequences)
      .map(Keymap.name(of:))
  }

  @Test func `a line replaces, adds or removes keys`() throws {
    let keymap = try overlay(
      """
      # mine
      global  compose    ^Xn c
      qwink   boost      + B
      list    list.last  -
      """
    ).keymap
    #expect(keys("compose", "global", keymap) == ["^X n", "c"])
    #expect(keys("boost", "qwink", keymap) == ["b", "B"])
    #expect(keys("list.last", "list", keymap).isEmpty)
  }

  @Test func `keys are reassigned and bound to macros and commands`() throws {
    let overlay = try overlay(
      """
      qwink  reply            f  answer: answer it
      qwink  favourite        M-f
      qwink  press gg Enter   ^Xt  top: open the first
      global  :tag garden     ^Xg
      """)
    #expect(overlay.problems.isEmpty)
    #expect(keys("reply", "qwink", overlay.keymap) == ["f"])
    #expect(keys("favourite", "qwink", overlay.keymap) == ["M-f"])
    let macro = try #require(overlay.keymap.bindings.first { $0.action == "press gg Enter" })
    #expect(macro.word == "top" && macro.summary == "open the first")
    #expect(overlay.keymap.bindings.contains { $0.action == ":tag garden" })
  }

  @Test func `a problem is reported with its line and column`() throws {
    #expect(
      try problems(
        """
        glob  compose  c
        global  compse  c
        global  compose  c Entre
        global compose c
        qwink  press Hyper  x
        qwink  press   x
        """) == [
          "1:1: No context “glob”. Did you mean global?", "2:9: No action “compse”. Did you mean compose?",
          "3:20: “Entre” is not a key. Examples: x ^X M-x gg ^Xs Enter F2",
          "4:1: Three columns are needed, with two spaces between them: context  action  keys.",
          "5:8: “Hyper” is not a key.", "6:8: No action “press”.",
        ])
    #expect(try problems("qwink  boost  x\nqwink  reply  x")[0] == "2:15: x is boost in line 1; this line replaces it.")
  }

  @Test func `hidden and unreachable keys are reported`() throws {
    #expect(try problems("qwink  boost  g").contains { $0.hasPrefix("1:15: g hides gp, parent.") })
    #expect(
      try problems("qwink  boost  bx\nqwink  bookmark  b").contains { $0.contains("bx can't be typed: b is bookmark.") }
    )
    #expect(try problems("global  compose  j").contains { $0.contains("j is list.next in list, which wins.") })
    #expect(try problems("qwink  reply  b").contains { $0.contains("boost no longer has a key.") })
    #expect(try problems("qwink  boost  -\nqwink  reply  b").isEmpty)
  }

  @Test(arguments: ["vi", "emacs", "arrows", "toot", "tut"])
  func `a bundled keymap has no problems`(name: String) throws {
    let text = try #require(QwinkleResources.keymap(named: name))
    let overlay = try overlay(text)
    let problems = overlay.problems.map { "\(name):\($0.line):\($0.column): \($0.sentence)" }
    #expect(problems.isEmpty, "\(problems)")
    #expect(overlay.keymap.bindings != (try Keymap.standard.get().bindings))
    let names = ConfigKey.keymap.option.examples
    #expect(names.contains(name))
  }

  @Test(arguments: ["vi", "emacs", "arrows", "toot", "tut"])
  func `a bundled keymap has a key for each action of panes in every list`(name: String) throws {
    let text = try #require(QwinkleResources.keymap(named: name))
    let keymap = try overlay(text).keymap
    let actions = try Keymap.standard.get().bindings.map(\.action).filter { $0.rawValue.hasPrefix("pane.") }
    #expect(actions.count >= 17)
    for place: KeyContext in ["list", "thread", "notifications", "records", "resources", "chat-messages", "outbox"] {
      let contexts: [KeyContext] = [place, "list", "qwink", "global", "always"]
      for action in actions {
        let sequences = keymap.bindings.filter { $0.action == action }.flatMap(\.sequences)
        #expect(sequences.contains { keymap.action(for: $0, in: contexts) == action }, "\(action) in \(place)")
        for sequence in sequences {
          let found = keymap.action(for: sequence, in: contexts)
          #expect(found == action, "\(Keymap.name(of: sequence)) is \(found?.rawValue ?? "nothing") in \(place)")
        }
      }
    }
  }

  @Test func `a malformed keymap is parsed as far as possible`() throws {
    let whole =
      (try #require(QwinkleResources.keymap(named: "emacs"))) + String(QwinkleResources.keymap.prefix(1000))
      + "qwink  press gg Enter  ^Xt  top: first\nglobal  :tag x  ^Xg\n"
    for seed in Soak.seeds(20, times: 500) {
      var random = SplitMix(seed: seed)
      let text = String(decoding: Damage.damaged(Array(whole.utf8), &random), as: UTF8.self)
      let overlay = try overlay(text)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      for problem in overlay.problems {
        #expect((1...lines).contains(problem.line) && problem.column >= 1 && !problem.sentence.isEmpty, "seed \(seed)")
      }
      #expect(overlay.keymap.bindings.count >= 100, "seed \(seed)")
    }
  }
}
