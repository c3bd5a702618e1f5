import Foundation
import QwinkleAccount
import TerminalTesting
import Testing

/// Wrong usage and unusable environments lead to one message, the right status, and no data loss.
@Suite(.bounded) struct CommandLineTests {
  private func expectOneSentence(
    _ outcome: ChildProcess.Outcome, status: Int32, _ words: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.hasPrefix("qwinkle: "), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location)
  }

  private static let wrong: [([String], String)] = [
    (["dance"], "No command “dance”"),
    (["help", "dance"], "No command “dance”"),
    (["help", "serve", "dance"], "No command “dance”"),
    (["help", "serve", "adduser"], "Did you mean qwinkle serve add-user?"),
    (["help", "timelien"], "Did you mean qwinkle timeline?"),
    (["boots", "1"], "Did you mean qwinkle boost?"),
    (["unfollow", "@bob"], "Did you mean qwinkle follow --undo?"),
    (["--limit", "3", "timeline", "home"], "Options go after the command's name"),
    (["timeline", "public", "--since", "yesterday"], "--since must be"),
    (["timeline", "public", "--until", "2026-02-31"], "--until must be"),
    (["messages", "--since", "1h", "--until", "2h"], "--since must be before --until"),
    (["post", "x", "--visibility", "private"], "two meanings"),
    (["post", "x", "--retry", "5", "--at", "2h"], "--retry sends one post at once: leave out --thread and --at."),
    (["reply", "1", "x", "--retry", "5", "--thread"], "--retry sends one post: leave out --thread."),
    (["post", "x", "--retry", "5", "--queue"], "--queue sends it later: leave out --retry."),
    (["follow", "a b"], "not a user"),
    (["messages", "--delete"], "--delete needs"),
    (["profile", "@bob", "--name", "Bob"], "your own profile"),
    (["edit", "1", "x", "--source"], "--source only prints"),
    (["boost"], "qwinkle boost --help"),
    (["--dance"], "--dance"),
    (["timeline", "nowhere"], "nowhere"),
    (["timeline", "fog"], "The hashtag: qwinkle timeline '#fog'."),
    (["timeline", "bert"], "The user: qwinkle timeline @bert or qwinkle profile bert."),
    (["timeline", "bert@tilde.example"], "qwinkle profile bert@tilde.example."),
    (["timeline", "pubilc"], "Did you mean qwinkle timeline public?"),
    (["timeline", "@"], "No timeline"),
    (["timeline", "#two words"], "No timeline"),
    (["messages", "--limit=-41"], "1 or more"),
    (["notifications", "--limit", "-1"], "limit"),
    (["notifications", "now"], "now"), (["notifications", "--clear", "--only", "mentions"], "--only"),
    (["notifications", "--clear", "--dismiss", "1"], "--dismiss"),
    (["notifications", "--dismiss", "1", "--json"], "--json"),
    (["thread"], "id"),
    (["reply"], "id"),
    (["reply", "1", "   "], "Not sent: the text is empty."),
    (["message", "@bob"], "Not sent: the text is empty."),
    (["edit", "1"], "Not edited: the text is empty."),
    (["post", "hello", "from", "the", "shell"], #"Quote the text: qwinkle post "hello from the shell" (Help"#),
    (["post", "it costs", "$5"], #"Quote the text: qwinkle post 'it costs $5'"#),
    (["reply", "1", "See", "you"], #"Quote the text: qwinkle reply 1 "See you""#),
    (["message", "@bob", "See", "you"], #"Quote the text: qwinkle message @bob "See you""#),
    (["edit", "1", "See", "you"], #"Quote the text: qwinkle edit 1 "See you""#),
    (["post", "x", "--frob"], "Unknown option '--frob'. (Help"),
    (["post", "x", "--warnign", "y"], "Did you mean '--warning'?"),
    (["messages", "@bob", "--delete"], "--delete needs the id"),
    (["reply", "1", "x", "--visibility", "secret"], "visibility"),
    (["search"], "words"),
    (["search", " ", ""], "Nothing to search for"),
    (["post", "x", "--warning"], "--warning"),
    (["timeline", "public", "--limit", "0"], "1 or more"),
    (["timeline", "public", "--limit", "many"], "many"),
    (["timeline", "public", "--limit"], "--limit"),
    (["timeline", "public", "--server", "ftp://example.org"], "use https or http"),
    (["timeline", "public", "--server", "https://"], "not a server address"),
    (["timeline", "public", "--server", ""], "not a server address"),
    (["timeline", "public", "--server", "http://exa mple.org"], "not a server address"),
    (["timeline", "public", "--server", "https://me:secret@example.org"], "Remove the name and password"),
    (["timeline", "public", "--server", "https://example.org:99999"], "port"),
    (["timeline", "public", "--server", "https://example.org:http"], "not a server address"),
    (["timeline", "public", "--server", "https://[::1"], "not a server address"),
    (["timeline", "public", "--server", "\u{1B}]0;owned\u{07}"], "not a server address"),
    (["--server", "ftp://example.org"], "use https or http"),
    (["timeline", "public", "--token-stdin"], "--server"),
    (["--token-stdin"], "--server"),
    (["post", "x", "--visibility", "secret"], "visibility"),
    (["post", "   "], "Not posted: the text is empty."),
    (["post"], "Not posted: the text is empty."),
    (["serve", "--bind", "8420"], "HOST:PORT"),
    (["serve", "--trusted-proxy", "localhost"], "IP address"),
    (["serve", "--bind", "127.0.0.1:99999"], "HOST:PORT"),
    (["serve", "--picture-quota", "many"], "many"),
    (["serve", "--posts-a-minute", "0"], "--posts-a-minute must be a number from 1 to 100,000."),
    (["serve", "--connections-a-user", "-1"], "--connections-a-user"),
    (["serve", "--metrics", "0.0.0.0:9420"], "loopback address"),
    (["serve", "--metrics", "metrics.sock"], "loopback address"),
    (["serve", "add-user"], "name"),
  ]

  @Test(arguments: wrong) func `wrong usage prints a hint and exits with status 2`(arguments: [String], words: String)
    async throws
  {
    try await Program.inNewHome { program in
      let outcome = try await program.run(arguments)
      expectOneSentence(outcome, status: 2, words)
      #expect(!outcome.errors.utf8.contains { $0 < 0x20 && $0 != 0x0A })
      #expect(!outcome.errors.contains("secret@"))
      #expect(program.files().isEmpty, "\(program.files().map(\.path))")
    }
  }

  @Test func `help and version exit with status 0`() async throws {
    try await Program.inNewHome { program in
      for arguments in [["--help"], ["timeline", "--help"], ["help", "serve"], ["--version"]] {
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors.isEmpty)
      }
    }
  }

  @Test func `help describes content warnings and the location of served data`() async throws {
    try await Program.inNewHome { program in
      for command in ["post", "reply", "message"] {
        let help = try await program.run(command, "--help").text
        #expect(help.contains("--warning") && !help.contains("removes it"), "\(command)")
      }
      #expect(try await program.run("edit", "--help").text.contains("an empty one removes it"))
      let serve = try await program.run("serve", "--help").text
      #expect(serve.contains("~/.local/share/qwinkle") && serve.contains("qwinkle serve add-user NAME"))
      #expect(try await program.run("timeline", "--help").text.contains("[<name>]"))
    }
  }

  // MARK: Unusable environments

  @Test func `thread and reply accept the address printed by post`() async throws {
    try await Program.inNewHome { program in
      let post = try await program.run("post", "The kiosk opens.")
      let address = post.text.dropFirst("Posted: ".count).trimmingCharacters(in: .newlines)
      #expect(address.contains("://"), "\(post.text)")
      let reply = try await program.run("reply", address, "At nine.")
      #expect(reply.status == 0, "\(reply.errors)")
      let thread = try await program.run("thread", address)
      #expect(thread.status == 0 && thread.text.contains("The kiosk opens."), "\(thread.errors)")
      #expect(thread.text.contains("  At nine."), "\(thread.text)")
    }
  }

  @Test func `a folder in place of the database is left unchanged`() async throws {
    try await Program.inNewHome { program in
      try program.write("mine".utf8, to: "\(Program.database)/file")
      expectOneSentence(try await program.run("timeline", "public"), status: 1, "service.sqlite")
      #expect(program.files().map(\.path) == ["\(Program.database)/file"])
    }
  }

  @Test func `a corrupt database is set aside unchanged and the program continues`() async throws {
    try await Program.inNewHome { program in
      for damage in [Data("This is no database. ".utf8) + Data(repeating: 0x5A, count: 9000), try await cutDatabase()] {
        try program.write(damage, to: Program.database)
        let outcome = try await program.run("timeline", "public")
        #expect(outcome.status == 0 && outcome.text.contains("Welcome to Qwinkle!"), "\(outcome.errors)")
        let aside = program.files().filter { $0.path.hasPrefix("\(Program.database).damaged") && $0.bytes == damage }
        #expect(aside.count == 1, "\(program.files().map(\.path))")
        let again = try await program.run("timeline", "public")
        #expect(again.status == 0 && again.errors == "")
        try FileManager.default.removeItem(atPath: "\(program.home)/.local")
      }
    }
  }

  @Test(arguments: [
    ["timeline", "public"], ["post", "x"], ["search", "x"], ["messages"], ["notifications"], ["thread", "1"],
    ["reply", "1", "x"], [],
  ])
  func `each command reports a corrupt database and the file with the old content`(arguments: [String]) async throws {
    for damage in [Data("This is no database. ".utf8) + Data(repeating: 0x5A, count: 9000), Data()] {
      try await Program.inNewHome { program in
        try program.write(damage, to: Program.database)
        let outcome = try await program.run(arguments, input: "a long password\n")
        let aside = program.files().filter { $0.path.hasPrefix("\(Program.database).damaged") && $0.bytes == damage }
        #expect(aside.count == 1, "\(program.files().map(\.path))")
        let path = "\(program.home)/\(aside.first?.path ?? "?")"
        let lines = outcome.errorLines.filter { $0.contains("It was renamed to \(path), and a new one was created.") }
        #expect(lines.count == 1, "\(arguments): \(outcome.errors)")
        #expect(lines.first?.contains(damage.isEmpty ? "was empty" : "was damaged") == true)
      }
    }
  }

  @Test(arguments: [["serve", "add-user", "ann"], ["serve", "set-password", "ann", "--password-stdin"]])
  func `a corrupt server database stays and the error describes how to restore it`(
    arguments: [String]
  ) async throws {
    for damage in [Data("This is no database. ".utf8) + Data(repeating: 0x5A, count: 9000), Data()] {
      try await Program.inNewHome { program in
        try program.write(damage, to: Program.database)
        chmod("\(program.home)/.local/share/qwinkle", 0o700)
        chmod("\(program.home)/\(Program.database)", 0o600)
        let outcome = try await program.run(arguments, input: "a long password\n")
        #expect(outcome.status == 1 && outcome.errors.contains("It was not changed."), "\(outcome.errors)")
        #expect(outcome.errors.contains("qwinkle serve restore FILE"))
        #expect(program.files().contains { $0.path == Program.database && $0.bytes == damage })
        #expect(!program.files().contains { $0.path.contains("damaged") })
      }
    }
  }

  /// Returns a database with its middle overwritten.
  private func cutDatabase() async throws -> Data {
    let home = "/tmp/qw-cut-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    let program = Program(home: home, environment: ["HOME": home, "PATH": "/usr/bin:/bin"])
    #expect(try await program.run("timeline", "public").status == 0)
    var bytes = try #require(FileManager.default.contents(atPath: "\(home)/\(Program.database)"))
    try #require(bytes.count > 8192)
    bytes.replaceSubrange(1024..<(bytes.count - 1024), with: repeatElement(0xAA, count: bytes.count - 2048))
    return bytes
  }

  @Test(.needsTmux) func `the screen reports a corrupt database`() async throws {
    try await Program.inNewHome { program in
      let damage = Data("This is no database.".utf8) + Data(repeating: 1, count: 5000)
      try program.write(damage, to: Program.database)
      try await program.onTerminal(columns: 200) { terminal in
        try await terminal.wait(for: "The database was damaged. It was renamed to")
        try await terminal.wait(for: "Welcome to Qwinkle!")
      }
      #expect(program.files().contains { $0.path.contains("damaged") && $0.bytes == damage })
    }
  }

  @Test(.needsTmux) func `the screen warns if a token is sent without TLS`() async throws {
    try await Program.inNewHome { program in
      let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
      try await signedIn.onTerminal("--server", "http://nonexistent.invalid", columns: 200) { terminal in
        let screen = try await terminal.wait(for: "http sends your token unencrypted.")
        #expect(screen.isAlternate && !screen.hasEnded)
      }
    }
  }

  @Test(arguments: ["/dev/null/x", "/proc/nothing", "HOME/file/x"])
  func `a folder that cannot be written is reported`(folder: String) async throws {
    try await Program.inNewHome { program in
      try program.write("mine".utf8, to: "file")
      let folder = folder.replacing("HOME", with: program.home)
      let elsewhere = program.with(["XDG_DATA_HOME": folder])
      expectOneSentence(try await elsewhere.run("timeline", "public"), status: 1, folder)
      expectOneSentence(try await elsewhere.run("post", "hello"), status: 1, folder)
      expectOneSentence(
        try await program.run("serve", "--bind", "127.0.0.1:0", "--data", folder), status: 1, folder)
      #expect(program.files().map(\.path) == ["file"])
    }
  }

  @Test(.needsTmux) func `the program runs without a cache if the cache cannot be written`() async throws {
    try await Program.inNewHome { program in
      try await program.with(["XDG_CACHE_HOME": "/dev/null/x"]).onTerminal(columns: 200) { terminal in
        try await terminal.wait(for: "Cannot write to /dev/null/x")
        try await terminal.wait(for: "Welcome to Qwinkle!")
      }
      #expect(program.files().contains { $0.path == Program.database })
    }
  }

  @Test(arguments: [
    ("exit 3", "failed with status 3"), ("echo two words", "Not a token"), (":", "Not a token"),
    ("head -c 9000 /dev/zero | tr '\\0' x", "Not a token"),
  ])
  func `a token command without a valid token is an error`(command: String, words: String) async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.with(["QWINKLE_TOKEN_COMMAND": command])
        .run("timeline", "public", "--server", "http://127.0.0.1:9")
      expectOneSentence(outcome, status: 1, words)
    }
  }

  @Test func `a standard input without a valid token is an error`() async throws {
    try await Program.inNewHome { program in
      for input in ["", "\n", "two words\n"] {
        let outcome = try await program.run(
          "timeline", "public", "--server", "http://127.0.0.1:9", "--token-stdin", input: input)
        #expect([1, 2].contains(outcome.status))
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains("token") && outcome.output.isEmpty)
      }
    }
  }

  @Test(.needsTmux) func `a missing keyboard is reported and an unknown terminal causes no crash`() async throws {
    try await Program.inNewHome { program in
      let script = #""$0" < /dev/null; echo "status $?""#
      try await program.onTerminal(command: ["/bin/sh", "-c", script, Program.path]) { terminal in
        let end = try await terminal.wait(for: "status")
        #expect(end.contains("status 1") && end.contains("qwinkle: Not a terminal"), "\(end)")
        #expect(!end.isAlternate)
      }
      for name in ["", "dumb", "no-such-terminal"] {
        let script = #"TERM=\#(name) "$0"; echo "status $?""#
        try await program.onTerminal(command: ["/bin/sh", "-c", script, Program.path]) { terminal in
          // It falls back to a known terminal type, or reports that it knows none.
          let screen = try await terminal.wait(for: "a word") { $0.contains("status 1") || $0.contains("Welcome") }
          if screen.contains("status 1") { #expect(screen.contains("qwinkle: "), "\(name): \(screen)") }
          #expect(!screen.contains("Fatal") && !screen.contains("status 139"))
        }
      }
    }
  }
}
