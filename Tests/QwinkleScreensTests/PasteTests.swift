import PaneKit
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct PasteTests {
  private func writing() async throws -> Screen {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike("c")
    return screen
  }

  @Test func `a large paste asks for confirmation and y pastes it`() async throws {
    let screen = try await writing()
    screen.paste(String(repeating: "a", count: 12_345))
    let question = PasteWords.question(PasteSize(characters: 12_345, lines: 1))
    #expect(screen.text.contains(question) && !screen.text.contains("aaa"))
    screen.strike("y")
    #expect(!screen.text.contains(question) && screen.text.contains("aaa"))
  }

  @Test(arguments: ["n", "Esc", "x"]) func `any other key discards the paste`(key: String) async throws {
    let screen = try await writing()
    screen.type("kept")
    screen.paste(String(repeating: "a", count: 2001))
    screen.strike(key)
    #expect(!screen.text.contains("aaa") && screen.text.contains("kept"))
    #expect(screen.sheetTitle == EntryWords.newQwink)
  }

  @Test func `a paste of many lines asks too and ignores further pastes`() async throws {
    let screen = try await writing()
    screen.paste(String(repeating: "line\n", count: 41))
    let question = PasteWords.question(PasteSize(characters: 205, lines: 41))
    #expect(screen.text.contains(question))
    screen.paste("y")
    #expect(screen.text.contains(question) && !screen.text.contains("line\n"))
  }

  @Test func `a smaller paste does not ask`() async throws {
    let screen = try await writing()
    screen.paste(String(repeating: "a", count: 2000))
    #expect(screen.text.contains("aaa"))
  }

  @Test func `the command line asks too and joins the pasted lines`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike(":")
    screen.paste(String(repeating: "word\n", count: 50))
    #expect(screen.text.contains(PasteWords.question(PasteSize(characters: 250, lines: 50))))
    screen.strike("y")
    #expect(screen.text.contains("word word"))
  }

  @Test func `text too long for a command, search or qwink is rejected but not deleted`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    for (keys, enter, words) in [
      ([":"], "Enter", PromptWords.tooLong), (["6", "/"], "Enter", SearchWords.tooLong),
      (["c"], "^D", EntryProblem.farTooLong.sentence),
    ] {
      for key in keys { await screen.press(key) }
      screen.paste(String(repeating: "aaaa 🦊 ", count: 25_000))
      screen.strike("y", enter)
      await screen.settle()
      #expect(screen.text.contains(words) && screen.text.contains("aaaa"), "\(screen.text)")
      if keys == ["c"] { #expect(screen.text.contains(" \(EntryWords.tooLong)\n"), "the counter says so too") }
      await screen.press("Esc")
    }
  }
}
