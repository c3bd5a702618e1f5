import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct ProfileTests {
  private static let load = "GET /api/v1/accounts/verify_credentials"
  private static let save = "PATCH /api/v1/accounts/update_credentials"

  private func bench(rows: Int = 24, columns: Int = 80) async throws -> (Bench, ProfileViewController) {
    let bench = try Bench(rows: rows, columns: columns)
    bench.api.answer(Self.load) { _ in
      .json(WireEncoder.qwinker(.sample("mara", displayName: "Mara"), ownNote: "I grow chard."))
    }
    bench.api.answer(Self.save) { _ in .json(WireEncoder.qwinker(.sample("mara", displayName: "Mara M."))) }
    let behind = ViewController()
    await bench.show(behind)
    let sheet = ProfileViewController(account: bench.account, keymap: bench.keymap)
    sheet.navigator = bench.navigator
    behind.present(sheet)
    await bench.settle()
    return (bench, sheet)
  }

  /// A line of the form: the label, then the text in the column shared by all fields.
  private func line(_ label: String, _ text: String) -> String {
    let columns = ProfileWords.label(.isDiscoverable).count + 2
    return label + String(repeating: " ", count: columns - label.count) + text
  }

  @Test func `the form shows the profile and saves changes`() async throws {
    let (bench, _) = try await bench()
    #expect(bench.text.contains(line(ProfileWords.name, "Mara")))
    #expect(bench.text.contains(line(ProfileWords.note, "I grow chard.")))
    #expect(bench.text.contains(FormWords.counter(ProfileWords.name, 4, limit: 30)))
    await bench.type(" M.")
    await bench.press("Tab")
    await bench.type(" And basil.")
    await bench.press("^D")
    #expect(bench.api.bodies(of: Self.save).count == 1)
    let body = bench.api.bodies(of: Self.save).first ?? ""
    #expect(body.contains("Mara M.") && body.contains("I grow chard. And basil."), "\(body)")
    #expect(bench.application.window.topSheet == nil)
    #expect(bench.account.identity.me?.displayName == "Mara M.")
    #expect(bench.navigator.words == [ProfileWords.saved as String])
  }

  @Test func `typed text stays if it cannot be saved`() async throws {
    let (bench, _) = try await bench()
    bench.api.fail(Self.save, with: .refused(host: ScriptedAPI.host))
    await bench.type("!")
    await bench.press("^D")
    #expect(bench.text.contains(FormWords.notSaved(ScriptedTimeline.unreachable)))
    #expect(bench.text.contains("Mara!"))
    bench.api.fail(Self.save, with: nil)
    await bench.press("^D")
    #expect(bench.application.window.topSheet == nil)
  }

  @Test func `the error is shown whole on a small screen`() async throws {
    let (bench, _) = try await bench(rows: 12, columns: 40)
    bench.api.fail(Self.save, with: .refused(host: ScriptedAPI.host))
    await bench.type("!")
    await bench.press("^D")
    let error = DownloadError.transport(.refused(host: ScriptedAPI.host))
    #expect(bench.unwrapped.contains(FormWords.notSaved(error.sentence)), "\(bench.text)")
  }

  @Test func `Esc closes an unchanged form at once and a changed form only when repeated`() async throws {
    let (bench, _) = try await bench()
    await bench.press("Esc")
    #expect(bench.application.window.topSheet == nil)
    let (changed, _) = try await self.bench()
    await changed.type("x")
    await changed.press("Esc")
    #expect(changed.unwrapped.contains(withKeys(FormWords.unsaved)))
    await changed.press("Esc")
    #expect(changed.application.window.topSheet == nil)
    #expect(changed.api.bodies(of: Self.save).isEmpty)
  }

  @Test func `a profile that failed to load cannot be overwritten`() async throws {
    let (bench, _) = try await bench()
    await bench.press("Esc")
    bench.api.fail(Self.load, with: .refused(host: ScriptedAPI.host))
    let sheet = ProfileViewController(account: bench.account, keymap: bench.keymap)
    bench.application.window.rootViewController?.present(sheet)
    await bench.settle()
    #expect(bench.text.contains(ProfileWords.fetchFailed))
    await bench.type("x")
    #expect(!bench.text.contains(line(ProfileWords.name, "x")))
    bench.api.fail(Self.load, with: nil)
    await bench.press("^D")
    #expect(bench.text.contains(line(ProfileWords.name, "Mara")))
    #expect(bench.api.bodies(of: Self.save).isEmpty)
  }

  @Test func `an unchanged form sends nothing`() async throws {
    let (bench, _) = try await bench()
    #expect(bench.application.window.topSheet is ProfileViewController)
    await bench.press("^D")
    #expect(bench.application.window.topSheet == nil)
    #expect(bench.api.bodies(of: Self.save).isEmpty)
  }

  @Test func `the save key's hint is hidden while saving`() async throws {
    let (bench, _) = try await bench()
    let gate = Gate()
    bench.api.hold(Self.save, by: gate)
    await bench.type("!")
    let save = try Screen.hint(for: .formSave)
    #expect(bench.text.contains(save))
    bench.driver.press("^D")
    await bench.turn()
    #expect(bench.text.contains(FormWords.saving) && !bench.text.contains(save))
    gate.open()
    await bench.settle()
  }

  @Test func `a closed profile is still saved, and u reports that it can't undo the save`() async throws {
    let (bench, _) = try await bench()
    let gate = Gate()
    bench.api.hold(Self.save, by: gate)
    await bench.type(" M.")
    bench.driver.press("^D")
    await bench.turn()
    for _ in 0..<2 where bench.application.window.topSheet != nil {
      bench.driver.press("Esc")
      await bench.turn()
    }
    #expect(bench.application.window.topSheet == nil)
    gate.open()
    await bench.settle()
    #expect(bench.api.bodies(of: Self.save).count == 1)
    #expect(bench.account.undo()?.sentence == "\(ProfileWords.savingProfile) can't be undone.")
    #expect(bench.account.identity.me?.displayName == "Mara M.")
  }

  @Test func `text over the limit is counted but still sent`() async throws {
    let (bench, _) = try await bench()
    await bench.type(String(repeating: "x", count: 40))
    #expect(bench.text.contains(FormWords.counter(ProfileWords.name, 44, limit: 30)))
    await bench.press("^D")
    #expect(bench.api.bodies(of: Self.save).count == 1)
  }
}
