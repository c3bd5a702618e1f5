import Foundation
import QwinkleStore
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The first commands of a new user and of a new operator, each of which names the next one.
@Suite(.needsTmux, .bounded) struct FirstMinuteTests {
  private static let password = "correct horse & battery"

  /// Adds the user anna, who has a password, and returns their token.
  private func makeUser(_ program: Program) async throws -> String {
    let made = try await program.run(
      "serve", "add-user", "anna", "--password-stdin", "--data", "\(program.home)/data",
      input: Self.password + "\n")
    #expect(made.status == 0, "\(made.errors)")
    return made.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `signing in names the server first and ends with the newest posts of Home`() async throws {
    try await Program.inNewHome { program in
      let token = try await makeUser(program)
      try await program.serving { url in
        for number in 1...6 {
          let posted = try await program.run(
            "post", "Row \(number) of beans", "--server", url, "--token-stdin", input: token)
          #expect(posted.status == 0, "\(posted.errors)")
        }
        let host = url.replacing("http://", with: "")
        try await program.onTerminal("login", url, rows: 60, columns: 2000) { terminal in
          let screen = try await terminal.wait(for: "Code:")
          let page = try #require(screen.rows.firstIndex { $0.hasPrefix("http") })
          let named = try #require(screen.rows.firstIndex { $0.hasPrefix("\(host) · ") }, "\(screen)")
          #expect(named < page)
          try await terminal.type(
            try #require(try await Browser.code(at: screen.rows[page], name: "anna", password: Self.password)))
          try await terminal.press("Enter")
          let end = try await terminal.waitForEnd()
          #expect(end.status == 0, "\(end)")
          let signedIn = try #require(end.row(with: "Signed in as anna@\(host)"), "\(end)")
          let newest = try #require(end.row(with: "Row 6 of beans"))
          let fifth = try #require(end.row(with: "Row 2 of beans"))
          let next = try #require(end.row(with: "To read on: qwinkle. There, ? lists all keys."), "\(end)")
          #expect(signedIn < newest && newest < fifth && fifth < next)
          #expect(!end.contains("Row 1 of beans"))
        }
        // A script gets the outcome only.
        let piped = try await program.run("login", "\(url)/@anna", "--token-stdin", input: token)
        #expect(piped.text == "Signed in as anna@\(host).\nIt is the default account now.\n", "\(piped.text)")
      }
    }
  }

  @Test func `signing in on the screen opens Home`() async throws {
    try await Program.inNewHome { program in
      let token = try await makeUser(program)
      try await program.serving { url in
        let posted = try await program.run(
          "post", "For followers alone", "--visibility", "followers", "--server", url, "--token-stdin",
          input: token)
        #expect(posted.status == 0, "\(posted.errors)")
        try await program.onTerminal(columns: 400) { terminal in
          try await Program.waitForTimeline(terminal)
          try await terminal.press("S")
          try await terminal.wait(for: "The server where you have an account")
          try await terminal.type("\(url)/@anna")
          try await terminal.press("Enter")
          let screen = try await terminal.wait(for: "/oauth/authorize")
          #expect(screen.contains("\(url.replacing("http://", with: "")) · "), "\(screen)")
          let row = try #require(screen.rows.first { $0.contains("/oauth/authorize") })
          let page = try #require(row.split(separator: " ").first { $0.hasPrefix("http") })
          try await terminal.type(
            try #require(try await Browser.code(at: String(page), name: "anna", password: Self.password)))
          try await terminal.press("Enter")
          // The public timeline doesn't have this post.
          try await terminal.wait(for: "For followers alone")
        }
      }
    }
  }

  @Test func `a server without users names the next step, and a server with one does not`() async throws {
    try await Program.inNewHome { program in
      let first = try await program.startServing()
      let words = try await first.process.stop().text
      #expect(words.contains("No one can sign in yet. Next, in another terminal: qwinkle serve add-user NAME --data "))
      _ = try await program.makeUser("anna")
      let second = try await program.startServing()
      let later = try await second.process.stop().text
      #expect(!later.contains("add-user"), "\(later)")
      let open = try await program.startServing(["--open-registration"], data: "open")
      let registering = try await open.process.stop().text
      #expect(!registering.contains("add-user"))
    }
  }

  @Test func `the next step on a socket is the command that connects to it`() {
    func words(_ socket: String?, isStandard: Bool = false) -> String {
      ServeNextStep.words(socket: socket, isStandard: isStandard, options: " --data /srv")
    }
    #expect(words(nil).contains("qwinkle serve add-user NAME --data /srv\n"))
    #expect(words("/srv/s").hasSuffix(": qwinkle --socket /srv/s"))
    #expect(words("/srv/s", isStandard: true).hasSuffix(": qwinkle"))
  }

  @Test func `completion lists the servers of accounts and of cached timelines`() throws {
    let home = "/tmp/qw-servers-\(UUID().uuidString.prefix(13))"
    defer { try? FileManager.default.removeItem(atPath: home) }
    let paths = Paths(environment: ["HOME": home])
    #expect(KnownCompletions.usedServers(paths) == [])
    _ = try AccountsFile(directory: paths.data).change {
      $0.put(SavedAccount(name: "anna@tilde.example", serverURL: "https://tilde.example"))
      $0.put(SavedAccount(name: "anna@127.0.0.1:8420", serverURL: "http://127.0.0.1:8420"))
    }
    for folder in ["signed-out@second.example", "anna@tilde.example", "shared", "x@not a host"] {
      try FileManager.default.createDirectory(
        atPath: "\(paths.cache)/\(folder)", withIntermediateDirectories: true)
    }
    #expect(KnownCompletions.usedServers(paths) == ["http://127.0.0.1:8420", "second.example", "tilde.example"])
    // Suggestions for mistyped servers use only these, because a folder may be named after a mistyped server.
    #expect(Set(KnownCompletions.accountServers(paths)) == ["http://127.0.0.1:8420", "tilde.example"])
  }
}
