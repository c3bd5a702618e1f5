import Foundation
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing

/// `login`, `logout`, `accounts` and `--as`, with a terminal only if one is needed.
@Suite(.bounded) struct AccountCommandTests {
  private let double = SignInDouble()

  /// Runs `body` with a program and a server.
  private func withServer(_ body: (Program, ScriptedServer) async throws -> Void) async throws {
    try await QwinkleAppTests.withServer(double.script()) { server in
      try await Program.inNewHome { try await body($0, server) }
    }
  }

  /// Signs in with a token that was created elsewhere.
  @discardableResult
  private func signIn(_ userName: String, _ program: Program, _ server: ScriptedServer) async throws -> String {
    let token = double.makeToken(for: userName)
    let outcome = try await program.run("login", server.url, "--token-stdin", input: token + "\n")
    #expect(outcome.status == 0 && outcome.text.contains("\(userName)@\(server.host)"), "\(outcome.errors)")
    return token
  }

  private func lastToken(_ server: ScriptedServer) -> String? { server.requests.last?.field("Authorization") }

  private func expectRefusal(
    _ outcome: ChildProcess.Outcome, status: Int32 = 1, _ words: String...,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status && outcome.output.isEmpty, sourceLocation: location)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: location)
    for words in words { #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location) }
  }

  // MARK: Several accounts

  @Test func `the first account is the default and --as selects another`() async throws {
    try await withServer { program, server in
      let annas = try await signIn("anna", program, server)
      let bens = try await signIn("ben", program, server)
      #expect(try await program.run("timeline", "home").status == 0)
      #expect(lastToken(server) == "Bearer \(annas)")
      for name in ["ben", "@Ben", "ben@\(server.host)"] {
        #expect(try await program.run("timeline", "home", "--as", name).status == 0)
        #expect(lastToken(server) == "Bearer \(bens)")
      }
      let count = server.requests.count
      #expect(try await program.run("timeline", "home", "--as", "local").text.contains("Welcome to Qwinkle!"))
      #expect(server.requests.count == count)
      expectRefusal(try await program.run("timeline", "home", "--as", "carla"), "anna@", "ben@", "local")
      // A host doesn't name an account, even if it has only one.
      for part in [server.host, String(server.host.prefix { $0 != ":" }), "ann", "@", "anna@", ""] {
        expectRefusal(try await program.run("timeline", "home", "--as", part), "No account", "anna@")
      }
      expectRefusal(
        try await program.run("timeline", "home", "--as", "ben", "--server", server.url), status: 2, "--server", "--as")
      expectRefusal(
        try await program.run("timeline", "home", "--as", "ben", "--token-stdin", input: "x"), status: 2, "--server")
    }
  }

  @Test func `a malformed token is reported and signing in again replaces it`() async throws {
    try await withServer { program, server in
      _ = try await signIn("anna", program, server)
      let token = try #require(program.files().first { $0.path.hasSuffix(".token") })
      try program.write("two words".utf8, to: token.path)
      let outcome = try await program.run("timeline", "home")
      expectRefusal(outcome, token.path, "it must be one line", "sign in again: qwinkle login \(server.url)")
      #expect(!outcome.errors.contains("creates a new one"))
      _ = try await signIn("anna", program, server)
      #expect(try await program.run("timeline", "home").status == 0)
    }
  }

  @Test func `accounts lists all accounts and changes the default`() async throws {
    try await withServer { program, server in
      #expect(try await program.run("accounts").text.hasPrefix("* local"))
      #expect(program.files().isEmpty)
      let annas = try await signIn("anna", program, server)
      let bens = try await signIn("ben", program, server)
      let listed = try await program.run("accounts").text.split(separator: "\n").map(String.init)
      #expect(listed.count == 3)
      #expect(listed[0].hasPrefix("* anna@\(server.host) ") && listed[0].hasSuffix(server.url))
      #expect(listed[1].hasPrefix("  ben@\(server.host) ") && listed[2].hasPrefix("  local "))

      let changed = try await program.run("accounts", "--default", "ben", "--json")
      let items = try JSONSerialization.jsonObject(with: Data(changed.output)) as? [[String: Any]]
      #expect(
        items?.compactMap { $0["name"] as? String } == ["anna", "ben"].map { "\($0)@\(server.host)" } + ["local"])
      #expect(items?.compactMap { $0["default"] as? Bool } == [false, true, false])
      #expect(![annas, bens].contains { changed.text.contains($0) })
      _ = try await program.run("timeline", "home")
      #expect(lastToken(server) == "Bearer \(bens)")

      #expect(try await program.run("accounts", "--default", "local").text.contains("* local"))
      #expect(try await program.run("timeline", "home").text.contains("Welcome to Qwinkle!"))
      expectRefusal(try await program.run("accounts", "--default", "carla"), "carla")
    }
  }

  // MARK: Signing in

  @Test func `a code can be piped to login and a wrong code saves nothing`() async throws {
    try await withServer { program, server in
      expectRefusal(
        try await program.run("login", server.url, "--token-stdin", input: "wrong\n"), "rejected the token")
      let wrong = try await program.run("login", server.url, input: "wrong\n")
      #expect(wrong.status == 1 && wrong.errorLines.count == 1 && wrong.errors.contains("rejected the code"))
      #expect(wrong.text.contains("\(server.url)/oauth/authorize?"))
      let none = try await program.run("login", server.url)
      #expect(none.status == 1 && none.errors.contains("Not signed in: no code"))
      #expect(program.files().isEmpty)
      #expect(try await program.run("accounts").text.hasPrefix("* local"))
    }
  }

  @Test(.needsTmux) func `a mistyped code can be typed again`() async throws {
    try await withServer { program, server in
      try await program.signIn(
        at: server.url,
        while: { terminal in
          try await terminal.type("mistyped")
          try await terminal.press("Enter")
          try await terminal.wait(for: "rejected the code")
        }, allow: { try #require(double.allow($0, as: "anna")) })
      #expect(try await program.run("timeline", "home").status == 0)
    }
  }

  @Test(.needsTmux) func `signing in again revokes the previous token`() async throws {
    try await withServer { program, server in
      try await program.signIn(as: "anna", at: server, of: double)
      let former = try #require(double.tokens.first?.key)
      try await program.signIn(at: server.url) { page in
        #expect(page.contains("force_login=true"))
        return try #require(double.allow(page, as: "anna"))
      }
      #expect(double.tokens.count == 1 && double.tokens[former] == nil)
      #expect(try await program.run("timeline", "home").status == 0)
      #expect(try await program.run("accounts").text.split(separator: "\n").count == 2)
    }
  }

  @Test(.needsTmux) func `a typed token is not echoed`() async throws {
    try await withServer { program, server in
      let token = double.makeToken(for: "anna")
      try await program.onTerminal("login", server.url, "--token-stdin", rows: 60) { terminal in
        try await terminal.wait(for: "Token:")
        try await terminal.type(token)
        try await terminal.press("Enter")
        let end = try await terminal.waitForEnd()
        #expect(end.status == 0 && end.contains("anna@") && !end.contains(token), "\(end)")
      }
    }
  }

  @Test(.needsTmux) func `a token that cannot be saved is revoked at once`() async throws {
    try await withServer { program, server in
      // A folder can't be replaced by a file.
      try program.write([], to: "\(Program.secrets)/anna@\(server.host).token/x")
      chmod("\(program.home)/\(Program.secrets)", 0o700)
      try await program.onTerminal("login", server.url, columns: 2000) { terminal in
        let screen = try await terminal.wait(for: "Code:")
        let page = try #require(screen.rows.first { $0.hasPrefix("http") })
        try await terminal.type(try #require(double.allow(page, as: "anna")))
        try await terminal.press("Enter")
        let end = try await terminal.waitForEnd()
        #expect(end.status == 1 && end.contains("Cannot write to"), "\(end)")
      }
      #expect(server.requests.contains { $0.path == "/oauth/token" } && double.tokens.isEmpty)
      #expect(!program.files().contains { $0.path == Program.accounts })
    }
  }

  @Test func `signing in to an unsupported or unreachable server fails with the reason`() async throws {
    try await QwinkleAppTests.withServer({ _ in .text("<html>Hello</html>") }) { server in
      try await Program.inNewHome { program in
        expectRefusal(try await program.run("login", server.url), "does not offer the Mastodon client API")
        expectRefusal(try await program.run("login", "http://127.0.0.1:9"), "cannot be reached")
        expectRefusal(try await program.run("login", "\(server.url)/about"), status: 2, "Remove the path")
        expectRefusal(try await program.run("login"), status: 2, "url")
        expectRefusal(
          try await program.run("login", server.url, "--token-stdin", "--token-command", "x"), status: 2, "not both")
        #expect(program.files().isEmpty)
      }
    }
  }

  @Test func `login shows an account's name once and logout shows the new default`() async throws {
    try await withServer { program, server in
      let token = double.makeToken(for: "anna")
      let first = try await program.run("login", server.url, "--token-stdin", input: token)
      let sentence = "Signed in as Who is anna (anna@\(server.host))."
      #expect(first.text.split(separator: "\n").first == Substring(sentence), "\(first.text)")
      try await signIn("ben", program, server)
      let out = try await program.run("logout", "ben")
      #expect(out.text == "Signed out of ben@\(server.host).\n", "\(out.text)")
      let last = try await program.run("logout")
      #expect(last.text.contains("The default account is now local, the timeline on this machine."))
    }
  }

  @Test func `a server without TLS is reported with its http URL`() async throws {
    try await withServer { program, server in
      let words = "\(server.host) does not speak HTTPS. For plain HTTP, write http://\(server.host)."
      expectRefusal(try await program.run("login", server.host), words)
      expectRefusal(try await program.run("timeline", "public", "--server", server.host), words)
      // An explicit https is never downgraded.
      let https = try await program.run("login", "https://\(server.host)")
      #expect(https.status == 1 && https.errors.contains("TLS error") && !https.errors.contains("plain HTTP"))
    }
  }

  @Test func `a profile's address and a handle name the server`() async throws {
    try await withServer { program, server in
      let token = double.makeToken(for: "anna")
      let outcome = try await program.run("login", "\(server.url)/@anna", "--token-stdin", input: token)
      #expect(outcome.status == 0 && outcome.text.contains("anna@\(server.host)"), "\(outcome.errors)")
      // The server of a handle is reached by HTTPS.
      expectRefusal(
        try await program.run("login", "@anna@\(server.host)"), "For plain HTTP, write http://\(server.host)")
      expectRefusal(try await program.run("login", "@anna"), status: 2, "Use a whole handle")
    }
  }

  @Test(.needsTmux) func `a failure to load Home does not undo a sign-in`() async throws {
    let script = double.script()
    try await QwinkleAppTests.withServer({ request in
      request.path.hasPrefix("/api/v1/timelines/home") ? .json(Array("{}".utf8), status: 404) : script(request)
    }) { server in
      try await Program.inNewHome { program in
        try await program.signIn(at: server.url) { try #require(double.allow($0, as: "anna")) }
        #expect(try await program.run("accounts").text.contains("* anna@"))
      }
    }
  }

  // MARK: Signing out

  @Test func `logout deletes a token created elsewhere and reports that it is still valid`() async throws {
    try await withServer { program, server in
      let annas = try await signIn("anna", program, server)
      try await signIn("ben", program, server)
      let out = try await program.run("logout", "anna")
      #expect(out.status == 0 && out.errors.contains("still valid"))
      #expect(out.text.contains("The default account is now ben@\(server.host).\nTo change it: qwinkle accounts"))
      #expect(double.tokens[annas] == "anna" && program.files(with: annas) == [])
      _ = try await program.run("timeline", "home")
      #expect(lastToken(server) != "Bearer \(annas)")
      #expect(try await program.run("logout").status == 0)
      expectRefusal(try await program.run("logout"), "No account is signed in")
      expectRefusal(try await program.run("logout", "local"), status: 2, "needs no sign-in")
    }
  }

  @Test(arguments: [(422, ""), (400, #"{"error":"invalid_token"}"#)]) @MainActor
  func `a token rejected after its revocation is deleted with its account`(
    status: Int, body: String
  ) async throws {
    let answers: [String: HabitServer.Answer] = [
      "POST /oauth/revoke": .init(200, "{}"), "GET /api/v1/accounts/verify_credentials": .init(status, body),
    ]
    let transport = HabitServer.transport(.mastodon, answers)
    let harness = CommandHarness(transport: { transport })
    try harness.signIn()
    let outcome = try await harness.run(["logout"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try AccountsFile(directory: harness.data).load().accounts.isEmpty)
    #expect(try SecretFiles(directory: harness.data).load(.token, for: harness.sessionFolder) == nil)
  }

  @Test(.needsTmux) func `logout fails if the server cannot be reached unless --force is given`() async throws {
    try await Program.inNewHome { program in
      try await QwinkleAppTests.withServer(double.script()) { server in
        try await program.signIn(as: "anna", at: server, of: double)
      }
      let token = try #require(double.tokens.first?.key)
      let refused = try await program.run("logout")
      expectRefusal(refused, "cannot be reached", "qwinkle logout --force anna@127.0.0.1:")
      #expect(program.files(with: token).count == 1)
      let forced = try await program.run("logout", "--force")
      #expect(forced.status == 0 && forced.errors.contains("may still be valid"), "\(forced.errors)")
      #expect(program.files(with: token) == [])
      #expect(try await program.run("accounts").text.hasPrefix("* local"))
    }
  }

  // MARK: Files

  @Test func `a token accessible to other users is refused with the chmod that fixes it`() async throws {
    try await withServer { program, server in
      let token = try await signIn("anna", program, server)
      let file = "\(program.home)/\(Program.secrets)/anna@\(server.host).token"
      let folder = "\(program.home)/\(Program.secrets)"
      for (path, wide, good) in [(file, 0o644, 0o600), (folder, 0o755, 0o700)] {
        chmod(path, mode_t(wide))
        let count = server.requests.count
        for command in [["timeline", "home"], ["post", "hello"], ["logout"], []] {
          let outcome = try await program.run(command)
          expectRefusal(outcome, "chmod \(String(good, radix: 8)) \(path)")
        }
        #expect(server.requests.count == count)
        #expect(try await program.run("timeline", "home", "--as", "local").status == 0)
        chmod(path, mode_t(good))
        #expect(try await program.run("timeline", "home").status == 0)
        #expect(lastToken(server) == "Bearer \(token)")
      }
    }
  }

  @Test func `a folder accessible to other users ends a sign-in before any request`() async throws {
    try await withServer { program, server in
      try program.write([], to: "\(Program.secrets)/x")
      chmod("\(program.home)/\(Program.secrets)", 0o755)
      expectRefusal(try await program.run("login", server.url, input: "code"), "chmod 700 ")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a corrupt accounts file is reported and set aside only by a sign-in`() async throws {
    try await withServer { program, server in
      try await signIn("anna", program, server)
      let damage = Data(#"{"version":1,"accounts":[{"name":"#.utf8)
      try program.write(damage, to: Program.accounts)
      for command in [["timeline", "home"], ["accounts"], ["logout"], []] {
        let outcome = try await program.run(command)
        expectRefusal(outcome, "Cannot read", "accounts.json", "--as local")
      }
      #expect(try await program.run("timeline", "home", "--as", "local").status == 0)
      #expect(program.files().filter { $0.path.contains("accounts.json") }.map(\.bytes) == [damage])

      let token = double.makeToken(for: "ben")
      let outcome = try await program.run("login", server.url, "--token-stdin", input: token)
      #expect(outcome.status == 0 && outcome.errors.contains("accounts.json.damaged-1"))
      #expect(program.files().contains { $0.path == "\(Program.accounts).damaged-1" && $0.bytes == damage })
      #expect(try await program.run("accounts").text.contains("* ben@"))
    }
  }

  @Test func `a missing token is reported with the login command`() async throws {
    try await withServer { program, server in
      try await signIn("anna", program, server)
      try FileManager.default.removeItem(atPath: "\(program.home)/\(Program.secrets)/anna@\(server.host).token")
      expectRefusal(try await program.run("timeline", "home"), "is missing", "qwinkle login \(server.url)")
      #expect(try await program.run("logout").status == 0)
    }
  }
}
