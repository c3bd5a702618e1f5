import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Import of an archive that an attacker made: no path in it leads outside, and each bad item costs only that item.
@Suite(.bounded) struct HostileArchiveTests {
  private static let picture = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
  private static let actor = """
    {"id":"https://old.example/users/anna","type":"Person","preferredUsername":"anna","name":"Anna\u{9B}31m",
    "summary":"<p>x</p>","icon":{"type":"Image","url":"../secret.png"}}
    """

  /// Returns an activity as JSON. `more` are members of the note.
  private static func create(_ id: Int, _ more: String = "", by actor: String = "anna") -> String {
    """
    {"type":"Create","actor":"https://old.example/users/\(actor)","published":"2020-01-01T00:00:\(id)Z","object":
    {"id":"https://old.example/\(id)","type":"Note","published":"2020-01-01T00:00:\(id)Z","content":"<p>Post \(id)</p>",
    "to":["https://www.w3.org/ns/activitystreams#Public"]\(more)}}
    """
  }

  private static func file(_ path: String) -> String { #","attachment":[{"type":"Document","url":"\#(path)"}]"# }

  @Test func `a hostile archive can't read files outside, and its good posts are imported`() async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo \(token)"])
      let folder = "\(program.home)/archive"
      let manager = FileManager.default
      try program.write(try #require(Self.picture), to: "secret.png")
      try program.write(try #require(Self.picture), to: "outside/secret.png")
      try program.write(Self.actor.utf8, to: "archive/actor.json")
      try manager.createSymbolicLink(atPath: "\(folder)/link.png", withDestinationPath: "\(program.home)/secret.png")
      try manager.createSymbolicLink(atPath: "\(folder)/linked", withDestinationPath: "\(program.home)/outside")
      let escape = #"\u001b]0;x\u0007\u009b2J"#
      let items = [
        Self.create(11, Self.file("../secret.png")), Self.create(12, Self.file("link.png")),
        Self.create(13, Self.file("linked/secret.png")), Self.create(14, Self.file("\(program.home)/secret.png")),
        Self.create(15, #","summary":"\#(escape)""#), Self.create(16, by: "mallory"),
        "7", "null", #""text""#, String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000),
        #"{"type":"Create","published":7,"object":[]}"#,
        Self.create(17, #","x":"\#(String(repeating: "y", count: 2 << 20))""#),
        Self.create(20).replacing("old.example/20", with: "old.example/\(String(repeating: "9", count: 900_000))"),
        Self.create(18).replacing("2020-01", with: "2199-01"), Self.create(19, #","id":"\#(escape)""#),
        #"{"type":"Announce","published":"2020-01-01T00:00:00Z","object":7}"#,
      ]
      try program.write("{\"orderedItems\":[\(items.joined(separator: ","))]}".utf8, to: "archive/outbox.json")
      try program.write("Account address\n\u{1B}[2J@x\n,,,\n\"\nben@@\n".utf8, to: "archive/following_accounts.csv")
      try program.write("a\u{9B}b,../x\n".utf8, to: "archive/lists.csv")
      try program.write("[{\"id\":7},[".utf8, to: "archive/filters.json")
      try manager.createSymbolicLink(atPath: "\(folder)/blocked_accounts.csv", withDestinationPath: "/etc/passwd")

      try await signedIn.serving { url in
        let outcome = try await signedIn.run("import", folder, "--server", url)
        #expect(outcome.status == 1, "\(outcome.text)\(outcome.errors)")
        #expect(TerminalBytes.violations(inPlainText: outcome.output).isEmpty)
        #expect(TerminalBytes.violations(inPlainText: Array(outcome.errors.utf8)).isEmpty, "\(outcome.errors)")
        for name in ["../secret.png", "link.png", "linked/secret.png", "The avatar", "https://old.example/16"] {
          #expect(outcome.errors.contains(name), "\(name): \(outcome.errors)")
        }
        #expect(!outcome.errors.contains("root"))
        let timeline = try await signedIn.run("timeline", "public", "--json", "--server", url)
        for id in 11...15 { #expect(timeline.text.contains("<p>Post \(id)</p>"), "\(id)") }
        for id in [16, 17, 18] { #expect(!timeline.text.contains("<p>Post \(id)</p>"), "\(id)") }
        #expect(!timeline.text.contains("\"type\":\"image\""))
      }
      let media = try? manager.contentsOfDirectory(atPath: "\(program.home)/data/media")
      #expect(media?.isEmpty != false)
    }
  }

  @Test func `a post with a file that the server never accepts is imported without it`() async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo \(token)"])
      try program.write(Self.actor.utf8, to: "archive/actor.json")
      try program.write("moving pictures".utf8, to: "archive/clip.mp4")
      try program.write("sounds".utf8, to: "archive/song.wma")
      let song = Self.file("song.wma").replacing("\"Document\"", with: "\"Document\",\"mediaType\":\"audio/x-ms-wma\"")
      let items = [Self.create(21, Self.file("clip.mp4")), Self.create(22, song)]
      try program.write("{\"orderedItems\":[\(items.joined(separator: ","))]}".utf8, to: "archive/outbox.json")
      try await signedIn.serving { url in
        let arguments = ["import", "\(program.home)/archive", "--only", "posts", "--server", url]
        let trial = try await signedIn.run(arguments + ["--dry-run"])
        #expect(trial.status == 1 && trial.text == "Would import: 2 posts\n", "\(trial.text)\(trial.errors)")
        let outcome = try await signedIn.run(arguments)
        #expect(outcome.status == 1 && outcome.text == "Imported: 2 posts\n", "\(outcome.text)\(outcome.errors)")
        for words in ["clip.mp4 is video/mp4", "song.wma is audio/x-ms-wma"] {
          #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
        let timeline = try await signedIn.run("timeline", "public", "--json", "--server", url)
        for id in [21, 22] { #expect(timeline.text.contains("<p>Post \(id)</p>"), "\(timeline.text)") }
        let again = try await signedIn.run(arguments)
        #expect(again.status == 0 && again.text == "Imported: nothing\n", "\(again.text)\(again.errors)")
      }
    }
  }

  @Test func `users of another shared host aren't confused with users here`() async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      _ = try await program.makeUser("ben")
      let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo \(token)"])
      let actor = Self.actor.replacing("https://old.example/users", with: "http://shared")
        .replacing(#""type":"Person""#, with: #""type":"Person","webfinger":"anna@shared""#)
      try program.write(actor.utf8, to: "archive/actor.json")
      try program.write("ben@shared\nben@127.0.0.1\n".utf8, to: "archive/blocked_accounts.csv")
      try await signedIn.serving { url in
        let arguments = ["import", "\(program.home)/archive", "--only", "blocks", "--server", url]
        let outcome = try await signedIn.run(arguments)
        #expect(outcome.status == 1 && outcome.text == "Imported: nothing\n", "\(outcome.text)\(outcome.errors)")
        for address in ["ben@shared", "ben@127.0.0.1"] {
          #expect(outcome.errors.contains("\(address) is a user of one host only"), "\(outcome.errors)")
        }
        let named = try await signedIn.run(arguments + ["--same-names"])
        #expect(named.text == "Imported: 1 block\n" && named.errors.contains("ben@127.0.0.1"), "\(named.errors)")
      }
    }
  }

  @Test func `a folder that isn't an archive is refused`() async throws {
    try await Program.inNewHome { program in
      let reasons = ["missing": "isn't a folder", "empty": "no readable actor.json", "bad": "the profile"]
      for (name, reason) in reasons {
        if name != "missing" { try program.write(name == "bad" ? Array("[]".utf8) : [], to: "\(name)/x") }
        if name == "bad" { try program.write("{}".utf8, to: "bad/actor.json") }
        let outcome = try await program.run("import", "\(program.home)/\(name)")
        #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
      }
      let outcome = try await program.run("import", program.home, "--only", "posts,cookies")
      #expect(outcome.status == 2 && outcome.errors.contains("“cookies”"), "\(outcome.errors)")
    }
  }
}
