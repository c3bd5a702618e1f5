import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Typed text is never lost.
@MainActor
@Suite(.bounded) struct DraftTests {
  private func writing(_ text: String, in folder: TemporaryFolder = TemporaryFolder()) async throws -> Screen {
    let screen = try await Screen.settled(ScriptedTimeline([1]), in: folder)
    await screen.press("c")
    screen.type(text)
    return screen
  }

  private func texts(_ screen: Screen) -> [String] { screen.drafts.all.map(\.entry.text) }

  // MARK: Steady typing

  @Test(arguments: [40, 150, 300]) func `a draft is saved often during steady typing`(milliseconds: Int) async throws {
    let screen = try await writing("")
    let text = String((0..<120).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
    var written: [Int] = []
    for (index, character) in text.enumerated() {
      screen.type(String(character))
      await screen.pass(.milliseconds(milliseconds))
      let kept = screen.drafts.load()?.text ?? ""
      #expect(text.hasPrefix(kept))
      written.append(kept.count)
      // Characters that a kill would lose now.
      #expect(index + 1 - kept.count <= 20)
      let secondAgo = max(0, index + 1 - (1000 / milliseconds + 1))
      #expect(kept.count >= secondAgo, "after \(index + 1) characters \(kept.count) are kept")
    }
    // Several characters share one write.
    #expect(Set(written).count < 120, "\(written)")
  }

  @Test func `a paste is saved at once`() async throws {
    let screen = try await writing("")
    screen.paste("a text that came from elsewhere, and nobody types twice")
    await screen.settle()
    #expect(texts(screen) == ["a text that came from elsewhere, and nobody types twice"])
  }

  @Test func `a chat message is saved while it is typed`() async throws {
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    let screen = try await Screen.settled(server)
    await screen.press("3", "Enter")
    for count in 1...60 {
      screen.type("x")
      await screen.pass(.milliseconds(150))
      #expect((screen.drafts.all.first?.entry.text.count ?? 0) >= count - 7)
    }
  }

  @Test func `an entry reopened before its draft is written continues that draft`() async throws {
    let folder = TemporaryFolder()
    let screen = try await writing("Half a thou", in: folder)
    await screen.press("Esc")
    screen.strike("c")
    screen.type("ght")
    await screen.settle()
    #expect(screen.text.contains(" Half a thought"))
    await screen.press("Esc")
    #expect(texts(screen) == ["Half a thought"])
  }

  // MARK: Closing

  @Test func `Esc reports a saved draft only if the entry has text`() async throws {
    let screen = try await writing("Half a thou")
    await screen.press("Esc")
    #expect(screen.status.hasSuffix(EntryWords.draftSaved))
    await screen.pass(.seconds(7))
    await screen.press("c", "^U", "Esc")
    #expect(!screen.status.contains(EntryWords.draftSaved) && texts(screen).isEmpty)
  }

  @Test func `an emptied draft loses its visibility and warning`() async throws {
    let screen = try await writing("For some")
    await screen.press("^T", "^T", "^X", "w")
    screen.type("W")
    await screen.press("Esc", "Esc", "c")
    let followers = EntryWords.name(of: .private)
    #expect(screen.text.contains(followers) && screen.text.contains("For some"))
    await screen.press("^U", "^X", "w", "^U", "Esc", "Esc", "c")
    #expect(screen.text.contains(EntryWords.words(for: .public)) && !screen.text.contains(followers))
  }

  @Test func `a restored draft is announced with the key that discards it`() async throws {
    let screen = try await writing("Half a thou")
    #expect(!screen.text.contains(EntryWords.draftRestored))
    await screen.press("Esc", "c")
    #expect(screen.unwrapped.contains(withKeys(EntryWords.restored(isEdit: false, others: 0))), "\(screen.text)")
    screen.type("ght")
    await screen.turn()
    #expect(!screen.text.contains(EntryWords.draftRestored) && screen.text.contains("Half a thought"))
    await screen.press("^X", "k", "c")
    #expect(!screen.text.contains(EntryWords.draftRestored) && !screen.text.contains("Half a"))
  }

  @Test func `^X k deletes the draft and u restores all of it`() async throws {
    let screen = try await writing("Half a thou")
    await screen.press("^T", "^X", "w")
    screen.type("Weather")
    await screen.press("Esc", "^A")
    await screen.pass(.seconds(1))
    #expect(texts(screen) == ["Half a thou"])
    await screen.press("^X", "k")
    let discarded = withKeys(ActionWords.undoable(EntryWords.draftDiscarded))
    #expect(screen.sheetTitle == nil && screen.status.hasSuffix(discarded))
    #expect(texts(screen).isEmpty)
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains(EntryWords.name(of: .unlisted)))
    #expect(screen.text.contains("Weather"))
    screen.type("Not ")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["Not Half a thou"])
    #expect(screen.server.posted.map(\.visibility) == ["unlisted"])
    #expect(screen.server.posted.map(\.warning) == ["Weather"])
    #expect(texts(screen).isEmpty)
  }

  @Test func `u restores a discarded reply after it undoes later actions`() async throws {
    let screen = try await writing("")
    await screen.press("Esc", "r")
    screen.type("Yes.")
    await screen.press("^X", "k", "f", "u")
    #expect(screen.sheetTitle == nil && screen.status.contains(Reaction.favourite.sentence(isOn: false)))
    await screen.press("u")
    #expect(screen.sheetTitle == EntryWords.title(of: .reply(to: ScriptedTimeline.qwink(1)), me: nil))
    await screen.pass(.seconds(1))
    #expect(texts(screen).count == 1 && texts(screen)[0].hasSuffix("Yes."))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.parent) == ["1"])
  }

  @Test func `^X k only closes an empty entry`() async throws {
    let screen = try await writing("")
    let before = screen.account.outgoing?.exists
    await screen.press("^X", "k")
    #expect(screen.sheetTitle == nil && !screen.status.contains(EntryWords.draftDiscarded))
    await screen.press("u")
    #expect(screen.status.contains(MainWords.nothingToUndo) && screen.account.outgoing?.exists == before)
  }

  @Test func `^X k doesn't discard an entry that is being sent`() async throws {
    let screen = try await writing("On its way")
    let gate = Gate()
    screen.server.holdPosts(by: gate)
    screen.strike("^D", "^X", "k")
    #expect(screen.sheetTitle == EntryWords.newQwink)
    gate.open()
    await screen.settle()
    #expect(screen.server.posted.map(\.text) == ["On its way"])
  }

  // MARK: Two programs

  @Test func `closing an empty entry keeps the draft of another process`() async throws {
    let folder = TemporaryFolder()
    let one = try await writing("of one", in: folder)
    await one.pass(.seconds(1))
    let two = try await writing("", in: folder)
    #expect(two.unwrapped.contains(EntryWords.draftOpenElsewhere))
    #expect(!two.text.contains("of one"))
    await two.press("Esc")
    #expect(texts(one) == ["of one"])
    one.type(" still")
    await one.press("Esc")
    #expect(texts(one) == ["of one still"])
  }

  @Test func `two processes write two drafts and both are restored`() async throws {
    let folder = TemporaryFolder()
    let one = try await writing("of one", in: folder)
    await one.pass(.seconds(1))
    let two = try await writing("of two", in: folder)
    await two.pass(.seconds(1))
    #expect(Set(texts(one)) == ["of one", "of two"])
    await one.press("Esc")
    one.advance(by: .seconds(5))
    await two.press("Esc")
    // The next entry opens one draft. Once that draft is posted, the following entry opens the other.
    await two.press("c")
    #expect(two.unwrapped.contains(withKeys(EntryWords.restored(isEdit: false, others: 1))))
    await two.press("^D", "c")
    await two.press("^D")
    #expect(Set(two.server.posted.map(\.text)) == ["of one", "of two"])
    #expect(texts(two).isEmpty)
  }

  @Test func `two processes write in one chat and both drafts are saved`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline()
    Talk.begin(on: server)
    let one = try await Screen.settled(server, in: folder)
    await one.press("3", "Enter")
    one.type("of one")
    await one.pass(.seconds(1))
    let two = try await Screen.settled(server, in: folder)
    await two.press("3", "Enter")
    #expect(!two.text.contains("› of one"))
    #expect(two.status.contains(EntryWords.draftOpenElsewhere))
    two.type("of two")
    await two.pass(.seconds(1))
    #expect(Set(texts(one)) == ["of one", "of two"])
    // Emptying one draft doesn't change the other.
    await two.press("^U", "Esc", "Esc")
    #expect(texts(one) == ["of one"])
    await one.press("Esc", "Esc")
    await two.press("Enter")
    #expect(two.text.contains("› of one"))
  }

  @Test func `a draft that a killed process had open is restored`() async throws {
    let folder = TemporaryFolder()
    let one = try await writing("half a thought", in: folder)
    await one.pass(.seconds(1))
    one.kill()
    let two = try await writing("", in: folder)
    #expect(two.text.contains("half a thought"))
  }

  // MARK: A full disk

  @Test func `Esc on a full disk reports the failure and c restores the text`() async throws {
    let screen = try await writing("Half a thou")
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("Esc")
    #expect(screen.status.contains(EntryWords.draftNotSaved))
    #expect(screen.status.contains(withKeys(EntryWords.wayBack(to: "new"))))
    await screen.press("c")
    #expect(screen.text.contains("Half a thou"))
    screen.type("ght")
    await screen.pass(.seconds(1))
    let close = try Screen.hint(for: .entryLeave)
    #expect(screen.text.contains(EntryWords.draftNotSaved))
    #expect(screen.text.contains("Esc \(EntryWords.closeUnsaved)"))
    #expect(!screen.text.contains(close))
    screen.account.outgoing?.setReadOnly(false)
    screen.type("!")
    await screen.pass(.seconds(1))
    #expect(!screen.text.contains(EntryWords.draftNotSaved) && screen.text.contains(close))
    #expect(texts(screen) == ["Half a thought!"])
  }

  @Test func `quitting asks first if a draft could not be saved`() async throws {
    let screen = try await writing("Half a thou")
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("Esc", "q")
    let question = MainWords.quitQuestion(hasUnsaved: true, inProgress: "", held: "")
    #expect(screen.unwrapped.contains(question))
    await screen.press("n")
    #expect(screen.exitStatus == nil)
    screen.account.outgoing?.setReadOnly(false)
    screen.account.outgoing?.flush()
    await screen.settle()
    await screen.press("q")
    #expect(screen.text.contains(MainWords.quitQwinkle))
    #expect(texts(screen) == ["Half a thou"])
  }

  @Test func `an unwritable folder doesn't prevent writing and posting`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.folder.makeUnwritable()
    await screen.press("c")
    screen.type("All the same")
    await screen.pass(.seconds(1))
    #expect(screen.text.contains(EntryWords.draftNotSaved))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["All the same"])
  }
}
