import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

extension SignInDouble {
  /// Returns a server with sign-in that responds with `timeline` for timelines. It rejects invalid tokens, and requests
  /// for the home timeline without a token.
  func script(_ timeline: Script = Answers.threeQwinks) -> @Sendable (ScriptedServer.Request) -> Script {
    { request in
      let authorization = request.field("Authorization")
      let known = self.answer(
        method: request.method, path: request.path, authorization: authorization, body: request.body)
      if let known { return .json(known.json, status: known.status) }
      if request.path.hasPrefix("/api/v1/timelines/home") || authorization != nil,
        !self.accepts(authorization: authorization)
      {
        return .json(Array(#"{"error":"The access token is invalid"}"#.utf8), status: 401)
      }
      if request.method == "POST", request.path == "/api/v1/statuses" {
        return .json(Array(Answers.status("9", "<p>posted</p>").utf8))
      }
      return Answers.script(timeline)(request)
    }
  }
}

extension Program {
  static let secrets = ".local/share/qwinkle/secrets"
  static let accounts = ".local/share/qwinkle/accounts.json"

  /// Signs in at `url` on a terminal, as a user does. `allow` receives the address of the page and returns the code
  /// shown there.
  func signIn(
    at url: String, while body: (TmuxHarness) async throws -> Void = { _ in }, allow: (String) async throws -> String
  ) async throws {
    // Wide enough for the address to fit in one row, and tall enough for the posts of Home.
    try await onTerminal("login", url, rows: 60, columns: 2000) { terminal in
      let screen = try await terminal.wait(for: "Code:")
      let page = try #require(screen.rows.first { $0.hasPrefix("http") })
      try await body(terminal)
      try await terminal.type(try await allow(page))
      try await terminal.press("Enter")
      let end = try await terminal.waitForEnd()
      #expect(end.contains("Signed in as") && end.status == 0, "\(end)")
    }
  }

  /// Signs in at a scripted server.
  func signIn(as userName: String, at server: ScriptedServer, of double: SignInDouble) async throws {
    try await signIn(at: server.url) { try #require(double.allow($0, as: userName)) }
  }

  /// Adds a user to the server with the folder `data` in this home directory and returns the user's token.
  func makeUser(_ name: String, data: String = "data") async throws -> String {
    let made = try await run("serve", "add-user", name, "--data", "\(home)/\(data)")
    return try #require(made.text.split { $0.isWhitespace }.max { $0.count < $1.count }.map { String($0) })
  }

  /// A running `qwinkle serve`.
  struct Served: Sendable {
    let process: ChildProcess
    let url: String
    let port: Int
  }

  /// Starts a server that stores its data in the folder `data` of this home directory.
  func startServing(_ arguments: [String] = [], data: String = "data") async throws -> Served {
    let process = try ChildProcess(
      [Self.path, "serve", "--bind", "127.0.0.1:0", "--data", "\(home)/\(data)"] + arguments, environment: environment,
      directory: home)
    do {
      let line = try await process.firstLine()
      let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:([1-9][0-9]*)/#), "\(line)")
      return Served(process: process, url: String(url.output.0), port: try #require(Int(url.output.1)))
    } catch {
      _ = try? await process.stop()
      throw error
    }
  }

  /// Runs `body` with the address of a server that stores its data in `data` in this home directory.
  func serving<Result>(
    _ arguments: String..., while body: (String) async throws -> Result
  ) async throws -> Result {
    let service = try await startServing(arguments)
    do {
      let result = try await body(service.url)
      let outcome = try await service.process.stop()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      return result
    } catch {
      _ = try? await service.process.stop()
      throw error
    }
  }

  func files(with text: String) -> [String] {
    files().filter { $0.bytes.range(of: Data(text.utf8)) != nil }.map(\.path)
  }
}

/// A `secret-tool` that stores secrets in files outside any home directory.
struct ScriptedKeyring {
  let folder = "/tmp/qw-keyring-\(UUID().uuidString.prefix(13))"

  /// Runs `body` with a program whose PATH contains the script.
  func serving(_ program: Program, _ body: (Program) async throws -> Void) async throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: folder) }
    let script = """
      #!/bin/sh
      echo "$*" >> \(folder)/arguments
      [ ! -e \(folder)/locked ] || exit 1
      command=$1; shift
      case $1 in --label=*) shift ;; esac
      file=\(folder)/"$(echo "$*" | tr ' /' '__').secret"
      case $command in
        store) cat > "$file" ;;
        lookup) [ -e "$file" ] && cat "$file" ;;
        clear) rm -f "$file" ;;
      esac
      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: "\(folder)/bin/secret-tool"))
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(folder)/bin/secret-tool")
    try await body(program.with(["PATH": "\(folder)/bin:\(program.environment["PATH"] ?? "")"]))
  }

  /// Locks or unlocks the keyring. A locked keyring refuses everything.
  func setLocked(_ isLocked: Bool) throws {
    let path = "\(folder)/locked"
    if isLocked {
      try Data().write(to: URL(fileURLWithPath: path))
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// The stored secrets.
  var secrets: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".secret") }.sorted()
      .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
  }

  /// The arguments of all its runs.
  var arguments: String { (try? String(contentsOfFile: "\(folder)/arguments", encoding: .utf8)) ?? "" }
}
