import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Accounts whose domain differs from the host of their server.
@Suite(.bounded) struct AccountDomainTests {
  private let double = SignInDouble()

  private func withServer(_ body: (Program, ScriptedServer) async throws -> Void) async throws {
    let instance = Array(#"{"domain":"tilde.example","title":"Tilde","version":"4.3.0"}"#.utf8)
    let script = double.script()
    try await QwinkleAppTests.withServer({ request in
      request.path.hasPrefix("/api/v2/instance") ? .json(instance) : script(request)
    }) { server in
      try await Program.inNewHome { try await body($0, server) }
    }
  }

  /// Returns the account's displayed name after its server has reported the domain.
  @MainActor
  private static func words(of name: String, after domain: String, in home: String) -> String {
    let accounts = BookAccounts(
      paths: Paths(environment: ["HOME": home]), clock: VirtualClock(), ledger: ActivityLedger())
    accounts.setDomain(domain, of: name)
    return accounts.words(of: name)
  }

  @Test func `all commands name an account by its domain`() async throws {
    try await withServer { program, server in
      let token = double.makeToken(for: "anna")
      let address = "HTTP://LOCALHOST.:\(server.port)/"
      let login = try await program.run("login", address, "--token-stdin", input: token)
      #expect(login.text.contains("(anna@tilde.example)"), "\(login.text)\(login.errors)")
      let host = "anna@localhost:\(server.port)"
      #expect(try await program.run("accounts").text.hasPrefix("* anna@tilde.example  http://localhost:"))
      let json = try await program.run("accounts", "--json").text
      #expect(json.contains(#""name":"anna@tilde.example""#), "\(json)")
      #expect(try await program.run("whoami").text == "anna@tilde.example\n")
      let words = ["---completion", "follow", "--", "--as", "2", "0", "qwinkle", "--as", ""]
      #expect(try await program.run(words).text == "anna@tilde.example\nlocal\n")
      // The host still names the account, and the account's files.
      for name in ["anna@tilde.example", host, "anna"] {
        let whoami = try await program.run("whoami", "--as", name)
        #expect(whoami.text == "anna@tilde.example\n", "\(name): \(whoami.errors)")
      }
      #expect(program.files().contains { $0.path.hasSuffix("/\(host).token") })
      #expect(try await program.run("logout").text.hasPrefix("Signed out of anna@tilde.example."))
    }
  }

  @Test func `accounts saved by earlier versions still work and adopt their domain`() async throws {
    try await withServer { program, server in
      let token = double.makeToken(for: "anna")
      _ = try await program.run("login", server.url, "--token-stdin", input: token)
      let name = "anna@\(server.host)"
      let old = #"{"version":1,"default":"\#(name)","accounts":[{"name":"\#(name)","server":"\#(server.url)"}]}"#
      try program.write(old.utf8, to: Program.accounts)
      #expect(try await program.run("accounts").text.hasPrefix("* \(name) "))
      #expect(try await program.run("whoami").text == "anna@tilde.example\n")
      #expect(await Self.words(of: name, after: "tilde.example", in: program.home) == "anna@tilde.example")
      #expect(try await program.run("accounts").text.hasPrefix("* anna@tilde.example "))
      // Signing in again doesn't add another account.
      let again = double.makeToken(for: "anna")
      _ = try await program.run("login", server.url, "--token-stdin", input: again)
      #expect(try await program.run("accounts").text.split(separator: "\n").count == 2)
    }
  }

  @Test @MainActor func `a second sign-in replaces an account whose name has the default port`() async throws {
    let harness = CommandHarness()
    let name = "anna@tilde.example:443"
    try AccountsFile(directory: harness.data).change {
      $0.put(SavedAccount(name: name, serverURL: "https://tilde.example:443"))
    }
    let double = SignInDouble()
    let address = try ServerAddress(typed: "https://tilde.example")
    let signIn = SignIn(serverURL: address.url, ledger: ActivityLedger()) {
      ScriptedTransport { request in
        let answer = double.answer(
          method: request.head.method.rawValue, path: request.head.path ?? "",
          authorization: request.field("Authorization"), body: request.body)
        return answer.map { TransportResponse.json($0.json, status: $0.status) } ?? .text("", status: 404)
      }
    }
    let outcome = try await signIn.identify(try #require(Secret(double.makeToken(for: "anna"))))
    let desk = AccountManager(paths: Paths(environment: ["HOME": harness.home]))
    let kept = try await desk.keep(outcome, at: address, in: .file, signIn: signIn)
    #expect(kept.accounts.accounts.map(\.name) == [name])
    #expect(kept.account.serverURL == "https://tilde.example")
  }
}
