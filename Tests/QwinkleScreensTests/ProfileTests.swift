import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(60))) struct ProfileTests {
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

  @Test func `what I say of myself is there to be changed, and is sent`() async throws {
    let (bench, _) = try await bench()
    #expect(bench.text.contains("Name   Mara"))
    #expect(bench.text.contains("About  I grow chard."))
    #expect(bench.text.contains("name 4 / 30"))
    await bench.type(" M.")
    await bench.press("Tab")
    await bench.type(" And basil.")
    await bench.press("^D")
    #expect(bench.api.bodies(of: Self.save).count == 1)
    let body = bench.api.bodies(of: Self.save).first ?? ""
    #expect(body.contains("Mara M.") && body.contains("I grow chard. And basil."), "\(body)")
    #expect(bench.application.window.topSheet == nil)
    #expect(bench.account.identity.me?.displayName == "Mara M.")
    #expect(bench.navigator.words == ["Profile saved"])
  }

  @Test func `what was typed stays when it cannot be saved`() async throws {
    let (bench, _) = try await bench()
    bench.api.fail(Self.save, with: .refused(host: ScriptedAPI.host))
    await bench.type("!")
    await bench.press("^D")
    #expect(bench.text.contains("Not saved. tilde.example cannot be reached."))
    #expect(bench.text.contains("Mara!"))
    bench.api.fail(Self.save, with: nil)
    await bench.press("^D")
    #expect(bench.application.window.topSheet == nil)
  }

  @Test func `why it was not saved is told whole on a small screen too`() async throws {
    let (bench, _) = try await bench(rows: 12, columns: 40)
    bench.api.fail(Self.save, with: .refused(host: ScriptedAPI.host))
    await bench.type("!")
    await bench.press("^D")
    let words = bench.lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(words.contains("Not saved. tilde.example cannot be reached."))
    #expect(words.contains("Check the address, or try again later."))
  }

  @Test func `Esc leaves at once what is as it was, and asks twice for what is not`() async throws {
    let (bench, _) = try await bench()
    await bench.press("Esc")
    #expect(bench.application.window.topSheet == nil)
    let (changed, _) = try await self.bench()
    await changed.type("x")
    await changed.press("Esc")
    #expect(changed.text.contains("Unsaved changes"))
    await changed.press("Esc")
    #expect(changed.application.window.topSheet == nil)
    #expect(changed.api.bodies(of: Self.save).isEmpty)
  }

  @Test func `what has not come cannot be written over`() async throws {
    let (bench, _) = try await bench()
    await bench.press("Esc")
    bench.api.fail(Self.load, with: .refused(host: ScriptedAPI.host))
    let sheet = ProfileViewController(account: bench.account, keymap: bench.keymap)
    bench.application.window.rootViewController?.present(sheet)
    await bench.settle()
    #expect(bench.text.contains("Your profile could not be fetched."))
    await bench.type("x")
    #expect(!bench.text.contains("Name   x"))
    bench.api.fail(Self.load, with: nil)
    await bench.press("^D")
    #expect(bench.text.contains("Name   Mara"))
    #expect(bench.api.bodies(of: Self.save).isEmpty)
  }

  @Test func `nothing changed sends nothing`() async throws {
    let (bench, _) = try await bench()
    await bench.press("^D")
    #expect(bench.application.window.topSheet == nil)
    #expect(bench.api.bodies(of: Self.save).isEmpty)
  }

  @Test func `while it is being saved no key is named that does nothing then`() async throws {
    let (bench, _) = try await bench()
    let gate = Gate()
    bench.api.hold(Self.save, by: gate)
    await bench.type("!")
    #expect(bench.text.contains("^D save"))
    bench.driver.press("^D")
    await bench.turn()
    #expect(bench.text.contains("Saving…") && !bench.text.contains("^D save"))
    gate.open()
    await bench.settle()
  }

  @Test func `too much is counted, and left to the server to judge`() async throws {
    let (bench, _) = try await bench()
    await bench.type(String(repeating: "x", count: 40))
    #expect(bench.text.contains("name 44 / 30"))
    await bench.press("^D")
    #expect(bench.api.bodies(of: Self.save).count == 1)
  }
}
