import Foundation
import FoundationNetworking
import QwinkleServer
import QwinkleTesting
import TerminalTesting
import Testing

/// Limits that a server sets for its clients, and limits of the system.
@Suite(.bounded) struct ServedLimitTests {
  @Test func `serve --limits prints the table of limits and starts no server`() async throws {
    try await Program.inNewHome { program in
      let printed = try await program.run("serve", "--limits", "--data", "\(program.home)/data")
      #expect(printed.status == 0 && printed.errors == "", "\(printed.errors)")
      #expect(printed.text == LimitsTable.lines().map { $0 + "\n" }.joined())
      #expect(!FileManager.default.fileExists(atPath: "\(program.home)/data"))
    }
  }

  @Test func `a server with few descriptors and many silent connections still responds`() async throws {
    try await Program.inNewHome { program in
      let server = try ChildProcess(
        [
          "/bin/sh", "-c", "ulimit -n 64; exec \"$0\" serve --bind 127.0.0.1:0 --data \"$1\"", Program.path,
          "\(program.home)/data",
        ], environment: program.environment, directory: program.home)
      let line = try await server.firstLine()
      let port = try #require(line.firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#).flatMap { Int($0.output.1) })
      let silent = try (0..<300).map { _ in try RawClient(port: port) }
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/health"))
      var resets = 0
      for _ in 0..<20 {
        do {
          let (data, _) = try await URLSession.shared.data(from: url)
          #expect(String(decoding: data, as: UTF8.self) == "OK")
        } catch let error as URLError where error.code == .networkConnectionLost {
          // The server closed an idle connection to make room just as the client reused it.
          resets += 1
        }
      }
      #expect(resets < 3, "\(resets) connections were reset")
      let end = try await server.stop()
      withExtendedLifetime(silent) {}
      #expect(end.status == 0 && end.errors == "", "\(end.errors)")
    }
  }
}
