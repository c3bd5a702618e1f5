import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct SeveralAccountsTests {
  private func settled() async throws -> SeveralAccounts {
    let program = try SeveralAccounts()
    await program.settle()
    return program
  }

  @Test func `A lists the accounts and Enter shows the selected one`() async throws {
    let program = try await settled()
    defer { program.close() }
    await program.press("A")
    #expect(program.driver.text.contains("mara@first.example  \(AccountWords.shown)"))
    await program.press("Enter")
    #expect(program.shownName == "nils@second.example")
    #expect(!program.driver.text.contains(AccountWords.title))
    #expect(program.driver.text.contains("nils@second.example"))
  }

  @Test func `the account list and the prompt's completion use an account's own domain`() async throws {
    let program = try await settled()
    defer { program.close() }
    program.servers.domains = ["nils@second.example": "own.example"]
    await program.press("A")
    #expect(program.driver.text.contains("nils@own.example"), "\(program.driver.text)")
    #expect(!program.driver.text.contains("nils@second.example"), "\(program.driver.text)")
    await program.press("Esc", ":")
    program.driver.type("account ni")
    await program.press("Tab")
    #expect(program.driver.text.contains(":account nils@own.example"), "\(program.driver.text)")
    await program.press("Enter")
    #expect(program.shownName == "nils@second.example")
  }

  @Test func `each account keeps its section and is opened only once`() async throws {
    let program = try await settled()
    defer { program.close() }
    await program.press("5", "A", "Enter")
    #expect(program.shownName == "nils@second.example")
    await program.press("2", "A", "Enter")
    #expect(program.shownName == "mara@first.example")
    #expect(program.driver.text.contains(TimelineWords.noBookmarks))
    await program.press("A", "Enter")
    #expect(program.shownName == "nils@second.example")
    #expect(program.servers.sessions == 2)
  }

  @Test func `unread items of another account are counted and its messages can be opened`() async throws {
    let program = try await settled()
    defer { program.close() }
    await program.pass(.seconds(10))
    _ = try await program.servers.other(on: 1, .message("@nils are you there?"))
    await program.pass(.seconds(70))
    #expect(program.driver.text.contains(AccountWords.elsewhere(1)))
    await program.press("A")
    #expect(program.driver.text.contains("nils@second.example  \(AccountWords.unread(1))"))
    await program.press("Enter", "3")
    #expect(program.driver.text.contains("are you there?"))
    #expect(!program.driver.text.contains(AccountWords.elsewhere(1)))
  }

  @Test func `an account that fails to open shows its error and the current one stays`() async throws {
    let program = try await settled()
    defer { program.close() }
    program.servers.broken = ["nils@second.example"]
    await program.press("A", "Enter")
    #expect(program.shownName == "mara@first.example")
    #expect(program.driver.text.contains("The token of nils@second.example is missing."))
    await program.press("A")
    #expect(program.driver.text.contains(StartWords.notOpened))
    program.servers.broken = []
    await program.press("Enter")
    #expect(program.shownName == "nils@second.example")
  }

  @Test func `c signs in to another account and shows it`() async throws {
    let program = try await settled()
    defer { program.close() }
    let steps = ScriptedSignIn()
    program.servers.signIn = steps
    await program.press("A", "c")
    #expect(program.driver.text.contains(AccountWords.signIn))
    await program.press("Enter")
    #expect(program.driver.text.contains(AccountWords.noServer))
    program.driver.type("second.example")
    await program.press("Enter")
    try await program.wait(for: "the page") { program.driver.text.contains("https://second.example/authorize") }
    program.driver.type("wrong")
    await program.press("Enter")
    try await program.wait(for: "the refusal") { program.driver.text.contains("Not a code that the server gave.") }
    await program.press("^U")
    program.driver.type("right")
    await program.press("Enter")
    try await program.wait(for: "the account") { program.shownName == "nils@second.example" }
    let signedIn = StartWords.signedIn("nils@second.example")
    #expect(program.driver.text.contains("\(signedIn). The previous token was not revoked."))
    #expect(steps.servers == ["second.example"])
  }

  @Test func `a warning about the server is shown before the sign-in`() async throws {
    let program = try await settled()
    defer { program.close() }
    let steps = ScriptedSignIn()
    steps.warning = "Warning: http sends your token unencrypted."
    program.servers.signIn = steps
    await program.press("S")
    program.driver.type("http://second.example")
    await program.press("Enter")
    try await program.wait(for: "the page") { program.driver.text.contains("/authorize") }
    #expect(program.driver.text.contains("Warning: http sends your token unencrypted."))
    #expect(program.unwrapped.contains(AccountWords.aboutCode), "\(program.driver.text)")
  }

  @Test func `an expired token asks the user to sign in again and no data is lost`() async throws {
    let program = try await settled()
    defer { program.close() }
    for number in 1...3 { _ = try await program.servers.other(on: 0, .post("Qwink \(number)")) }
    await program.press("R", "j", "c")
    program.driver.type("A thought")
    await program.press("Esc")
    let steps = ScriptedSignIn(name: "mara@first.example")
    program.servers.signIn = steps
    program.servers.revoke(0)
    await program.press("R")
    let expired = DownloadError.signInExpired(host: "server-0.example", server: "").summary
    #expect(program.driver.text.contains("\(expired) \(StatusWords.signsIn("S"))"))
    #expect(program.driver.text.contains("○ \(StatusWords.signInAgain)"))
    // The favourite is queued in the outbox.
    await program.press("f")
    #expect(try await !program.servers.rowsOfOther(.public, on: 0).contains { $0.favouritesCount > 0 })
    _ = try await program.servers.other(on: 0, .post("Written meanwhile"))

    await program.press("S")
    #expect(program.driver.text.contains("https://server-0.example"))
    await program.press("Enter")
    try await program.wait(for: "the page") { program.driver.text.contains("/authorize") }
    program.driver.type("right")
    await program.press("Enter")
    await program.settle()
    #expect(program.driver.text.contains(StartWords.signedIn("mara@first.example")))
    #expect(!program.driver.text.contains(StatusWords.signInAgain))
    #expect(steps.servers == ["https://server-0.example"])
    // The position, the queued favourite, new qwinks and the draft.
    #expect(program.driver.text.contains("Qwink 2") && program.driver.text.contains("1 Public •1"))
    #expect(try await program.servers.rowsOfOther(.public, on: 0).contains { $0.favouritesCount == 1 })
    await program.press("c")
    #expect(program.driver.text.contains("A thought"))
  }

  @Test func `the app stays usable while a command fetches the token`() async throws {
    let program = try await settled()
    defer { program.close() }
    for number in 1...3 { _ = try await program.servers.other(on: 0, .post("Qwink \(number)")) }
    await program.press("R")
    program.servers.asking = ["nils@second.example"]
    program.driver.press("A", "Enter")
    try await program.wait(for: "the command") { program.servers.runsOnTerminal == [false] }
    program.driver.press("5")
    try await program.wait(for: "the section") { program.driver.text.contains(TimelineWords.noBookmarks) }
    #expect(program.shownName == "mara@first.example" && !program.driver.calls.contains("suspend"))
    program.servers.command.open()
    try await program.wait(for: "the account") { program.shownName == "nils@second.example" }
    #expect(program.servers.runsOnTerminal == [false])
  }

  @Test func `^C cancels opening an account`() async throws {
    let program = try await settled()
    defer { program.close() }
    program.servers.asking = ["nils@second.example"]
    program.driver.press("A", "Enter")
    try await program.wait(for: "the words") { program.driver.text.contains(StartWords.gettingToken) }
    program.driver.press("^C")
    program.servers.command.open()
    await program.settle()
    #expect(program.shownName == "mara@first.example")
    program.servers.asking = []
    await program.press("A", "Enter")
    #expect(program.shownName == "nils@second.example")
  }

  @Test func `a sheet opened while an account is being opened stays`() async throws {
    let program = try await settled()
    defer { program.close() }
    program.servers.asking = ["nils@second.example"]
    program.driver.press("A", "Enter")
    try await program.wait(for: "the command") { program.servers.runsOnTerminal == [false] }
    program.driver.press("c")
    program.driver.type("A thought")
    program.servers.command.open()
    await program.settle()
    #expect(program.shownName == "mara@first.example" && program.driver.text.contains("A thought"))
    await program.press("Esc", "A", "Enter")
    #expect(program.shownName == "nils@second.example" && program.servers.sessions == 2)
  }

  @Test func `a command that needs input gets the terminal and returns it`() async throws {
    let program = try await settled()
    defer { program.close() }
    program.servers.asking = ["nils@second.example"]
    program.servers.needsTerminal = true
    program.servers.command.open()
    await program.press("A", "Enter")
    #expect(program.servers.runsOnTerminal == [false, true])
    #expect(Array(program.driver.calls.suffix(2)) == ["suspend", "resume"])
    #expect(program.shownName == "nils@second.example")
  }

  @Test func `keys affect only the visible account`() async throws {
    let program = try await settled()
    defer { program.close() }
    for index in 0...1 { _ = try await program.servers.other(on: index, .post("Qwink of server \(index)")) }
    await program.press("R", "f", "A", "Enter", "R", "b", "A", "Enter")
    let first = try await program.servers.serverRows(.public, on: 0)
    let second = try await program.servers.serverRows(.public, on: 1)
    #expect(first.contains { $0.isFavourite && !$0.isBoosted })
    #expect(second.contains { $0.isBoosted })
    #expect(!second.contains { $0.original.isFavourite })
  }
}

extension Request<Qwink> {
  static func post(_ text: String) -> Request {
    .post(Entry(text: text, idempotencyKey: text))
  }

  static func message(_ text: String) -> Request {
    .post(Entry(text: text, visibility: .direct, idempotencyKey: text))
  }
}

/// A sign-in that accepts one code.
@MainActor
private final class ScriptedSignIn: SignInSteps {
  private(set) var servers: [String] = []
  var warning: String?
  private let name: String

  init(name: String = "nils@second.example") {
    self.name = name
  }

  func begin(at server: String) async throws(SignInTrouble) -> SignInPage {
    servers.append(server)
    return SignInPage(address: "https://\(server)/authorize", isOpen: false, warning: warning)
  }

  func redirected() async -> String? { nil }

  func finish(code: String) async throws(SignInTrouble) -> SignedInAccount {
    guard code.hasSuffix("right") else { throw SignInTrouble("Not a code that the server gave.", isAboutCode: true) }
    return SignedInAccount(
      name: name, remark: name.hasPrefix("nils") ? "The previous token was not revoked." : nil)
  }

  func end() {}
}
