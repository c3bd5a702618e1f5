import Dispatch
import PaneKit
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Completing paths in folders of any size and speed.
@MainActor
@Suite(.bounded) struct PathCompleterTests {
  /// A completer with a typed path, in a folder with these names.
  private func typing(_ typed: String, reading read: @escaping @Sendable (String) -> [String]) -> (
    PathCompleter, TextEditor
  ) {
    let editor = TextEditor(isSingleLine: true)
    editor.text = typed
    return (PathCompleter(editor: editor, lister: FolderLister(reading: read)), editor)
  }

  private func whenListed(_ completer: PathCompleter) async throws {
    try await wait(for: "the folder", showing: { "" }, until: { !completer.lister.isBusy })
  }

  @Test func `completion inserts the common start of all names, even of hundreds`() async throws {
    let digits = (1...500).map { number in String("000\(number)".suffix(4)) }
    let names = digits.map { "IMG_\($0).jpg" } + ["notes.txt"]
    for (typed, completed) in [
      ("/nowhere/IMG", "/nowhere/IMG_0"), ("/nowhere/IMG_05", "/nowhere/IMG_0500.jpg"),
      ("/nowhere/IMG_04", "/nowhere/IMG_04"), ("/nowhere/n", "/nowhere/notes.txt"),
    ] {
      let (completer, editor) = typing(typed, reading: { _ in names.shuffled() })
      completer.complete()
      try await whenListed(completer)
      #expect(editor.text == completed)
    }
  }

  @Test func `a folder that takes long to be read does not hold up typing`() async throws {
    let isOpen = DispatchSemaphore(value: 0)
    let reads = Mutex(0)
    let (completer, editor) = typing("/slow/a") { _ in
      reads.withLock { $0 += 1 }
      isOpen.waitUntilDeadline()
      return ["abc"]
    }
    completer.complete()
    try await wait(for: "the read") { reads.withLock { $0 } == 1 }
    #expect(editor.text == "/slow/a")
    // A second Tab shows that the folder is being read, and doesn't read it again.
    completer.complete()
    #expect(completer.isShowing && completer.bar.linearTexts.flatMap(\.lines) == [EntryWords.readingFolder])
    editor.replaceAll(with: "/slow/b")
    editor.tellChanges()
    #expect(!completer.isShowing && !completer.lister.isBusy)
    completer.complete()
    completer.end()
    isOpen.signal()
    editor.replaceAll(with: "/slow/a")
    editor.tellChanges()
    completer.complete()
    isOpen.signal()
    try await whenListed(completer)
    #expect(editor.text == "/slow/abc")
    // The second request was cancelled before its turn.
    #expect(reads.withLock { $0 } == 2)
  }

  @Test func `choices disappear when another field gets the keys`() async throws {
    let (completer, editor) = typing("/nowhere/a") { _ in ["ab", "ac"] }
    completer.complete()
    try await whenListed(completer)
    #expect(completer.isShowing)
    editor.didResignFirstResponder()
    #expect(!completer.isShowing)
  }
}
