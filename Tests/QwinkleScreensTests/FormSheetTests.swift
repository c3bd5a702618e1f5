import PaneKit
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// All forms have the same keys, and show errors without losing the input.
@MainActor
@Suite(.bounded) struct FormSheetTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    /// The request that saves the form.
    let save: String
    let open: @MainActor @Sendable (Screen) async -> Void

    var testDescription: String { name }
  }

  private nonisolated static let forms = [
    Form(name: "profile", save: "PATCH /api/v1/accounts/update_credentials") { $0.main.perform(.editProfile) },
    Form(name: "filter", save: "POST /api/v2/filters") {
      $0.main.show(.records(.filters))
      $0.perform(.recordAdd)
    },
  ]

  private func open(_ form: Form, columns: Int = 80) async throws -> (Screen, ScriptedTimeline) {
    let (screen, server) = try await ScreenTour.start(columns: columns)
    server.api.answer("GET /api/v1/accounts/verify_credentials") { _ in
      .json(WireEncoder.qwinker(.sample("mara", displayName: "Mara"), ownNote: "I grow chard."))
    }
    server.api.fail(form.save, with: .refused(host: ScriptedAPI.host))
    await form.open(screen)
    await screen.settle()
    try #require(screen.application.window.topSheet is FormSheet, "\(screen.text)")
    return (screen, server)
  }

  private func fill(_ screen: Screen) async {
    screen.type("Leeks")
    await screen.press("Tab")
    screen.type("leek")
    await screen.settle()
  }

  private func isOpen(_ screen: Screen) -> Bool { screen.application.window.topSheet != nil }

  @Test(arguments: forms) func `an error is shown below the fields, which keep their text`(form: Form) async throws {
    let (screen, _) = try await open(form)
    await fill(screen)
    await screen.press("^D")
    #expect(screen.text.contains(FormWords.notSaved(ScriptedTimeline.unreachable)), "\(screen.text)")
    #expect(screen.text.contains("Leeks") && screen.text.contains("leek"))
    // Typing removes the error.
    screen.type("s")
    await screen.settle()
    #expect(!screen.text.contains(FormWords.notSaved("")))
  }

  @Test(arguments: forms) func `an error after the form was closed is shown in the status bar`(
    form: Form
  ) async throws {
    let (screen, server) = try await open(form)
    let gate = Gate()
    server.api.hold(form.save, by: gate)
    await fill(screen)
    screen.strike("^D")
    await screen.turn()
    #expect(screen.text.contains(FormWords.saving), "\(screen.text)")
    screen.strike("Esc", "Esc")
    await screen.turn()
    #expect(!isOpen(screen))
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(FormWords.notSaved("")), "\(screen.status)")
  }

  @Test(arguments: forms) func `Esc closes an unchanged form at once and a changed form only when repeated`(
    form: Form
  ) async throws {
    let (unchanged, _) = try await open(form)
    await unchanged.press("Esc")
    #expect(!isOpen(unchanged))
    let (changed, _) = try await open(form)
    await fill(changed)
    await changed.press("Esc")
    #expect(isOpen(changed) && changed.text.contains(withKeys(FormWords.unsaved)), "\(changed.text)")
    await changed.press("Esc")
    #expect(!isOpen(changed))
  }

  @Test(arguments: forms) func `typed text is visible next to the cursor on a narrow screen`(form: Form) async throws {
    let (screen, _) = try await open(form, columns: 24)
    await fill(screen)
    let row = try #require(screen.cursor?.row)
    #expect(screen.lines[row].contains("leek"), "\(screen.text)")
  }
}
