import Foundation
import TerminalTesting
import Testing

/// Moderation with the commands of `qwinkle serve`, while the server runs.
@Suite(.bounded) struct ModerationCommandTests {
  private func serve(_ program: Program, _ arguments: String...) async throws -> ChildProcess.Outcome {
    try await program.run(["serve"] + arguments + ["--data", "\(program.home)/data"])
  }

  private func addUser(_ name: String, _ program: Program) async throws -> String {
    try await serve(program, "add-user", name).text
  }

  private func objects(_ outcome: ChildProcess.Outcome) throws -> [[String: Any]] {
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [[String: Any]])
  }

  @Test(arguments: ["--post", "--qwink"])
  func `reports are listed, shown, resolved and reopened`(option: String) async throws {
    try await Program.inNewHome { program in
      let anna = try await addUser("anna", program)
      let ben = try await addUser("ben", program)
      try await program.serving { url in
        func run(_ token: String, _ arguments: String...) async throws -> ChildProcess.Outcome {
          try await program.run(arguments + ["--server", url, "--token-stdin"], input: token)
        }
        let posted = try await run(ben, "post", "Buy \u{202E}this", "--json")
        let post = try #require(posted.text.firstMatch(of: #/"id":"([0-9]+)"/#)).output.1
        let made = try await run(
          anna, "report", "@ben", option, String(post), "--comment", "Only\nads", "--category", "spam")
        try #require(made.status == 0, "\(made.errors)")

        let list = try await objects(serve(program, "reports", "--json"))
        let report = try #require(list.first)
        let id = try #require(report["id"] as? String)
        #expect(list.count == 1 && report["reporter"] as? String == "anna" && report["reported"] as? String == "ben")
        #expect(report["comment"] as? String == "Only\nads" && report["status_ids"] as? [String] == [String(post)])
        #expect(report["resolved_at"] == nil && report["posts"] == nil)
        let row = try await serve(program, "reports").text
        #expect(row.hasPrefix("\(id) · ") && row.contains("@anna reported @ben · spam · posts \(post) · Only ads"))
        #expect(row.filter { $0 == "\n" }.count == 1)
        let shown = try await serve(program, "reports", "show", id).text
        #expect(
          shown.contains("@anna reported @ben: spam") && shown.contains("  Buy this") && !shown.contains("\u{202E}"))
        let whole = try await serve(program, "reports", "show", id, "--json")
        #expect(whole.text.contains("Buy this") && whole.text.contains(#""visibility":"public""#), "\(whole.text)")

        let resolved = try await serve(program, "reports", "resolve", id, "--note", "Told him.")
        #expect(resolved.status == 0 && resolved.text.contains("qwinkle serve reports reopen \(id) --data "))
        #expect(try await serve(program, "reports").text == "")
        #expect(try await objects(serve(program, "reports", "--json")).isEmpty)
        let old = try #require(try await objects(serve(program, "reports", "--all", "--json")).first)
        #expect(old["note"] as? String == "Told him." && old["resolved_at"] is String && old["resolved_by"] is String)
        #expect(try await serve(program, "reports", "reopen", id).text == "Report \(id) is open.\n")
        #expect(try await serve(program, "reports").text == row)
        for arguments in [["show", "7"], ["resolve", "7"], ["reopen", "x"]] {
          let refused = try await program.run(["serve", "reports"] + arguments + ["--data", "\(program.home)/data"])
          #expect(refused.status == 1 && refused.text == "" && refused.errorLines.count == 1, "\(refused.errors)")
        }

        let deleted = try await serve(program, "delete-post", String(post), "--reason", "No ads.")
        #expect(deleted.text == "Post \(post) is deleted.\n", "\(deleted.errors)")
        #expect(try await serve(program, "reports", "show", id).text.contains("Post \(post) · deleted"))
        let told = try await run(ben, "notifications").text
        #expect(
          told.contains("A message from your moderators") && told.contains("1 of your posts was deleted. No ads."))
      }
    }
  }

  @Test func `an operator's notifications name the reporter, the reported user and the reason`() async throws {
    try await Program.inNewHome { program in
      let anna = try await addUser("anna", program)
      _ = try await addUser("ben", program)
      let olga = try await addUser("olga", program)
      #expect(try await serve(program, "users", "role", "olga", "moderator").status == 0)
      #expect(try await serve(program, "users").text.contains("@olga · moderator · "))
      let wrong = try await serve(program, "users", "role", "olga", "queen")
      #expect(wrong.status == 2 && wrong.errors.contains("moderator, admin or user"))
      try await program.serving { url in
        let report = ["report", "@ben", "--comment", "Only ads.", "--category", "spam"]
        let made = try await program.run(report + ["--server", url, "--token-stdin"], input: anna)
        try #require(made.status == 0, "\(made.errors)")
        let told = try await program.run("notifications", "--server", url, "--token-stdin", input: olga).text
        #expect(told.contains("anna") && told.contains("reported an account"), "\(told)")
        #expect(told.contains("@ben · spam: Only ads."), "\(told)")
      }
    }
  }

  @Test func `a limit and its log`() async throws {
    try await Program.inNewHome { program in
      let ben = try await addUser("ben", program)
      let limited = try await serve(program, "users", "limit", "ben", "--reason", "Calm down.")
      #expect(limited.text.contains("To undo: qwinkle serve users unlimit ben --data "), "\(limited.errors)")
      #expect(try await serve(program, "users").text.contains(" · limited\n"))
      try await program.serving { url in
        let told = try await program.run("notifications", "--server", url, "--token-stdin", input: ben).text
        #expect(told.contains("Your account is limited. Calm down."), "\(told)")
      }
      #expect(try await serve(program, "users", "unlimit", "ben").status == 0)
      #expect(try await !serve(program, "users").text.contains("limited"))

      let log = try await objects(serve(program, "log", "--json", "--user", "ben", "--since", "1h"))
      #expect(log.compactMap { $0["action"] as? String } == ["unlimit", "limit", "add-user"])
      #expect(log.compactMap { $0["reason"] as? String } == ["", "Calm down.", ""])
      for entry in log {
        let actor = try #require(entry["actor"] as? [String: Any])
        #expect(actor["uid"] as? Int == Int(getuid()) && actor["name"] is String)
      }
      let row = try #require(try await serve(program, "log").text.split(separator: "\n").dropFirst().first)
      #expect(row.contains(" (uid \(getuid())) · limit · @ben · Calm down."), "\(row)")
      #expect(try await serve(program, "log", "--user", "nobody").text == "")
      let wrong = try await serve(program, "log", "--since", "yesterday")
      #expect(wrong.status == 2 && wrong.errors.contains("--since must be"))
    }
  }

  @Test func `rules are changed while the server runs`() async throws {
    try await Program.inNewHome { program in
      _ = try await addUser("anna", program)
      try await program.serving { url in
        #expect(try await serve(program, "rules", "add", "Be kind.").text == "1\n")
        #expect(try await serve(program, "rules", "add", "No ads.").text == "2\n")
        #expect(try await serve(program, "rules", "edit", "1", "Be calm.").status == 0)
        #expect(try await serve(program, "rules").text == "1 · Be calm.\n2 · No ads.\n")
        let shown = try await program.run("server", "--server", url).text
        #expect(shown.contains("Rule 1: Be calm.") && shown.contains("Rule 2: No ads."), "\(shown)")
        #expect(try await serve(program, "rules", "remove", "1").status == 0)
        let rules = try await objects(serve(program, "rules", "--json"))
        #expect(rules.compactMap { $0["id"] as? String } == ["2"])
        #expect(try await serve(program, "rules", "remove", "1").status == 1)
        #expect(try await serve(program, "rules", "add", " ").status == 1)
      }
    }
  }
}
