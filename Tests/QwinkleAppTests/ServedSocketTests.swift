import Foundation
import LibC
import QwinkleTesting
import TerminalTesting
import Testing

/// `qwinkle serve --socket`: the users of a host.
@Suite(.bounded) struct ServedSocketTests {
  /// A server on a socket in the program's home.
  private struct Server {
    let process: ChildProcess
    let path: String
    let line: String

    init(_ program: Program, _ arguments: String...) async throws {
      path = "\(program.home)/socket"
      // The server refuses a folder that other users can write to.
      chmod(program.home, 0o755)
      process = try ChildProcess(
        [Program.path, "serve", "--socket", path, "--data", "\(program.home)/data"] + arguments,
        environment: program.environment, directory: program.home)
      line = try await process.firstLine()
    }

    /// Returns the response to a request on a new connection.
    func answer(_ head: String, _ body: String = "") async throws -> String {
      let client = try RawClient(socket: path)
      try client.send("\(head) HTTP/1.1\r\nHost: shared\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      return await client.readResponse()
    }
  }

  private func text(_ program: Program, _ arguments: String...) async throws -> String {
    let outcome = try await program.run(["serve", "users"] + arguments + ["--data", "\(program.home)/data"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  @Test func `the user who runs the client is signed in by the socket`() async throws {
    try await Program.inNewHome { program in
      let server = try await Server(program)
      #expect(server.line == "Serving at \(server.path). ^C stops it.")
      let me = try await server.answer("GET /api/v1/accounts/verify_credentials")
      #expect(me.hasPrefix("HTTP/1.1 200 "), "\(me)")
      let name = try #require(me.firstMatch(of: #/"username":"([a-z0-9_]+)"/#)).output.1
      #expect(try await text(program).contains("@\(name) · 0 posts"))
      #expect(try await text(program).contains(" · uid \(getuid())"))
      #expect(try await text(program, "release", String(name)).contains("no longer belongs to a uid"))
      let other = try await server.answer("GET /api/v1/accounts/verify_credentials")
      #expect(other.contains("\"username\":\"\(name)2\""), "\(other)")
      let end = try await server.process.stop()
      #expect(end.status == 0 && end.errors == "", "\(end.errors)")
      #expect(!FileManager.default.fileExists(atPath: server.path))
    }
  }

  @Test func `a server replaces the socket of a killed one, but not of a running one`() async throws {
    try await Program.inNewHome { program in
      let killed = try await Server(program)
      kill(killed.process.processID, SIGKILL)
      _ = try await killed.process.outcome()
      #expect(FileManager.default.fileExists(atPath: killed.path))
      let server = try await Server(program, "--bind", "127.0.0.1:0")
      #expect(server.line.hasPrefix("Serving at \(server.path) and http://127.0.0.1:"), "\(server.line)")
      let second = try await program.run("serve", "--socket", server.path, "--data", "\(program.home)/second")
      #expect(second.status == 1 && second.errorLines.count == 1, "\(second.errors)")
      #expect(second.errors.contains("Another server is using the socket \(server.path)"), "\(second.errors)")
      #expect(try await server.answer("GET /health").hasSuffix("OK"))
      #expect(try await server.process.stop().status == 0)
    }
  }

  @Test func `a group that doesn't exist is an error at the start`() async throws {
    try await Program.inNewHome { program in
      for option in ["--allow-group", "--deny-group"] {
        let outcome = try await program.run(
          "serve", "--socket", "\(program.home)/s", option, "no-such-group", "--data", "\(program.home)/data")
        #expect(outcome.status != 0 && outcome.errors.contains("no group named “no-such-group”"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(program.home)/s"))
        // Without a socket, the option would have no effect.
        let alone = try await program.run("serve", option, "root", "--data", "\(program.home)/data")
        #expect(alone.status == 2 && alone.errors.contains("Add --socket PATH."), "\(alone.errors)")
      }
    }
  }
}
