import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Commands and the screen on the socket of a shared timeline.
@Suite(.bounded) struct SharedTimelineCommandTests {
  private static let tokens =
    #"[{"id":"5","app":"toot","scopes":"read write","created_at":"2026-01-01T00:00:00.000Z"}]"#

  @Sendable private static func answer(_ request: ScriptedServer.Request) -> Script {
    guard request.field("Host") == "shared", request.field("Authorization") == nil else { return .answer(400) }
    switch (request.method, request.path) {
    case ("GET", "/api/v1/accounts/verify_credentials"): return .json(Array(Answers.account("anna").utf8))
    case ("POST", "/api/v1/statuses"): return .json(Array(Answers.status("9", "<p>posted</p>").utf8))
    case ("POST", "/api/qwinkle/v1/tokens"):
      let token = #"{"access_token":"canary-1","token_type":"Bearer","scope":"read","created_at":1767225600}"#
      return .json(Array(token.utf8))
    case ("GET", "/api/qwinkle/v1/tokens"): return .json(Array(tokens.utf8))
    case ("DELETE", "/api/qwinkle/v1/tokens/5"): return .json(Array("{}".utf8))
    default: return Answers.script(Answers.threeQwinks)(request)
    }
  }

  /// Runs `body` with a program that finds the socket of a server.
  private func serving(
    _ script: @escaping @Sendable (ScriptedServer.Request) -> Script = { answer($0) },
    _ body: (Program, ScriptedServer, SocketFolder) async throws -> Void
  ) async throws {
    let folder = SocketFolder()
    let server = try await ScriptedServer.start(socket: folder.socket, script: script)
    do {
      try await Program.inNewHome { try await body($0.with(["QWINKLE_SOCKET": folder.socket]), server, folder) }
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test func `commands use the found socket without an account, and others by name`() async throws {
    try await serving { program, server, folder in
      let timeline = try await program.run("timeline", "public")
      #expect(timeline.status == 0 && timeline.text.contains("third"), "\(timeline.errors)")
      let post = try await program.run("post", "Hello")
      #expect(post.status == 0, "\(post.errors)")
      let sent = try #require(server.requests.last { $0.method == "POST" })
      #expect(String(decoding: sent.body, as: UTF8.self).contains("Hello"))
      let whoami = try await program.run("whoami")
      #expect(whoami.text.hasPrefix("anna@") && !whoami.text.contains("@shared"), "\(whoami.text)\(whoami.errors)")
      let count = server.requests.count
      let local = try await program.run("timeline", "public", "--as", "local")
      #expect(local.text.contains("Welcome to Qwinkle!") && server.requests.count == count)
      // Another path of the same socket has another folder.
      for arguments in [
        ["--socket", folder.socket, "timeline", "public"], ["timeline", "public", "--socket=\(folder.socket)"],
      ] {
        let named = try await program.with(["QWINKLE_SOCKET": "/nowhere"]).run(arguments)
        #expect(named.status == 0 && named.text.contains("third"), "\(named.errors)")
      }
      // Nothing that would sign in is stored.
      #expect(!program.files().contains { $0.path.contains("secrets") || $0.path.hasSuffix("accounts.json") })
    }
  }

  @Test func `accounts lists the shared timeline, which is the default`() async throws {
    try await serving { program, server, folder in
      let table = try await program.run("accounts").text
      #expect(
        table.hasPrefix("* shared  ") && table.contains(folder.socket) && table.contains("\n  local "), "\(table)")
      let json = try await program.run("accounts", "--json")
      let items = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]]
      #expect(items?.compactMap { $0["name"] as? String } == ["shared", "local"])
      #expect(items?.compactMap { $0["default"] as? Bool } == [true, false])
      let local = try await program.run("accounts", "--default", "local")
      #expect(local.status == 1 && local.errors.contains(#"socket = "off""#), "\(local.errors)")
      #expect(try await program.run("accounts", "--default", "shared").status == 0)
      let words = ["---completion", "follow", "--", "--as", "2", "0", "qwinkle", "--as", ""]
      #expect(try await program.run(words).text == "shared\nlocal\n")
      try program.write("socket = \"off\"\n".utf8, to: ".config/qwinkle/config.toml")
      #expect(try await program.run("accounts").text.hasPrefix("* local"))
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a token is made, listed and revoked`() async throws {
    try await serving { program, server, _ in
      #expect(try await program.run("token").text == "canary-1\n")
      let named = try await program.run("token", "--name", "toot", "--scopes", "read write", "--json")
      #expect(named.text.contains(#""access_token":"canary-1""#), "\(named.text)\(named.errors)")
      let body = String(decoding: try #require(server.requests.last).body, as: UTF8.self)
      #expect(body.contains(#""name":"toot""#) && body.contains(#""scopes":"read write""#), "\(body)")
      let list = try await program.run("token", "--list").text
      #expect(list.hasPrefix("5  toot  read write  2026-01-01"), "\(list)")
      #expect(try await program.run("token", "--list", "--json").text.contains(#""app":"toot""#))
      #expect(try await program.run("token", "--revoke", "5").text == "Revoked.\n")
      #expect(server.requests.last?.method == "DELETE")
      let unknown = try await program.run("token", "--revoke", "6")
      #expect(unknown.status == 1 && unknown.errorLines.count == 1, "\(unknown.errors)")
      for arguments in [["--list", "--revoke", "5"], ["--list", "--name", "x"], ["--revoke", ""]] {
        #expect(try await program.run(["token"] + arguments).status == 2, "\(arguments)")
      }
      let local = try await program.run("token", "--as", "local")
      #expect(local.status == 1 && local.errors.contains("qwinkle serve"), "\(local.errors)")
      #expect(!program.files().contains { String(decoding: $0.bytes, as: UTF8.self).contains("canary") })
    }
  }

  @Test func `a denied user gets the server's reason`() async throws {
    let denied = #"{"error":"The admin of this host doesn't allow your group"}"#
    try await serving({ _ in .json(Array(denied.utf8), status: 403) }) { program, _, _ in
      for arguments in [["timeline", "public"], ["post", "Hello"], ["token"]] {
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 1 && outcome.errors.contains("doesn't allow your group"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("qwinkle login"), "\(outcome.errors)")
      }
    }
  }

  @Test func `a stopped server is reported, and a post is a draft`() async throws {
    try await serving { program, _, folder in
      #expect(try await program.run("post", "Hello").status == 0)
      folder.hideSocket()
      defer { folder.showSocket() }
      // A killed server leaves its socket.
      close(try RawClient.listen(at: folder.socket))
      let timeline = try await program.run("timeline", "public")
      #expect(timeline.status == 1 && timeline.errors.contains("is not running"), "\(timeline.errors)")
      unlink(folder.socket)
      let post = try await program.run("post", "While it restarts")
      #expect(post.status == 1 && post.errors.contains("does not exist"), "\(post.errors)")
      #expect(post.errors.contains("draft"), "\(post.errors)")
      #expect(FileManager.default.fileExists(atPath: "\(program.home)/.local/share/qwinkle/shared"))
      #expect(!FileManager.default.fileExists(atPath: "\(program.home)/.local/share/qwinkle/service.sqlite"))
    }
  }

  @Test func `doctor reports the socket, its owner and whether it is trusted`() async throws {
    try await serving { program, server, folder in
      let good = try await program.run("doctor")
      #expect(good.text.contains("\(folder.socket)  of \(NSUserName())  trusted"), "\(good.text)")
      #expect(good.text.contains("by the socket") && server.requests.count > 0)
      folder.setMode(0o777)
      let count = server.connectionCount
      let open = try await program.run("doctor")
      #expect(open.status == 1 && open.text.contains("others can write to its folder"), "\(open.text)")
      // Without trust, the program works on the timeline of this machine.
      let timeline = try await program.run("timeline", "public")
      #expect(timeline.status == 0 && timeline.text.contains("Welcome to Qwinkle!") && timeline.errors.isEmpty)
      let named = try await program.run("timeline", "public", "--socket", folder.socket)
      #expect(named.status == 1 && named.errors.contains("is not trusted"), "\(named.errors)")
      #expect(server.connectionCount == count)
      try program.write("socket = \"off\"\n".utf8, to: ".config/qwinkle/config.toml")
      #expect(try await program.run("doctor").text.contains("off in config.toml"))
    }
  }

  @Test(.needsTmux) func `the screen begins with the public timeline and A lists both timelines`() async throws {
    try await serving { program, server, _ in
      try await program.onTerminal { terminal in
        _ = try await terminal.wait(for: "third")
        try await terminal.type("A")
        _ = try await terminal.wait(for: "both timelines") { $0.contains("shared") && $0.contains("local") }
        try await terminal.press("Escape")
      }
      let first = try #require(server.requests.first(where: Answers.isTimeline))
      #expect(first.path.hasPrefix("/api/v1/timelines/public"), "\(first.path)")
    }
  }
}
