import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Every entry is saved with all its fields while the user types.
@MainActor
@Suite(.bounded) struct DraftSavingTests {
  enum Kind: CaseIterable {
    case new, reply, edit, direct, chat
  }

  /// A kill may lose at most this many keystrokes, and none older than a second.
  private static let maximumLoss = 20

  private func open(_ kind: Kind, in folder: TemporaryFolder = TemporaryFolder()) async throws -> Screen {
    let server = ScriptedTimeline([1])
    if kind == .chat { Talk.begin(on: server) }
    let screen = try await Screen.settled(server, in: folder)
    try await reopen(kind, in: screen)
    return screen
  }

  private func reopen(_ kind: Kind, in screen: Screen) async throws {
    switch kind {
    case .new: try screen.write(.new)
    case .reply: try screen.write(.reply(to: ScriptedTimeline.qwink(1)))
    case .edit:
      // An edit with a saved draft needs no text from the server.
      let own = Qwink.sample(id: "80", text: "At ten.", author: .sample("mara"), at: ScriptedTimeline.start)
      if screen.drafts.keys.isEmpty {
        screen.drafts.save(Entry(text: "At ten. ", idempotencyKey: "edit"), for: .edit(own))
      }
      try screen.write(.edit(own))
    case .direct: try screen.write(.message(to: .sample("erin")))
    case .chat: await screen.press("3", "Enter")
    }
    await screen.settle()
  }

  private func saved(_ screen: Screen) -> OutgoingEntry? { screen.drafts.all.last }

  @Test(arguments: Kind.allCases, [20, 90, 400, 1100])
  func `a kill loses at most one second and 20 keystrokes`(kind: Kind, milliseconds: Int) async throws {
    let screen = try await open(kind)
    let start = saved(screen)?.entry.text ?? ""
    for count in 1...60 {
      screen.type("x")
      await screen.pass(.milliseconds(milliseconds))
      let written = (saved(screen)?.entry.text ?? "").count { $0 == "x" } - start.count { $0 == "x" }
      #expect(count - written <= Self.maximumLoss)
      #expect(written >= count - (1000 / milliseconds + 1), "\(kind): \(written) of \(count)")
    }
  }

  @Test(arguments: Kind.allCases) func `fast keystrokes are saved before any time passes`(kind: Kind) async throws {
    let screen = try await open(kind)
    for _ in 1...50 {
      screen.type("x")
      await screen.settle()
    }
    #expect((saved(screen)?.entry.text ?? "").count { $0 == "x" } >= 50 - Self.maximumLoss)
  }

  @Test(arguments: Kind.allCases) func `a paste is saved at once`(kind: Kind) async throws {
    let screen = try await open(kind)
    screen.paste("a text that came from elsewhere")
    await screen.settle()
    #expect(saved(screen)?.entry.text.hasSuffix("a text that came from elsewhere") == true)
  }

  @Test func `deletions count as keystrokes and are saved`() async throws {
    let screen = try await open(.new)
    screen.paste("a text that came from elsewhere")
    await screen.settle()
    for _ in 1...20 {
      await screen.press("BS")
    }
    #expect((saved(screen)?.entry.text.count ?? 99) <= 31 - 20 + Self.maximumLoss)
    await screen.pass(.seconds(1))
    #expect(saved(screen)?.entry.text == "a text that")
  }

  @Test func `a draft restores its target, visibility, warning, language and cursor`() async throws {
    let folder = TemporaryFolder()
    let screen = try await open(.reply, in: folder)
    screen.type("Yes indeed")
    await screen.press("^T", "^X", "w")
    screen.type("Weather")
    await screen.press("Enter", "^X", "l")
    screen.type("en")
    await screen.press("Enter", "^A", "^F")
    screen.type("!")
    await screen.pass(.seconds(1))
    screen.kill()
    let entry = try #require(saved(screen))
    #expect(entry.purpose == "reply/1" && EntryPurpose(of: entry) == .reply(to: ScriptedTimeline.qwink(1)))
    #expect(entry.entry.inReplyTo == "1" && entry.entry.visibility == .unlisted)
    #expect(entry.entry.contentWarning == "Weather" && entry.entry.language == "en")
    #expect(entry.entry.text == "@!bob Yes indeed" && entry.cursor == 2)

    let second = try await open(.reply, in: folder)
    #expect(second.text.contains(EntryWords.name(of: .unlisted)) && second.text.contains("Weather"))
    second.type("?")
    await second.press("^D")
    #expect(second.server.posted.map(\.text) == ["@!?bob Yes indeed"])
    #expect(second.server.posted.map(\.visibility) == ["unlisted"])
  }

  @Test func `an entry with only a warning is saved`() async throws {
    let screen = try await open(.new)
    await screen.press("^X", "w")
    screen.type("Weather")
    await screen.pass(.seconds(1))
    #expect(saved(screen)?.entry.contentWarning == "Weather")
    screen.type(" and more of it, and more")
    await screen.settle()
    #expect((saved(screen)?.entry.contentWarning.count ?? 0) >= 32 - Self.maximumLoss)
  }

  // MARK: Several

  @Test func `^X n starts another draft and both drafts are restored`() async throws {
    let folder = TemporaryFolder()
    let screen = try await open(.new, in: folder)
    screen.type("The first")
    await screen.press("^T", "^X", "n")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains(EntryWords.anotherBegun))
    #expect(!screen.text.contains("The first") && screen.text.contains(EntryWords.words(for: .public)))
    await screen.press("^X", "n")
    screen.advance(by: .seconds(5))
    screen.type("The second")
    await screen.press("Esc")
    #expect(Set(screen.drafts.all.map(\.entry.text)) == ["The first", "The second"])
    await screen.press("c")
    #expect(screen.text.contains("The second"))
    #expect(screen.unwrapped.contains(withKeys(EntryWords.restored(isEdit: false, others: 1))))
    await screen.press("^D", "c")
    #expect(screen.text.contains("The first") && screen.text.contains(EntryWords.name(of: .unlisted)))
  }

  @Test func `^X n does nothing in an edit`() async throws {
    let screen = try await open(.edit)
    screen.type("more")
    await screen.press("^X", "n")
    #expect(screen.text.contains("At ten. more") && screen.drafts.all.count == 1)
  }

  // MARK: Chats

  @Test func `^X k discards the text of a chat and u restores it with its cursor`() async throws {
    let screen = try await open(.chat)
    screen.type("Yes at ten")
    await screen.press("M-b")
    await screen.pass(.seconds(1))
    #expect(screen.drafts.all.count == 1)
    await screen.press("^X", "k")
    #expect(screen.drafts.all.isEmpty && !screen.text.contains("Yes at ten"))
    #expect(screen.status.contains(withKeys(ActionWords.undoable(EntryWords.draftDiscarded))))
    await screen.press("u")
    #expect(screen.text.contains("› Yes at ten"))
    screen.type("half past ")
    await screen.pass(.seconds(1))
    #expect(screen.drafts.all.map(\.entry.text) == ["Yes at half past ten"])
  }

  @Test func `u reopens a closed chat with its discarded text`() async throws {
    let screen = try await open(.chat)
    screen.type("Yes at ten")
    await screen.press("^X", "k", "Esc", "2", "u")
    await screen.settle()
    #expect(screen.text.contains("› Yes at ten"), "\(screen.text)")
    #expect(screen.drafts.all.map(\.entry.text) == ["Yes at ten"])
  }

  @Test func `^X k in an empty chat deletes nothing`() async throws {
    let screen = try await open(.chat)
    await screen.press("^X", "k")
    #expect(!screen.status.contains(EntryWords.draftDiscarded))
    await screen.press("u")
    #expect(screen.status.contains(MainWords.nothingToUndo))
  }
}
