import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// All prompts for a line of text have the same keys and fit on narrow screens.
@MainActor
@Suite(.bounded) struct LinePromptTests {
  struct Prompt: Sendable, CustomTestStringConvertible {
    let name: String
    var leavesOnBackspace = true
    let open: @MainActor @Sendable (Screen) -> Void

    var testDescription: String { name }
  }

  private nonisolated static let prompts = [
    Prompt(name: "find") { $0.perform(.find) },
    Prompt(name: "limit") { $0.perform(.limit) },
    Prompt(name: "command") { $0.perform(.command) },
    Prompt(name: "new list") {
      $0.main.show(.records(.lists))
      $0.perform(.recordAdd)
    },
    Prompt(name: "new member") {
      $0.main.show(.qwinkers(.members("5")))
      $0.perform(.recordAdd)
    },
    Prompt(name: "find in the help") {
      $0.perform(.help)
      $0.perform(.find)
    },
    Prompt(name: "recipient", leavesOnBackspace: false) {
      $0.main.router.go(to: .messages)
      $0.perform(.message)
    },
    Prompt(name: "save", leavesOnBackspace: false) {
      $0.main.present(
        FilePrompt(label: "save", hint: "hint", home: nil, lister: $0.account.folderLister(), entered: { _ in }))
    },
  ]

  private func open(_ prompt: Prompt, columns: Int) async throws -> Screen {
    let (screen, _) = try await ScreenTour.start(columns: columns)
    prompt.open(screen)
    await screen.settle()
    try #require(screen.application.window.topSheet is LinePrompt, "\(screen.text)")
    return screen
  }

  @Test(arguments: prompts) func `typed text is visible next to the cursor on a narrow screen`(
    prompt: Prompt
  ) async throws {
    let screen = try await open(prompt, columns: 24)
    await screen.press("l", "e", "e", "k")
    let row = try #require(screen.cursor?.row)
    #expect(screen.lines[row].contains("leek"), "\(screen.text)")
  }

  @Test(arguments: prompts) func `Esc closes the prompt`(prompt: Prompt) async throws {
    let screen = try await open(prompt, columns: 80)
    let sheet = screen.application.window.topSheet
    await screen.press("l", "Esc")
    #expect(screen.application.window.topSheet !== sheet)
  }

  @Test(arguments: prompts) func `Backspace in an empty line closes a prompt that has no path or recipients`(
    prompt: Prompt
  ) async throws {
    let screen = try await open(prompt, columns: 80)
    let sheet = screen.application.window.topSheet
    await screen.press("l", "BS")
    #expect(screen.application.window.topSheet === sheet)
    await screen.press("BS")
    #expect((screen.application.window.topSheet !== sheet) == prompt.leavesOnBackspace)
  }
}
