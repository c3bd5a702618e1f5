import Dispatch
import PaneKit
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Completing paths in folders of any size and speed.
@MainActor
@Suite(.bounded) struct PathCompleterTests {
  private let reads = FolderLister.Reads()

  /// A completer with a typed path, in a folder with these names.
  private func typing(_ typed: String, reading read: @escaping @Sendable (String) -> [String]) -> (
    PathCompleter, TextEditor
  ) {
    let editor = TextEditor(isSingleLine: true)
    editor.text = typed
    return (PathCompleter(editor: editor, lister: FolderLister(begin: nil, reads: reads, reading: read)), editor)
  }

  private func whenListed(_ completer: PathCompleter) async throws {
    try await wait(for: "the folder", showing: { "" }, until: { !completer.lister.isBusy })
  }

  /// The visible message of a completer, or an empty string.
  private func message(of completer: PathCompleter) -> String {
    completer.isShowing ? completer.bar.linearTexts.flatMap(\.lines).joined() : ""
  }

  @Test func `a folder that doesn't answer blocks neither other folders nor the program's threads`() async throws {
    let isOpen = DispatchSemaphore(value: 0)
    defer { for _ in 1...FolderLister.Reads.most { isOpen.signal() } }
    let (completer, editor) = typing("/fine/a") { path in
      if path.hasPrefix("/dead") { isOpen.waitUntilDeadline() }
      return ["abc"]
    }
    func complete(_ path: String) {
      editor.replaceAll(with: path)
      editor.tellChanges()
      completer.complete()
    }
    for number in 1..<FolderLister.Reads.most {
      complete("/dead\(number)/a")
      #expect(message(of: completer).isEmpty)
      // Repeated requests read the folder only once.
      complete("/dead\(number)/ab")
      #expect(message(of: completer) == EntryWords.readingFolder)
    }
    complete("/fine/a")
    try await whenListed(completer)
    #expect(editor.text == "/fine/abc")
    complete("/dead/a")
    complete("/fine/a")
    #expect(message(of: completer) == EntryWords.foldersDoNotAnswer)
    for _ in 1...FolderLister.Reads.most { isOpen.signal() }
    try await wait(for: "the reads", until: { reads.paths.isEmpty })
    complete("/fine/a")
    try await whenListed(completer)
    #expect(editor.text == "/fine/abc")
  }

  @Test func `only the first of very many names are checked for folders`() async throws {
    let checks = Mutex(0)
    let names = (1...20_000).map { "file\($0 + 100_000)" }
    let lister = FolderLister(
      begin: nil,
      reads: reads, reading: { _ in names },
      isFolder: { _ in
        checks.withLock { $0 += 1 }
        return true
      })
    let refusal = lister.list("/many/", startingWith: "file", home: nil) { [names] in
      #expect($0.count == names.count && $0.first == "file100001/" && $0.last == "file120000")
    }
    #expect(refusal == nil)
    try await wait(for: "the names", until: { !lister.isBusy })
    #expect(checks.withLock { $0 } == 1000)
  }

  @Test func `completion inserts the longest common prefix of all names`() async throws {
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

  @Test func `a slow folder does not block typing`() async throws {
    let isOpen = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    let (completer, editor) = typing("/slow/a") { _ in
      count.withLock { $0 += 1 }
      isOpen.waitUntilDeadline()
      return ["abc"]
    }
    completer.complete()
    try await wait(for: "the read") { count.withLock { $0 } == 1 }
    #expect(editor.text == "/slow/a")
    // A second Tab shows that the folder is being read, and doesn't read it again.
    completer.complete()
    #expect(message(of: completer) == EntryWords.readingFolder)
    editor.replaceAll(with: "/slow/b")
    editor.tellChanges()
    #expect(!completer.isShowing && !completer.lister.isBusy)
    completer.complete()
    #expect(message(of: completer) == EntryWords.readingFolder)
    completer.end()
    isOpen.signal()
    try await wait(for: "the first read's end", until: { reads.paths.isEmpty })
    #expect(editor.text == "/slow/b")
    editor.replaceAll(with: "/slow/a")
    editor.tellChanges()
    completer.complete()
    isOpen.signal()
    try await whenListed(completer)
    #expect(editor.text == "/slow/abc")
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `a Tab during a cancelled read of the same folder completes when the read ends`() async throws {
    let isOpen = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    let (completer, editor) = typing("/slow/a") { _ in
      count.withLock { $0 += 1 }
      isOpen.waitUntilDeadline()
      return ["abc", "bcd"]
    }
    completer.complete()
    for typed in ["/slow/", "/slow/b"] {
      editor.replaceAll(with: typed)
      editor.tellChanges()
      completer.complete()
      #expect(message(of: completer) == EntryWords.readingFolder)
    }
    for _ in 1...2 { isOpen.signal() }
    try await whenListed(completer)
    // Only the last Tab counts, and its message has disappeared.
    #expect(editor.text == "/slow/bcd" && !completer.isShowing)
    try await wait(for: "the reads", until: { reads.paths.isEmpty })
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `choices disappear when another field gets the focus`() async throws {
    let (completer, editor) = typing("/nowhere/a") { _ in ["ab", "ac"] }
    completer.complete()
    try await whenListed(completer)
    #expect(completer.isShowing)
    editor.didResignFirstResponder()
    #expect(!completer.isShowing)
  }
}
