import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Each sign-in method with a real `qwinkle serve`. Only that server receives the token.
@Suite(.needsTmux, .bounded) struct SignInWayTests {
  enum Scenario: CaseIterable {
    /// `qwinkle login`, with a code.
    case code
    /// `qwinkle login`, with a browser that returns to the program.
    case browser
    /// `S` in the program, with a code.
    case screen
    case tokenFromInput
    case tokenFromCommand
    case keyring
    /// `QWINKLE_TOKEN_COMMAND`, for one run.
    case environment
  }

  private static let password = "correct horse & battery"

  private struct SignedIn {
    var token: String
    /// The only file that may contain the token, if any.
    var file: String?
    /// The program, which runs as the user with `arguments`.
    var program: Program
    var arguments: [String] = []
  }

  @Test(arguments: Scenario.allCases)
  func `the token is stored only in its intended place`(scenario: Scenario) async throws {
    let keyring = ScriptedKeyring()
    let safe = "/tmp/qw-safe-\(UUID().uuidString.prefix(13))"
    defer { try? FileManager.default.removeItem(atPath: safe) }
    try await Program.inNewHome { program in
      let made = try await program.run(
        "serve", "add-user", "anna", "--password-stdin", "--data", "\(program.home)/data",
        input: Self.password + "\n")
      let printed = try #require(made.text.split(whereSeparator: \.isWhitespace).max { $0.count < $1.count })
      try await program.serving { url in
        if scenario == .keyring {
          try await keyring.serving(program) { program in
            try await use(try await signIn(scenario, program, at: url, token: String(printed), safe: safe), at: url)
            #expect(!keyring.arguments.contains(printed) && keyring.secrets.contains(String(printed)))
          }
        } else {
          try await use(try await signIn(scenario, program, at: url, token: String(printed), safe: safe), at: url)
        }
      }
    }
  }

  // MARK: Cases

  private func signIn(
    _ scenario: Scenario, _ program: Program, at url: String, token: String, safe: String
  ) async throws -> SignedIn {
    let name = "anna@\(url.replacing("http://", with: ""))"
    let file = "\(Program.secrets)/\(name).token"
    func login(_ arguments: String..., input: String? = nil) async throws {
      let outcome = try await program.run(["login", url] + arguments, input: input)
      #expect(outcome.status == 0 && !outcome.text.contains(token), "\(outcome.errors)")
    }
    func inFile() throws -> SignedIn {
      let bytes = try #require(program.files().first { $0.path == file }?.bytes)
      let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
      return SignedIn(token: token, file: file, program: program)
    }
    switch scenario {
    case .code:
      try await program.signIn(at: url) { page in
        try #require(try await Browser.code(at: page, name: "anna", password: Self.password))
      }
      return try inFile()
    case .browser:
      try await signInByBrowser(program, at: url)
      return try inFile()
    case .screen:
      try await signInOnScreen(program, at: url)
      return try inFile()
    case .tokenFromInput:
      try await login("--token-stdin", input: token)
      return try inFile()
    case .keyring:
      try await login("--token-stdin", input: token)
      return SignedIn(token: token, program: program)
    case .tokenFromCommand:
      try Data("\(token)\n".utf8).write(to: URL(fileURLWithPath: safe))
      try await login("--token-command", "cat \(safe)")
      return SignedIn(token: token, program: program)
    case .environment:
      try Data("\(token)\n".utf8).write(to: URL(fileURLWithPath: safe))
      return SignedIn(
        token: token, program: program.with(["QWINKLE_TOKEN_COMMAND": "cat \(safe)"]), arguments: ["--server", url])
    }
  }

  /// The browser is a script that saves the page's address, which ``Browser`` then opens.
  private func signInByBrowser(_ program: Program, at url: String) async throws {
    let (script, page) = ("\(program.home)/browser", "\(program.home)/page")
    try program.write("#!/bin/sh\nprintf '%s' \"$1\" > \(page).new && mv \(page).new \(page)\n".utf8, to: "browser")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
    try await program.with(["BROWSER": script]).onTerminal("login", url, rows: 60, columns: 200) { terminal in
      try await terminal.wait(for: "Waiting for the browser.")
      var address: String?
      try await terminal.wait(for: "the page") { _ in
        address = try? String(contentsOfFile: page, encoding: .utf8)
        return address != nil
      }
      // The browser is redirected to the program, so the page shows no code.
      #expect(try await Browser.code(at: try #require(address), name: "anna", password: Self.password) == nil)
      let end = try await terminal.waitForEnd()
      #expect(end.contains("Signed in as anna@") && end.status == 0, "\(end)")
    }
  }

  private func signInOnScreen(_ program: Program, at url: String) async throws {
    try await program.onTerminal(columns: 400) { terminal in
      try await Program.waitForTimeline(terminal)
      try await terminal.press("S")
      try await terminal.wait(for: "The server where you have an account")
      try await terminal.type(url)
      try await terminal.press("Enter")
      let screen = try await terminal.wait(for: "/oauth/authorize")
      let row = try #require(screen.rows.first { $0.contains("/oauth/authorize") })
      let page = try #require(row.split(separator: " ").first { $0.hasPrefix("http") })
      try await terminal.type(
        try #require(try await Browser.code(at: String(page), name: "anna", password: Self.password)))
      try await terminal.press("Enter")
      try await terminal.wait(for: "Signed in as anna@")
      try await terminal.press("q", "y")
      try await terminal.waitForEnd()
    }
  }

  // MARK: After sign-in

  /// Reads, posts, streams, runs `doctor` and crashes as `anna`, and searches for the token everywhere.
  private func use(_ anna: SignedIn, at url: String) async throws {
    let program = anna.program
    func expectNoTrace(_ process: Int32? = nil, at location: SourceLocation = #_sourceLocation) {
      let files = program.files(with: anna.token)
      #expect(files == [anna.file].compactMap(\.self), sourceLocation: location)
      guard let process else { return }
      for process in [process] + ProcessList.children(of: process) {
        let words = ProcessList.visibleWords(of: process)
        #expect(words.contains("HOME=") && !words.contains(anna.token), sourceLocation: location)
      }
    }
    expectNoTrace()
    for arguments in [["post", "Words of anna"], ["timeline", "home"], ["doctor"], ["notifications", "--json"]] {
      let outcome = try await program.run(arguments + anna.arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      #expect(!outcome.text.contains(anna.token) && !outcome.errors.contains(anna.token))
    }
    expectNoTrace()
    try await program.onTerminal(command: [Program.path] + anna.arguments, columns: 120) { terminal in
      try await terminal.wait(for: "live")
      let posted = try await program.run(["post", "Came by the stream"] + anna.arguments)
      #expect(posted.status == 0, "\(posted.errors)")
      let screen = try await terminal.wait(for: "Came by the stream")
      #expect(!screen.contains(anna.token))
      let process = try await terminal.processID()
      expectNoTrace(process)
      try await terminal.signal(SIGSEGV)
      try await terminal.waitForEnd()
    }
    // The crash report is a file too.
    expectNoTrace()
    #expect(program.files().contains { $0.path.hasPrefix(".local/state/qwinkle/") && $0.path.contains("crash") })
    // A stream in the shell that begins with missed posts.
    let home = try await program.run(["timeline", "home", "--json"] + anna.arguments)
    let statuses = try JSONSerialization.jsonObject(with: Data(home.output)) as? [[String: Any]]
    let first = try #require(statuses?.last?["id"] as? String, "\(home.text)")
    let listener = try ChildProcess(
      [Program.path, "stream", "home", "--json", "--since", first] + anna.arguments,
      environment: program.environment, directory: program.home)
    #expect(try await listener.firstLine().contains("Came by the stream"))
    expectNoTrace(listener.processID)
    let listened = try await listener.stop()
    #expect(listened.text.contains("Came by the stream") && !listened.text.contains(anna.token))
    #expect(!listened.errors.contains(anna.token))
    expectNoTrace()
  }
}
