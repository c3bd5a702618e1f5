import ArgumentParser
import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Commands for the same actions as keys.
@Suite(.bounded) struct VerbTests {
  private static let script: String = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.appending(path: "Shell/verbs").path
  }()

  /// Returns the command's name from a line such as `'--as' 'anna' 'post' 'Hello'`.
  private static func verb(in line: Substring) -> String? {
    var words = line.split(separator: " ").map { $0.filter { $0 != "'" } }[...]
    while words.first?.hasPrefix("--") == true { words = words.dropFirst(2) }
    return words.first
  }

  // Slow: it starts a process for every command.
  @Test func `one script runs every command on a server that it starts`() async throws {
    let text = try String(contentsOfFile: Self.script, encoding: .utf8)
    #expect(text.contains("\nset -euo pipefail\n"))
    try await Program.inNewHome { program in
      let file = "\(program.home)/operations"
      let outcome = try await ChildProcess.run(
        ["/usr/bin/env", "bash", Self.script, Program.path, file], environment: program.environment,
        directory: program.home,
        patience: .seconds(240))
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.text)\(outcome.errors)")
      #expect(outcome.text.hasPrefix("verbs: every command works, "))
      let operations = try String(contentsOfFile: file, encoding: .utf8)
      let verbs = Set(operations.split(separator: "\n").compactMap(Self.verb))
      for command in RootCommand.configuration.subcommands {
        let name = try #require(command.configuration.commandName)
        #expect(verbs.contains(name), "the script does not use \(name)")
      }
      print(outcome.text)
    }
  }

  // MARK: Without an account

  @MainActor
  private func accountUse(of arguments: [String]) throws -> String? {
    var uses: [String?] = []
    CommandRunner.observer = { uses.append($0) }
    defer { CommandRunner.observer = nil }
    let prepared = try CommandLineReader.prepared(arguments + ["--server", "http://tilde.example"])
    let command = try #require(try RootCommand.parseAsRoot(prepared) as? any ProgramCommand, "\(arguments)")
    try command.start()
    #expect(uses.count == 1, "\(arguments)")
    return uses.first ?? nil
  }

  @MainActor
  @Test(arguments: [
    ["boost", "1"], ["favourite", "1"], ["bookmark", "1", "--undo"], ["edit", "1", "x"], ["delete", "1"],
    ["redraft", "1"], ["follow", "@bob"], ["accept", "@bob"], ["refuse", "@bob"], ["remove-follower", "@bob"],
    ["message", "@bob", "x"], ["followers"], ["following"], ["whoami"], ["profile"], ["pin", "1"],
    ["mute-thread", "1"],
    ["vote", "1", "2"], ["mute", "@bob"], ["muted"], ["block", "@bob"], ["blocked"], ["note", "@bob"], ["requests"],
    ["lists"], ["list", "x"], ["tags"], ["follow-tag", "x"], ["filters"], ["filter", "x"], ["scheduled"],
    ["announcements"], ["block-server"], ["report", "@bob"], ["timeline", "home"], ["timeline", "bookmarks"],
    ["timeline", "favourites"], ["messages"], ["messages", "1"], ["notifications"], ["notifications", "--clear"],
    ["post", "x"], ["reply", "1", "x"], ["catchup"], ["export", "x"], ["import", "x"],
  ])
  func `a personal command needs an account`(arguments: [String]) throws {
    #expect(try accountUse(of: arguments)?.isEmpty == false)
  }

  @MainActor
  @Test(arguments: [
    ["timeline", "public"], ["timeline", "#x"], ["thread", "1"], ["search", "x"], ["history", "1"],
    ["boosted-by", "1"],
    ["favourited-by", "1"], ["followers", "@bob"], ["profile", "@bob"],
  ])
  func `a command that reads only public posts needs no account`(arguments: [String]) throws {
    #expect(try accountUse(of: arguments) == nil)
  }

  /// A command that reads, one that writes, and one that reads only an account's files.
  @Test(arguments: [["timeline", "home"], ["post", "x"], ["drafts"]])
  func `without an account, a command explains how to sign in and sends no request`(arguments: [String]) async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        let outcome = try await program.run(arguments + ["--server", server.url])
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("Sign in: qwinkle login URL"), "\(outcome.errors)")
        #expect(server.requests.isEmpty)
      }
    }
  }

  /// Runs a command, signed in, on a server with bob and his boost of qwink 1.
  private func run(
    _ arguments: String..., more: [String: String] = [:], body: (ChildProcess.Outcome, ScriptedServer) throws -> Void
  ) async throws {
    let original = Answers.status("1", "<p>said</p>")
    let boost = Answers.status("7", "<p></p>").dropLast() + #","reblog":\#(original)}"#
    let answers = more.merging([
      "/api/v1/statuses/7": String(boost), "/api/v1/accounts/lookup?acct=bob": Answers.account("bob", id: "5"),
    ]) { given, _ in given }
    let script: @Sendable (ScriptedServer.Request) -> Script = { request in
      guard let body = answers[request.path] else { return .json(Array(#"{"error":"no"}"#.utf8), status: 404) }
      return .json(Array(body.utf8))
    }
    try await withServer(script) { server in
      try await Program.inNewHome { program in
        let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
        try body(try await signedIn.run(arguments + ["--server", server.url]), server)
      }
    }
  }

  @Test func `a reaction to a boost applies to the boosted post`() async throws {
    let answer = ["/api/v1/statuses/1/favourite": Answers.status("1", "<p>said</p>")]
    try await run("favourite", "7", more: answer) { outcome, server in
      #expect(outcome.status == 0 && outcome.text == "Favourited: http://x/1\n", "\(outcome.errors)")
      #expect(server.requests.last?.method == "POST")
      #expect(server.requests.last?.path == "/api/v1/statuses/1/favourite")
    }
  }

  @Test func `accept and refuse answer a follow request and print its relationship as JSON`() async throws {
    let relationship = #"{"id":"5","following":false,"followed_by":true}"#
    for (verb, path, word) in [("accept", "authorize", "Accepted"), ("refuse", "reject", "Refused")] {
      let answer = ["/api/v1/follow_requests/5/\(path)": relationship]
      try await run(verb, "@bob", more: answer) { outcome, _ in
        #expect(outcome.text == "\(word) the follow request from @bob.\n", "\(outcome.errors)")
      }
      try await run(verb, "bob", "--json", more: answer) { outcome, _ in
        let entity = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
        #expect(entity?["followed_by"] as? Bool == true)
      }
    }
    try await run("accept", "@bob") { outcome, _ in
      #expect(outcome.status == 1 && outcome.errors == "qwinkle: No follow request from @bob.\n")
    }
  }

  @Test func `an edit preserves the warning and fails if it would drop a poll`() async throws {
    let me = Answers.account("alice")
    let post = Answers.status("3", "<p>old</p>")
    let poll = post.dropLast() + #","poll":{"id":"9","options":[{"title":"a"}]}}"#
    var answers = [
      "/api/v1/accounts/verify_credentials": me, "/api/v1/statuses/3": String(poll),
      "/api/v1/statuses/3/source": #"{"id":"3","text":"old","spoiler_text":"ending"}"#,
    ]
    try await run("edit", "3", "new", more: answers) { outcome, server in
      #expect(
        outcome.status == 1 && outcome.errors.contains("poll") && !server.requests.contains { $0.method == "PUT" })
    }
    answers["/api/v1/statuses/3"] = post
    for (warning, expected) in [([], "ending"), (["--warning", ""], ""), (["--warning", "end"], "end")] {
      let script = answers
      try await withServer({ .json(Array((script[$0.path] ?? "{}").utf8)) }) { server in
        try await Program.inNewHome { program in
          let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
          let outcome = try await signedIn.run(["edit", "3", "new"] + warning + ["--server", server.url])
          let put = try #require(server.requests.last { $0.method == "PUT" }, "\(outcome.errors)")
          let sent = try JSONSerialization.jsonObject(with: Data(put.body)) as? [String: Any]
          #expect(sent?["status"] as? String == "new" && sent?["spoiler_text"] as? String ?? "" == expected)
        }
      }
    }
  }

  @Test func `delete fails with an error if the server does not support it`() async throws {
    try await run("delete", "7") { outcome, server in
      #expect(server.requests.last?.path == "/api/v1/statuses/1" && server.requests.last?.method == "DELETE")
      #expect(outcome.status == 1 && outcome.errors.contains("Not deleted"), "\(outcome.errors)")
    }
  }

  @Test func `notifications are dismissed by id or cleared together`() async throws {
    let answers = ["/api/v1/notifications/3/dismiss": "{}", "/api/v1/notifications/clear": "{}"]
    try await run("notifications", "--dismiss", "3", "--dismiss", "4", more: answers) { outcome, server in
      #expect(
        server.requests.map { "\($0.method) \($0.path)" }.prefix(2)
          == ["POST /api/v1/notifications/3/dismiss", "POST /api/v1/notifications/4/dismiss"])
      #expect(outcome.status == 1 && outcome.text == "Dismissed: 3\n" && outcome.errors.contains("Not found"))
    }
    try await run("notifications", "--clear", more: answers) { outcome, server in
      #expect(outcome.status == 0 && outcome.text == "Cleared: you have no notifications now.\n", "\(outcome.errors)")
      #expect(server.requests.map { "\($0.method) \($0.path)" } == ["POST /api/v1/notifications/clear"])
    }
  }

  @Test func `dismissing and clearing fail with an error if the server supports neither`() async throws {
    let notification = #"{"id":"3","type":"follow","account":\#(Answers.account("bob", id: "5"))}"#
    let answers = ["/api/v1/notifications/3": notification]
    try await run("notifications", "--dismiss", "3", more: answers) { outcome, _ in
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(
        outcome.errors.hasSuffix("does not support dismissing single notifications, or not for this one.\n"),
        "\(outcome.errors)")
    }
    try await run("notifications", "--clear", more: answers) { outcome, _ in
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.hasSuffix("does not support clearing notifications.\n"), "\(outcome.errors)")
    }
  }

  @Test func `removing a profile picture fails with an error if the server does not support it`() async throws {
    try await run("profile", "--header", "none") { outcome, server in
      #expect(server.requests.map { "\($0.method) \($0.path)" }.last == "DELETE /api/v1/profile/header")
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.hasSuffix("does not support removing profile pictures.\n"), "\(outcome.errors)")
    }
  }

  // MARK: The command line

  @Test func `global options work before and after the command`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        let after = try await program.run("timeline", "public", "--server", server.url)
        #expect(after.status == 0 && after.text.contains("third"))
        for before in [["--server", server.url], ["--server=\(server.url)"]] {
          let outcome = try await program.run(before + ["timeline", "public"])
          #expect(outcome.output == after.output, "\(outcome.errors)")
        }
        let token = try await program.run(
          "--token-stdin", "--server", server.url, "timeline", "public", input: "token\n")
        #expect(token.output == after.output && server.requests.last?.field("Authorization") == "Bearer token")
      }
    }
  }

  @Test func `former names work but are not listed`() async throws {
    try await Program.inNewHome { program in
      #expect(try await program.run("notices").status == 0)
      #expect(try await program.run("--as", "local", "notices", "--json").text == "[]\n")
      #expect(try await program.run("timeline", "marks", "--json").text == "[]\n")
      #expect(try await program.run("help", "notices").text.contains("qwinkle notifications"))
      for arguments in [["--help"], ["timeline", "--help"], ["--generate-completion-script", "bash"]] {
        let text = try await program.run(arguments).text
        #expect(!text.contains("notices") && !text.contains(" marks") && text.contains("bookmark"), "\(arguments)")
      }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `completion scripts are generated`(shell: String) async throws {
    try await Program.inNewHome { program in
      let script = try await program.run("--generate-completion-script", shell)
      #expect(script.status == 0)
      for word in ["favourited-by", "notifications", "visibility", "followers"] {
        #expect(script.text.contains(word), "\(word)")
      }
      guard shell == "bash" else { return }
      try program.write(script.output, to: "completion")
      let checked = try await ChildProcess.run(
        ["/usr/bin/env", "bash", "-n", "completion"], environment: program.environment, directory: program.home)
      #expect(checked.status == 0, "\(checked.errors)")
    }
  }

  @Test func `private visibility is rejected and both alternatives are named`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        for command in [["post", "x"], ["reply", "1", "x"]] {
          let outcome = try await program.run(command + ["--visibility", "private", "--server", server.url])
          #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errorLines.count == 1)
          #expect(outcome.errors.contains("followers (your followers can see it)"), "\(outcome.errors)")
          #expect(outcome.errors.contains("direct (only those mentioned can)"), "\(outcome.errors)")
        }
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test func `text behind a warning is printed only on request`() async throws {
    let status = Answers.status("2", "<p>The butler.</p>").replacing(
      #""spoiler_text":"""#, with: #""spoiler_text":"ending""#)
    let filtered =
      Answers.status("1", "<p>The cook.</p>").dropLast()
      + #","filtered":[{"filter":{"id":"1","title":"food","filter_action":"warn"}}]}"#
    try await withTimeline(Answers.page(status, String(filtered))) { server in
      try await Program.inNewHome { program in
        let hidden = try await program.run("timeline", "public", "--server", server.url)
        #expect(hidden.text.contains("⚠ ending") && !hidden.text.contains("butler"), "\(hidden.text)")
        #expect(hidden.text.contains("⚠ Filtered: food") && !hidden.text.contains("cook"), "\(hidden.text)")
        for option in ["--reveal", "--json"] {
          let shown = try await program.run("timeline", "public", option, "--server", server.url)
          #expect(shown.text.contains("butler") && shown.text.contains("cook"))
        }
      }
    }
  }
}
