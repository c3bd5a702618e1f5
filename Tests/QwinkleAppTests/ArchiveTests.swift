import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Moving a user's data from one server to another with `qwinkle export` and `qwinkle import`.
@Suite(.bounded) struct ArchiveTests {
  /// A user of a server.
  private struct User {
    let program: Program
    let url: String
    let token: String

    func run(_ arguments: String...) async throws -> ChildProcess.Outcome {
      try await program.run(["--server", url, "--token-stdin"] + arguments, input: "\(token)\n")
    }

    /// Runs a command that must succeed, and returns its standard output.
    @discardableResult
    func says(_ arguments: String...) async throws -> String {
      let outcome = try await program.run(["--server", url, "--token-stdin"] + arguments, input: "\(token)\n")
      try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
      return outcome.text
    }

    /// Runs a command with `--json` and returns the id in its output.
    func id(_ arguments: String...) async throws -> String {
      let outcome = try await program.run(
        ["--server", url, "--token-stdin"] + arguments + ["--json"], input: "\(token)\n")
      let object = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      return try #require(object?["id"] as? String, "\(arguments): \(outcome.errors)")
    }
  }

  private static let picture = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

  /// Runs `body` with two servers that have the users anna and ben each.
  private func withServers(
    _ body: (Program, _ old: User, _ oldBen: User, _ new: User, _ newBen: User) async throws -> Void
  ) async throws {
    try await Program.inNewHome { program in
      var users: [User] = []
      var served: [Program.Served] = []
      func stop() async { for server in served { _ = try? await server.process.stop() } }
      do {
        for folder in ["data", "data2"] {
          var tokens: [String] = []
          for name in ["anna", "ben"] { tokens.append(try await program.makeUser(name, data: folder)) }
          let server = try await program.startServing(data: folder)
          served.append(server)
          users += tokens.map { User(program: program, url: server.url, token: $0) }
        }
        try await body(program, users[0], users[1], users[2], users[3])
      } catch {
        await stop()
        throw error
      }
      await stop()
    }
  }

  private func posts(_ folder: String) throws -> [ArchivedPost] {
    let file = try Data(contentsOf: URL(filePath: "\(folder)/outbox.json"))
    let outbox = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
    let items = try #require(outbox["orderedItems"] as? [Any])
    #expect(outbox["type"] as? String == "OrderedCollection" && outbox["totalItems"] as? Int == items.count)
    return try items.compactMap { item in
      let bytes = Array(try JSONSerialization.data(withJSONObject: item))
      let activity = try WireDecoder.archivedActivity(from: bytes, hasFullNames: false)
      guard case .post(let post) = activity else { return nil }
      return post
    }
  }

  private func rows(_ folder: String, _ name: String) throws -> [[String]] {
    CSVTable.rows(Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
  }

  /// Writes posts of every kind.
  private func write(_ program: Program, _ anna: User, _ ben: User) async throws {
    try program.write(try #require(Self.picture), to: "kiosk.png")
    let first = try await anna.id("post", "First of a thread #tea\n\nA second paragraph & <more>")
    try await anna.says("reply", first, "Second of a thread")
    try await anna.says("post", "The butler.", "--warning", "ending", "--visibility", "unlisted", "--language", "de")
    try await anna.says("post", "For followers", "--visibility", "followers")
    try await anna.says("post", "@ben for you", "--visibility", "direct")
    try await anna.says("post", "Tea or coffee?", "--poll", "Tea", "--poll", "Coffee", "--poll-for", "8h")
    try await anna.says(
      "post", "The kiosk.", "--attach", "\(program.home)/kiosk.png", "--alt", "A green kiosk", "--focus", "0.5,-0.25")
    let edited = try await anna.id("post", "Nearly right")
    try await anna.says("edit", edited, "Right")
    try await anna.says("boost", try await ben.id("post", "By Ben"))
    try await anna.says("bookmark", first)
    try await anna.says("follow", "@ben", "--no-boosts")
    try await anna.says("list", "friends", "--create")
    try await anna.says("list", "friends", "--add", "@ben")
    try await anna.says("filter", "spoilers", "--word", "ending", "--hide")
  }

  @Test func `an export is imported into a second server with the same posts, follows and lists`() async throws {
    try await withServers { program, old, oldBen, new, _ in
      try await write(program, old, oldBen)
      let (one, two) = ("\(program.home)/one", "\(program.home)/two")
      #expect(try await old.says("export", one).contains("8 posts"))
      let trial = try await new.says("import", one, "--same-names", "--dry-run")
      #expect(trial.contains("Would import: ") && trial.contains("8 posts"), "\(trial)")
      let imported = try await new.says("import", one, "--same-names")
      #expect(imported.contains("8 posts") && imported.contains("1 follow,"), "\(imported)")
      #expect(try await new.says("export", two).contains("8 posts"))

      let (before, after) = (try posts(one), try posts(two))
      #expect(before.count == 8 && before.map(\.text) == after.map(\.text))
      #expect(before.map(\.publishedAt) == after.map(\.publishedAt))
      #expect(before.map(\.editedAt) == after.map(\.editedAt) && before.contains { $0.editedAt != nil })
      #expect(before.map(\.visibility) == after.map(\.visibility))
      #expect(Set(before.map(\.visibility)) == [.public, .unlisted, .private, .direct])
      #expect(before.map(\.warning) == after.map(\.warning) && before.map(\.language) == after.map(\.language))
      #expect(before.map(\.isSensitive) == after.map(\.isSensitive))
      #expect(before.map { $0.poll?.options.map(\.title) } == after.map { $0.poll?.options.map(\.title) })
      for posts in [before, after] {
        let parent = try #require(posts.first { $0.text.hasPrefix("First") })
        #expect(posts.first { $0.text.hasPrefix("Second") }?.parent == parent.uri)
      }
      let files = (before.flatMap(\.files), after.flatMap(\.files))
      #expect(files.0.map(\.altText) == ["A green kiosk"] && files.1.map(\.altText) == ["A green kiosk"])
      #expect(files.0.map(\.focus) == files.1.map(\.focus) && files.0[0].focus != nil)
      func bytes(_ folder: String, _ file: ArchivedPost.File) throws -> Data {
        try Data(contentsOf: URL(filePath: "\(folder)/\(file.path)"))
      }
      #expect(try bytes(one, files.0[0]) == bytes(two, files.1[0]))

      for name in ["following_accounts.csv", "lists.csv"] {
        let addresses = (try rows(one, name), try rows(two, name))
        #expect(addresses.0.count == addresses.1.count && addresses.0.joined().contains { $0.hasPrefix("ben@") })
      }
      #expect(try rows(two, "following_accounts.csv").last?[1] == "false")
      #expect(try await new.says("filters").contains("spoilers"))
      #expect(try rows(two, "bookmarks.csv") == [[try #require(after.first { $0.text.hasPrefix("First") }).uri]])

      let again = try await new.says("import", one, "--same-names")
      #expect(again == "Imported: nothing\n")
      #expect(try await new.says("export", two).contains("8 posts"))
      #expect(try posts(two).map(\.uri) == after.map(\.uri))
    }
  }

  @Test func `an archive has private permissions, and a second export of it fetches no file again`() async throws {
    try await withServers { program, old, oldBen, _, _ in
      try await write(program, old, oldBen)
      let folder = "\(program.home)/one"
      try await old.says("export", folder)
      let paths = try #require(FileManager.default.subpaths(atPath: folder))
      #expect(!paths.contains { $0.hasPrefix(ExportState.folder) || $0.hasSuffix(".part") }, "\(paths)")
      for path in paths {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
        let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
        #expect(facts[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(path)")
      }
      let file = try #require(paths.first { $0.hasPrefix("media_attachments/files/") })
      try Data("kept".utf8).write(to: URL(filePath: "\(folder)/\(file)"))
      try await old.says("export", folder)
      #expect(try Data(contentsOf: URL(filePath: "\(folder)/\(file)")) == Data("kept".utf8))
      let other = try await oldBen.run("export", folder)
      #expect(other.status == 1 && other.errors.contains("has an export of @anna@"), "\(other.errors)")
      let packed = "\(program.home)/packed.tar.gz"
      let told = try await old.says("export", packed)
      #expect(told.hasPrefix("Exported to \(packed): ") && told.contains("8 posts"), "\(told)")
      let facts = try FileManager.default.attributesOfItem(atPath: packed)
      #expect(facts[.posixPermissions] as? Int == 0o600)
      #expect(!FileManager.default.fileExists(atPath: "\(packed).unpacked"))
      try program.write(Data("mine".utf8), to: "full/notes.txt")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(program.home)/full")
      let full = try await old.run("export", "\(program.home)/full")
      #expect(full.status == 1 && full.errors.contains("isn't empty"), "\(full.errors)")
      let refused = try FileManager.default.attributesOfItem(atPath: "\(program.home)/full")
      #expect(refused[.posixPermissions] as? Int == 0o755)
    }
  }

  @Test func `the embedded timeline moves to a server`() async throws {
    try await Program.inNewHome { program in
      try program.write(try #require(Self.picture), to: "kiosk.png")
      let written = try await program.run("post", "The kiosk.", "--attach", "kiosk.png", "--alt", "A green kiosk")
      #expect(written.status == 0, "\(written.errors)")
      let exported = try await program.run("export", "one", "--json")
      #expect(exported.status == 0 && exported.text.contains(#""failures":[]"#), "\(exported.text)\(exported.errors)")
      let post = try #require(try posts("\(program.home)/one").last)
      #expect(post.text == "The kiosk." && post.files.map(\.altText) == ["A green kiosk"])
      let token = try await program.makeUser("anna")
      try await program.serving { url in
        let server = program.with(["QWINKLE_TOKEN_COMMAND": "echo \(token)"])
        let imported = try await server.run("import", "one", "--only", "posts", "--server", url)
        #expect(imported.status == 0, "\(imported.errors)")
        let timeline = try await server.run("timeline", "public", "--json", "--server", url)
        #expect(timeline.text.contains("The kiosk.") && timeline.text.contains("A green kiosk"), "\(timeline.text)")
      }
    }
  }

  @Test func `a post whose picture is refused is imported later, with its picture`() async throws {
    try await Program.inNewHome { program in
      try program.write(try #require(Self.picture), to: "kiosk.png")
      #expect(
        try await program.run("post", "The kiosk.", "--attach", "kiosk.png", "--alt", "A green kiosk").status == 0)
      #expect(try await program.run("export", "one").status == 0)
      let token = try await program.makeUser("anna", data: "served")
      for quota in ["10", "1MB"] {
        let served = try await program.startServing(["--picture-quota", quota], data: "served")
        let anna = User(program: program, url: served.url, token: token)
        let imported = try await anna.run("import", "one", "--only", "posts")
        let timeline = try await anna.run("timeline", "public", "--json")
        _ = try await served.process.stop()
        let isRefused = quota == "10"
        #expect(imported.status == (isRefused ? 1 : 0), "\(imported.errors)")
        #expect(imported.text == (isRefused ? "Imported: nothing\n" : "Imported: 1 file, 1 post\n"))
        #expect(timeline.text.contains("The kiosk.") != isRefused, "\(timeline.text)")
        #expect(timeline.text.contains("A green kiosk") != isRefused, "\(timeline.text)")
      }
    }
  }

  // MARK: Other servers

  /// Answers as a server with 3 pages of posts. Post 5 has a picture, and `isBroken` decides which paths fail.
  private static func server(
    _ isBroken: @escaping @Sendable (String) -> Bool
  ) -> @Sendable (ScriptedServer.Request) -> Script {
    { request in
      let path = String(request.path.prefix { $0 != "?" })
      if isBroken(request.path) { return .json(Array(#"{"error":"down"}"#.utf8), status: 503) }
      func list(_ ids: ClosedRange<Int>, next: String?) -> Script {
        let base = "http://\(request.field("Host") ?? "")"
        let file = #""media_attachments":[{"id":"p","type":"image","url":"\#(base)/kiosk.png","description":"Kiosk"}]"#
        let posts = ids.reversed().map { id in
          let post = Answers.status("\(id)", "<p>Post \(id)</p>")
          return id == 5 ? post.replacing(#""media_attachments":[]"#, with: file) : post
        }
        let link = next.map { [("Link", "<\(base)/api/v1/accounts/alice-id/statuses?max_id=\($0)>; rel=\"next\"")] }
        return .json(Array("[\(posts.joined(separator: ","))]".utf8), fields: link ?? [])
      }
      switch path {
      case "/api/v2/instance": return .json(Array(#"{"domain":"tilde.example","title":"T","version":"4.3.0"}"#.utf8))
      case "/api/v1/accounts/verify_credentials": return .json(Array(Answers.account("alice").utf8))
      case "/api/v1/accounts/alice-id/statuses":
        if request.path.contains("max_id=4") { return list(3...3, next: "3") }
        return request.path.contains("max_id=3") ? list(1...2, next: nil) : list(4...5, next: "4")
      case "/kiosk.png": return .answer(200, Array(picture ?? Data()), fields: [("Content-Type", "image/png")])
      case "/api/v1/accounts/alice-id/following", "/api/v1/accounts/alice-id/followers":
        return .json(Array("[]".utf8))
      default: return .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404)
      }
    }
  }

  @Test func `an interrupted export is continued, and a missing file is reported`() async throws {
    let broken = Toggle("max_id=3")
    try await withServer(Self.server { broken.matches($0) }) { server in
      try await Program.inNewHome { program in
        let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
        let folder = "\(program.home)/one"
        let arguments = ["export", folder, "--server", server.url]
        let first = try await signedIn.run(arguments)
        #expect(first.status == 1, "\(first.text)\(first.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/outbox.json"))

        broken.set("kiosk.png")
        let count = server.requests.count
        let second = try await signedIn.run(arguments)
        #expect(second.status == 1 && second.text.contains("5 posts"), "\(second.text)\(second.errors)")
        #expect(second.errors.contains("http://x/5") && second.errors.contains("1 item failed"), "\(second.errors)")
        // The middle page was received before.
        #expect(!server.requests.dropFirst(count).contains { $0.path.contains("max_id=4") })
        #expect(try posts(folder).map(\.text) == (1...5).map { "Post \($0)" })

        broken.set("nothing")
        let third = try await signedIn.run(arguments)
        #expect(third.status == 0, "\(third.errors)")
        let file = try #require(try posts(folder).last?.files.first)
        #expect(file.path == "media_attachments/files/p.png" && file.altText == "Kiosk")
        let imported = try await signedIn.run("import", folder, "--only", "posts", "--server", server.url)
        #expect(imported.status == 1 && imported.errors.contains("Mastodon's API has no call for it"))
        let all = try await signedIn.run("import", folder, "--server", server.url)
        #expect(all.errors.contains("Mastodon's API has no call for it"), "\(all.errors)")
        #expect(!server.requests.contains { $0.method == "POST" && !$0.path.contains("/import/known") })
      }
    }
  }

  /// Answers as a server with the posts 1 to `count`, two on a page. `isBroken` decides which paths fail. The posts
  /// `dateless` have no date.
  private static func growingServer(
    _ count: Count, dateless: Set<Int> = [], _ isBroken: @escaping @Sendable (String) -> Bool
  ) -> @Sendable (ScriptedServer.Request) -> Script {
    let other = server(isBroken)
    return { request in
      guard request.path.hasPrefix("/api/v1/accounts/alice-id/statuses"), !isBroken(request.path) else {
        return other(request)
      }
      let below = request.path.split(separator: "max_id=").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
      let newest = below.map { $0 - 1 } ?? count.number
      let ids = (max(1, newest - 1)...max(1, newest)).reversed().filter { $0 <= newest }
      let base = "http://\(request.field("Host") ?? "")/api/v1/accounts/alice-id/statuses"
      let link = ids.last.map { [("Link", "<\(base)?max_id=\($0)>; rel=\"next\"")] } ?? []
      let posts = ids.map { id in
        let post = Answers.status("\(id)", "<p>Post \(id)</p>")
        return dateless.contains(id) ? post.replacing("created_at", with: "created") : post
      }
      return .json(Array("[\(posts.joined(separator: ","))]".utf8), fields: newest > 2 ? link : [])
    }
  }

  /// Runs `body` with a new folder and a function that exports the account of a scripted server to it.
  private func withExport(
    from server: @escaping @Sendable (ScriptedServer.Request) -> Script,
    _ body: @Sendable (String, @Sendable () async throws -> ChildProcess.Outcome) async throws -> Void
  ) async throws {
    try await withServer(server) { server in
      try await Program.inNewHome { program in
        let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
        let folder = "\(program.home)/one"
        try await body(folder) { try await signedIn.run("export", folder, "--server", server.url) }
      }
    }
  }

  @Test func `an export that is interrupted twice has the posts written between`() async throws {
    let (broken, count) = (Toggle("max_id=3"), Count(4))
    try await withExport(from: Self.growingServer(count) { broken.matches($0) }) { folder, export in
      #expect(try await export().status == 1)
      // The first page of new posts is received, the second one isn't.
      count.set(8)
      broken.set("max_id=7")
      #expect(try await export().status == 1)
      broken.set("nothing")
      let third = try await export()
      #expect(third.status == 0, "\(third.errors)")
      #expect(try posts(folder).map(\.text) == (1...8).map { "Post \($0)" })
    }
  }

  @Test func `posts that can't be exported don't end the new ones`() async throws {
    let (broken, count) = (Toggle("max_id=3"), Count(4))
    let server = Self.growingServer(count, dateless: [7, 8]) { broken.matches($0) }
    try await withExport(from: server) { folder, export in
      #expect(try await export().status == 1)
      count.set(8)
      broken.set("nothing")
      let second = try await export()
      #expect(second.status == 1 && second.errors.contains("can't be exported"), "\(second.errors)")
      #expect(try posts(folder).map(\.text) == (1...6).map { "Post \($0)" })
    }
  }

  /// The number of posts of a scripted server.
  private final class Count: Sendable {
    private let value: Mutex<Int>

    init(_ number: Int) { value = Mutex(number) }

    var number: Int { value.withLock { $0 } }
    func set(_ new: Int) { value.withLock { $0 = new } }
  }

  /// The part of a path for which a scripted server fails.
  private final class Toggle: Sendable {
    private let text: Mutex<String>

    init(_ text: String) { self.text = Mutex(text) }

    func set(_ new: String) { text.withLock { $0 = new } }
    func matches(_ path: String) -> Bool { text.withLock { path.contains($0) } }
  }
}
