import Foundation
import QwinkleAccount
import QwinkleTesting
import TerminalTesting
import Testing

/// Shell commands that read and post, with scripted server responses.
@Suite(.bounded) struct ShellCommandTests {
  /// Runs `body` with a server that answers paths with these prefixes. A prefix without a body is unknown, like all
  /// other paths.
  private func withAnswers<Result>(
    _ answers: [(path: String, body: String)], _ body: (Program, ScriptedServer) async throws -> Result
  ) async throws -> Result {
    try await withServer { request in
      guard let answer = answers.first(where: { request.path.hasPrefix($0.path) }), !answer.body.isEmpty else {
        return .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404)
      }
      return .json(Array(answer.body.utf8))
    } _: { server in
      try await Program.inNewHome { program in
        try program.write("token\n".utf8, to: "token")
        return try await body(program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/token"]), server)
      }
    }
  }

  private func array(_ outcome: ChildProcess.Outcome) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]])
  }

  private static let mara = Answers.account("mara")
  private static let me = [
    ("/api/v1/accounts/verify_credentials", mara),
    ("/api/v2/instance", #"{"domain":"x","title":"X","version":"4.3.0"}"#),
  ]

  // MARK: Reading

  @Test func `bookmarks, favourites and an account's posts are read by name`() async throws {
    let marked = "[\(Answers.status("1", "<p>marked</p>"))]"
    let favourite = "[\(Answers.status("2", "<p>liked</p>"))]"
    let written = "[\(Answers.status("3", "<p>written</p>"))]"
    let answers = [
      ("/api/v1/bookmarks", marked), ("/api/v1/favourites", favourite),
      ("/api/v1/accounts/lookup?acct=bob", Answers.account("bob", id: "7")), ("/api/v1/accounts/7/statuses", written),
    ]
    try await withAnswers(answers) { program, server in
      for (name, word) in [("bookmarks", "marked"), ("favourites", "liked"), ("@bob", "written")] {
        let outcome = try await program.run("timeline", name, "--server", server.url)
        #expect(outcome.status == 0 && outcome.text.contains(word), "\(outcome.errors)")
      }
      let nobody = try await program.run("timeline", "@nobody", "--server", server.url)
      #expect(nobody.status == 1 && nobody.errorLines.count == 1)
    }
  }

  @Test func `a thread is printed in order with indented replies`() async throws {
    let parent = Answers.status("1", "<p>parent</p>")
    let answer = Answers.status("3", "<p>answer</p>", inReplyTo: "2")
    let deeper = Answers.status("4", "<p>deeper</p>", inReplyTo: "3")
    let answers = [
      ("/api/v1/statuses/2/context", #"{"ancestors":[\#(parent)],"descendants":[\#(answer),\#(deeper)]}"#),
      ("/api/v1/statuses/2", Answers.status("2", "<p>asked for</p>", inReplyTo: "1")),
    ]
    try await withAnswers(answers) { program, server in
      let outcome = try await program.run("thread", "2", "--server", server.url)
      #expect(outcome.status == 0 && outcome.errors == "")
      let lines = outcome.text.split(separator: "\n").map(String.init)
      let places = ["parent", "asked for", "  answer", "    deeper"].map { lines.firstIndex(of: $0) }
      #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(lines)")
      #expect(lines.contains { $0.hasPrefix("▶ ") && $0.hasSuffix("  2") })

      let json = try await program.run("thread", "2", "--json", "--server", server.url)
      let context = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect((context?["ancestors"] as? [Any])?.count == 1 && (context?["descendants"] as? [Any])?.count == 2)
      #expect((context?["status"] as? [String: Any])?["id"] as? String == "2")

      // The author's server doesn't provide the thread. The known part is printed anyway.
      for arguments in [[], ["--json"]] {
        let rest = try await program.run(["thread", "2", "--rest", "--server", server.url] + arguments)
        #expect(rest.status == 1)
        if arguments.isEmpty {
          #expect(rest.output == outcome.output, "\(rest.text)")
        } else {
          let known = try JSONSerialization.jsonObject(with: Data(rest.output)) as? [String: Any]
          #expect((known?["ancestors"] as? [Any])?.count == 1 && (known?["descendants"] as? [Any])?.count == 2)
        }
        #expect(rest.errors == "qwinkle: x doesn't show its threads here.\n", "\(rest.errors)")
      }
    }
  }

  @Test func `thread and reply accept the address that post prints`() async throws {
    let posted = Answers.status("9", "<p>mine</p>", author: Self.mara)
    let found = #"{"accounts":[],"statuses":[\#(posted)],"hashtags":[]}"#
    let answers =
      Self.me + [
        ("/api/v2/search?q=http%3A%2F%2Fx%2F9", found),
        ("/api/v2/search", #"{"accounts":[],"statuses":[],"hashtags":[]}"#),
        ("/api/v1/statuses/9/context", #"{"ancestors":[],"descendants":[]}"#), ("/api/v1/statuses/9", posted),
        ("/api/v1/statuses/7", ""), ("/api/v1/statuses", posted),
      ]
    try await withAnswers(answers) { program, server in
      let post = try await program.run("post", "mine", "--visibility", "public", "--server", server.url)
      let address = post.text.dropFirst("Posted: ".count).trimmingCharacters(in: .newlines)
      #expect(address == "http://x/9")
      let thread = try await program.run("thread", address, "--server", server.url)
      #expect(thread.status == 0 && thread.text.contains("mine"), "\(thread.errors)")
      let reply = try await program.run("reply", address, "More.", "--visibility", "public", "--server", server.url)
      #expect(reply.status == 0, "\(reply.errors)")
      #expect(try sentBody(server)["in_reply_to_id"] as? String == "9")
      // The server finds nothing by this address, so the program uses the id in it.
      let own = try await program.run("thread", "\(server.url)/@mara/9", "--server", server.url)
      #expect(own.status == 0 && own.text.contains("mine"), "\(own.errors)")
      for unknown in ["https://elsewhere.example/@a/9", "\(server.url)/@mara/7", "http://", "x://y"] {
        let outcome = try await program.run("thread", unknown, "--server", server.url)
        #expect(outcome.status != 0 && outcome.errorLines.count == 1, "\(unknown): \(outcome.errors)")
      }
    }
  }

  @Test func `a printed post has the same structure as on the screen`() async throws {
    let content =
      "<p>Bring:</p><ul><li>cups</li><li>tea</li></ul><blockquote><p>They said</p></blockquote><pre><code>let x = 1</code></pre>"
    let more = """
      "edited_at":"2026-01-02T00:00:00.000Z","media_attachments":[{"id":"1","type":"image","url":"https://files.example/1.png",
      "description":"a kiosk\\nat night"},{"id":"2","type":"video","url":"https://files.example/2.mp4"}],
      "poll":{"id":"5","expired":true,"votes_count":3,"own_votes":[1],"options":[{"title":"yes","votes_count":1},
      {"title":"no","votes_count":2}]},"card":{"url":"https://card.example/x","title":"A card"}
      """
    let status = Answers.status("2", content).replacing(#""media_attachments":[]"#, with: more).replacing(
      "\n", with: "")
    try await withAnswers([("/api/v1/timelines/public", "[\(status)]")]) { program, server in
      let outcome = try await program.run("timeline", "public", "--server", server.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(lines.first?.contains("  edited  2") == true, "\(lines)")
      let body = [
        "Bring:", "", "• cups", "• tea", "", "› They said", "", "    let x = 1",
        "▣ picture: a kiosk at night  https://files.example/1.png",
        "▣ video: no description  https://files.example/2.mp4", "○ yes  1", "◉ no  2", "3 votes, closed",
        "↗ A card  https://card.example/x",
      ]
      #expect(Array(lines.dropFirst().prefix(body.count)) == body, "\(lines)")
    }
  }

  @Test func `conversations are listed with people, text and unread mark`() async throws {
    try await withAnswers(Self.me + [("/api/v1/conversations", Self.conversations)]) { program, server in
      let outcome = try await program.run("messages", "--server", server.url)
      #expect(outcome.status == 0 && outcome.errors == "")
      #expect(outcome.text.contains("• Bob  @bob") && outcome.text.contains("  c1\n"), "\(outcome.text)")
      // The mention of the recipient is omitted.
      #expect(outcome.text.contains("  Bob: Nine it is.") && !outcome.text.contains("@mara"))
      let json = try await program.run("messages", "--json", "--server", server.url)
      #expect(try array(json).map { $0["id"] as? String } == ["c1"])
      #expect(!server.requests.contains { $0.method != "GET" })
    }
  }

  @Test func `a conversation is printed oldest first without unrelated messages`() async throws {
    let first = Self.message("1", "When?", by: "mara", to: "bob")
    let aside = Self.message("2", "Between us", by: "bob", to: "cora")
    let thread = #"{"ancestors":[\#(first),\#(aside)],"descendants":[]}"#
    let answers = Self.me + [("/api/v1/conversations", Self.conversations), ("/api/v1/statuses/3/context", thread)]
    try await withAnswers(answers) { program, server in
      let outcome = try await program.run("messages", "c1", "--server", server.url)
      #expect(outcome.status == 0 && outcome.errors == "")
      let lines = outcome.text.split(separator: "\n").map(String.init)
      #expect(lines.filter { $0.hasPrefix("  ") } == ["  When?", "  Nine it is."], "\(lines)")
      #expect(lines.first?.contains("Mara") == true && lines.first?.hasSuffix("  1") == true)
      let newest = try await program.run("messages", "c1", "--limit", "1", "--json", "--server", server.url)
      #expect(try array(newest).map { $0["id"] as? String } == ["3"])

      let unknown = try await program.run("messages", "c9", "--server", server.url)
      #expect(unknown.status == 1 && unknown.errors.contains("“c9”") && unknown.errorLines.count == 1)
    }
  }

  @Test func `messages with a user are found by name`() async throws {
    let list = [
      Self.conversation("c4", Self.message("4", "All three?", by: "bob", to: "mara"), with: "bob", "cora"),
      Self.conversation("c3", Self.message("3", "Nine it is.", by: "bob", to: "mara"), with: "bob"),
      Self.conversation("c2", Self.message("2", "Tea?", by: "bob", to: "mara"), with: "bob"),
    ].joined(separator: ",")
    let alone = #"{"ancestors":[],"descendants":[]}"#
    let answers =
      Self.me + [("/api/v1/conversations", "[\(list)]")]
      + ["2", "3"].map { ("/api/v1/statuses/\($0)/context", alone) }
    try await withAnswers(answers) { program, server in
      for name in ["bob", "@bob", "Bob"] {
        let outcome = try await program.run("messages", name, "--server", server.url)
        let lines = outcome.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(lines == ["  Tea?", "  Nine it is."], "\(outcome.text)\(outcome.errors)")
      }
      let newest = try await program.run("messages", "@bob", "--limit", "1", "--json", "--server", server.url)
      #expect(try array(newest).map { $0["id"] as? String } == ["3"])
      let group = try await program.run("messages", "@cora", "--server", server.url)
      #expect(group.status == 1 && group.errors.contains("c4 (@bob, @cora)"), "\(group.errors)")
      let nobody = try await program.run("messages", "@dora", "--server", server.url)
      #expect(nobody.status == 1 && nobody.errors.contains("“@dora”") && nobody.errorLines.count == 1)
      let deleted = try await program.run("messages", "bob", "--delete", "--server", server.url)
      #expect(deleted.status == 1 && !server.requests.contains { $0.method == "DELETE" }, "\(deleted.errors)")
    }
  }

  @Test func `the default timeline is home, or public if signed out`() async throws {
    let answers = [
      ("/api/v1/timelines/home", "[\(Answers.status("1", "<p>at home</p>"))]"),
      ("/api/v1/timelines/public", "[\(Answers.status("2", "<p>in public</p>"))]"),
    ]
    try await withAnswers(answers) { program, server in
      let home = try await program.run("timeline", "--server", server.url)
      #expect(home.text.contains("at home"), "\(home.errors)")
      let signedOut = try await program.with(["QWINKLE_TOKEN_COMMAND": ""]).run("timeline", "--server", server.url)
      #expect(signedOut.text.contains("in public"), "\(signedOut.errors)")
    }
  }

  @Test func `only replies to the user are printed as replies`() async throws {
    let bob = Answers.account("bob")
    let time = #""created_at":"2026-01-01T00:00:00.000Z""#
    let notifications = [("3", "mara-id"), ("2", "cora-id")].map { id, other in
      let status = Answers.status(id, "<p>words</p>", author: bob, inReplyTo: "1").dropLast()
      let reply = #"\#(status),"in_reply_to_account_id":"\#(other)"}"#
      return #"{"id":"\#(id)","type":"mention",\#(time),"account":\#(bob),"status":\#(reply)}"#
    }.joined(separator: ",")
    try await withAnswers(Self.me + [("/api/v1/notifications", "[\(notifications)]")]) { program, server in
      let outcome = try await program.run("notifications", "--server", server.url)
      let verbs = outcome.text.split(separator: "\n").filter { $0.hasPrefix("Bob") }
      #expect(verbs.count == 2 && verbs[0].contains("replied to you") && verbs[1].contains("mentioned you"), "\(verbs)")
    }
  }

  @Test func `a notification names the account and the action`() async throws {
    let status = Answers.status("9", "<p>my words</p>")
    let bob = Answers.account("bob")
    let time = #""created_at":"2026-01-01T00:00:00.000Z""#
    let notifications = """
      [{"id":"2","type":"favourite",\(time),"account":\(bob),"status":\(status)},
      {"id":"1","type":"follow",\(time),"account":\(bob)}]
      """
    try await withAnswers([("/api/v1/notifications", notifications)]) { program, server in
      let outcome = try await program.run("notifications", "--server", server.url)
      #expect(outcome.status == 0 && outcome.errors == "")
      #expect(outcome.text.contains("Bob  @bob  favourited") && outcome.text.contains("  my words"), "\(outcome.text)")
      #expect(outcome.text.contains("follows you"))
      let json = try await program.run("notifications", "--json", "--limit", "1", "--server", server.url)
      #expect(try array(json).map { $0["type"] as? String } == ["favourite"])
    }
  }

  @Test func `a search prints results of each kind`() async throws {
    let results = """
      {"accounts":[\(Answers.account("garda"))],"statuses":[\(Answers.status("9", "<p>in the garden</p>"))],
      "hashtags":[{"name":"garden","url":"http://x/tags/garden","history":[]}]}
      """
    try await withAnswers([("/api/v2/search?q=gard%20en", results)]) { program, server in
      let outcome = try await program.run("search", "gard", "en", "--server", server.url)
      #expect(outcome.status == 0 && outcome.errors == "")
      for words in ["Garda  @garda", "#garden", "in the garden"] { #expect(outcome.text.contains(words)) }
      let json = try await program.run("search", "gard", "en", "--json", "--server", server.url)
      let found = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: [[String: Any]]]
      #expect(found?["accounts"]?.count == 1 && found?["statuses"]?.count == 1 && found?["hashtags"]?.count == 1)
    }
    try await withAnswers([("/api/v2/search", #"{"accounts":[],"statuses":[],"hashtags":[]}"#)]) { program, server in
      let nothing = try await program.run("search", "nothing", "--server", server.url)
      #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.errors.contains("Nothing found"))
    }
  }

  // MARK: Writing

  @Test func `a post without --visibility has the account's default visibility`() async throws {
    let mara = Self.mara.dropLast() + #", "source": {"privacy": "private", "note": ""}}"#
    let answers = [
      ("/api/v1/accounts/verify_credentials", String(mara)),
      ("/api/v2/instance", #"{"domain":"x","title":"X","version":"4.3.0"}"#),
      ("/api/v1/statuses", Answers.status("9", "<p>x</p>")),
    ]
    try await withAnswers(answers) { program, server in
      #expect(try await program.run("post", "For those who follow.", "--server", server.url).status == 0)
      #expect(try sentBody(server)["visibility"] as? String == "private")
      let chosen = try await program.run("post", "For all.", "--visibility", "public", "--server", server.url)
      #expect(chosen.status == 0)
      #expect(try sentBody(server)["visibility"] as? String == "public")
    }
  }

  @Test func `a post is sent with its warning and visibility`() async throws {
    try await withAnswers([("/api/v1/statuses", Answers.status("9", "<p>x</p>"))]) { program, server in
      let outcome = try await program.run(
        "post", "The basil dies.", "--warning", "sad", "--visibility", "unlisted", "--server", server.url)
      #expect(outcome.status == 0 && outcome.text == "Posted: http://x/9\n", "\(outcome.errors)")
      let sent = try sentBody(server)
      #expect(sent["status"] as? String == "The basil dies." && sent["spoiler_text"] as? String == "sad")
      #expect(sent["visibility"] as? String == "unlisted")
      #expect(server.requests.last?.field("Authorization") == "Bearer token")
    }
  }

  @Test func `a direct post without recipients is not sent`() async throws {
    let posted = [("/api/v1/statuses", Answers.status("9", "<p>x</p>"))]
    try await withAnswers(posted) { program, server in
      let nobody = try await program.run("post", "psst", "--visibility", "direct", "--server", server.url)
      #expect(nobody.status == 2 && nobody.output.isEmpty && nobody.errorLines.count == 1)
      #expect(nobody.errors.contains("No recipients"), "\(nobody.errors)")
      #expect(!server.requests.contains { $0.method == "POST" })
      let somebody = try await program.run("post", "@bob psst", "--visibility", "direct", "--server", server.url)
      #expect(somebody.status == 0, "\(somebody.errors)")
    }
    // Also if the account's default visibility is direct.
    let me = Self.mara.dropLast() + #", "source": {"privacy": "direct", "note": ""}}"#
    let answers = [("/api/v1/accounts/verify_credentials", String(me)), Self.me[1]] + posted
    try await withAnswers(answers) { program, server in
      let usual = try await program.run("post", "psst", "--server", server.url)
      #expect(usual.status == 2 && !server.requests.contains { $0.method == "POST" }, "\(usual.errors)")
    }
  }

  @Test func `nothing is posted if the default visibility is unknown`() async throws {
    let answers = [
      ("/api/v1/accounts/verify_credentials", ""),
      ("/api/v1/statuses/3", Self.message("3", "x", by: "bob", to: "mara")),
      ("/api/v1/statuses", Answers.status("9", "<p>x</p>")),
    ]
    try await withAnswers(answers) { program, server in
      for arguments in [["post", "x"], ["reply", "3", "x"]] {
        let outcome = try await program.run(arguments + ["--server", server.url])
        #expect(outcome.status == 1 && outcome.errors.contains("--visibility"), "\(outcome.errors)")
      }
      #expect(!server.requests.contains { $0.method == "POST" })
    }
  }

  @Test func `more than 1 MiB on standard input is refused`() async throws {
    try await withAnswers([("/api/v1/statuses", Answers.status("9", "<p>x</p>"))]) { program, server in
      let most = 1 << 20
      let long = try await program.run(
        ["post", "--visibility", "public", "--server", server.url], input: String(repeating: "x", count: most + 1))
      #expect(long.status == 1 && long.errorLines.count == 1 && long.errors.contains("1 MiB"), "\(long.errors)")
      #expect(server.requests.isEmpty)
      let whole = try await program.run(
        ["post", "--visibility", "public", "--server", server.url], input: String(repeating: "x", count: most))
      #expect(whole.status == 0, "\(whole.errors)")
      #expect((try sentBody(server)["status"] as? String)?.count == most)
    }
  }

  @Test func `control characters are removed from posts`() async throws {
    try await withAnswers([("/api/v1/statuses", Answers.status("9", "<p>x</p>"))]) { program, server in
      let raw = "a\u{1B}[2Jb\tc\r\nd\u{7}\u{9B}e\u{0}f"
      let outcome = try await program.run(
        ["post", "-", "--visibility", "public", "--warning", "one\u{1B}\ntwo", "--server", server.url], input: raw)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let sent = try sentBody(server)
      #expect(sent["status"] as? String == "a[2Jb\tc\ndef" && sent["spoiler_text"] as? String == "one two")
      let argument = try await program.run(
        "post", "x\u{7}y", "--visibility", "public", "--server", server.url)
      #expect(argument.status == 0)
      #expect(try sentBody(server)["status"] as? String == "xy")
    }
  }

  @Test func `a token for a server without TLS prints a warning`() async throws {
    try await withAnswers([]) { program, server in
      let far = try await program.run("timeline", "public", "--server", "http://nonexistent.invalid")
      #expect(far.errors.contains("http sends your token unencrypted."), "\(far.errors)")
      for url in [server.url, "https://nonexistent.invalid"] {
        #expect(try await !program.run("timeline", "public", "--server", url).errors.contains("unencrypted"))
      }
      var signedOut = program
      signedOut.environment["QWINKLE_TOKEN_COMMAND"] = nil
      let outcome = try await signedOut.run("timeline", "public", "--server", "http://nonexistent.invalid")
      #expect(outcome.status == 1 && !outcome.errors.contains("unencrypted"))
    }
  }

  @Test func `a reply to a message mentions its author and stays direct`() async throws {
    let parent = Self.message("3", "Nine it is.", by: "bob", to: "mara")
    let posted = Answers.status("9", "<p>x</p>")
    let answers =
      Self.me + [("/api/v1/statuses/3", parent), ("/api/v1/statuses/4", ""), ("/api/v1/statuses", posted)]
    try await withAnswers(answers) { program, server in
      for (text, expected) in [("Good.", "@bob Good."), ("Good, @bob.", "Good, @bob.")] {
        let outcome = try await program.run(
          "reply", "3", "-", "--visibility", "public", "--json", "--server", server.url, input: text + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sent = try sentBody(server)
        #expect(sent["status"] as? String == expected && sent["in_reply_to_id"] as? String == "3")
        #expect(sent["visibility"] as? String == "direct")
      }
      let unknown = try await program.run("reply", "4", "x", "--server", server.url)
      #expect(unknown.status == 1 && unknown.errorLines.count == 1)
    }
  }

  private func sentBody(_ server: ScriptedServer) throws -> [String: Any] {
    let request = try #require(server.requests.last { $0.method == "POST" })
    return try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
  }

  // MARK: Hostile text

  @Test(arguments: [["messages"], ["messages", "c1"], ["notifications"], ["search", "x"], ["thread", "3"]])
  func `hostile text is printed without control characters`(arguments: [String]) async throws {
    let raw = #"\u001b]0;owned\u0007\u009b2J\u202eevil"#
    let bob = Answers.account("bob", name: "Bob \(raw)")
    let status = Self.message("3", "words \(raw)", by: "bob", to: "mara", name: "Bob \(raw)")
    let time = #""created_at":"2026-01-01T00:00:00.000Z""#
    let answers =
      Self.me + [
        ("/api/v1/conversations", #"[{"id":"c1","unread":true,"accounts":[\#(bob)],"last_status":\#(status)}]"#),
        ("/api/v1/notifications", #"[{"id":"2","type":"\#(raw)",\#(time),"account":\#(bob),"status":\#(status)}]"#),
        ("/api/v2/search", #"{"accounts":[\#(bob)],"statuses":[\#(status)],"hashtags":[{"name":"x\#(raw)"}]}"#),
        ("/api/v1/statuses/3/context", #"{"ancestors":[],"descendants":[]}"#), ("/api/v1/statuses/3", status),
      ]
    try await withAnswers(answers) { program, server in
      for options in [[], ["--json"]] {
        let outcome = try await ChildProcess.run(
          [Program.path] + arguments + ["--server", server.url] + options, environment: program.environment,
          directory: program.home)
        #expect(outcome.status == 0 && outcome.text.count > 20, "\(outcome.errors)")
        let bad = outcome.text.unicodeScalars.filter {
          ($0.properties.generalCategory == .control && $0 != "\n") || $0 == "\u{202E}"
        }
        #expect(bad.isEmpty, "\(bad)")
      }
    }
  }

  // MARK: Server content

  private static func conversation(_ id: String, _ last: String, with names: String...) -> String {
    let people = names.map { Answers.account($0) }.joined(separator: ",")
    return #"{"id":"\#(id)","unread":false,"accounts":[\#(people)],"last_status":\#(last)}"#
  }

  private static let conversations = """
    [{"id":"c1","unread":true,"accounts":[\(Answers.account("bob"))],
    "last_status":\(message("3", "Nine it is.", by: "bob", to: "mara", inReplyTo: "1"))}]
    """

  /// A private message that mentions its recipient, as servers require.
  private static func message(
    _ id: String, _ text: String, by author: String, to other: String, name: String? = nil, inReplyTo: String? = nil
  ) -> String {
    let mention = #"{"id":"\#(other)-id","username":"\#(other)","acct":"\#(other)","url":"http://x/@\#(other)"}"#
    let content = #"<p><span class=\"h-card\"><a href=\"http://x/@\#(other)\" class=\"mention\">@\#(other)</a></span> "#
    return Answers.status(
      id, content + text + "</p>", author: Answers.account(author, name: name), visibility: "direct",
      mentions: [mention], inReplyTo: inReplyTo)
  }
}
