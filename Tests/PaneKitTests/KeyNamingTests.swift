import PaneKit
import Terminal
import TerminalTesting
import Testing

/// Sentences show the keys of the current keymap.
@Suite(.bounded) struct KeyNamingTests {
  private static let keymap = """
    global  compose  c +   new: write
    global  drafts   gd    drafts: list drafts
    global  help     ?     help: this help
    always  help     F1    help: this help
    """

  private func naming(_ sentence: String, _ text: String = Self.keymap) throws -> String {
    try Keymap(text: text).naming(sentence)
  }

  @Test func `a sentence names the first key of each action`() throws {
    let (compose, drafts, help) = (Action("compose"), Action("drafts"), Action("help"))
    #expect(try naming("Deleted · \(drafts.key) lists its draft") == "Deleted · gd lists its draft")
    #expect(try naming("\(compose.key) writes; \(drafts.key) lists.") == "c writes; gd lists.")
    #expect(try naming("\(help.key) or \(help.key(in: "always")) helps") == "? or F1 helps")
    #expect(try naming("No key, \u{10F8FF}.") == "No key, \u{10F8FF}.")
  }

  @Test func `a clause that names an action without a key is removed`() throws {
    let (compose, gone) = (Action("compose"), Action("gone"))
    #expect(try naming("Deleted · \(gone.key) lists its draft") == "Deleted")
    #expect(try naming("Not sent. \(gone.key) lists it.") == "Not sent.")
    #expect(try naming("3 wait; \(gone.key) lists them") == "3 wait")
    #expect(try naming("\(gone.key) lists it. \(compose.key) writes.") == "c writes.")
    #expect(try naming("\(gone.key) writes").isEmpty)
    let keymap = try Keymap(text: Self.keymap)
    #expect(keymap.naming([TextRun(gone.key, .key), TextRun(" writes", .dim)]) == nil)
    #expect(keymap.naming([TextRun(compose.key, .key), TextRun(" writes", .dim)])?.map(\.text) == ["c", " writes"])
  }

  @Test func `a different keymap changes the key in a sentence`() throws {
    let sentence = "\(Action("compose").key) writes"
    #expect(try naming(sentence, "global  compose  ^Xn  new: write") == "^X n writes")
  }
}
