import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Figures for the operator of `qwinkle serve`.
@Suite(.bounded) struct ServeMetricsTests {
  private static let names: Set = [
    "users", "users_active_1d", "users_active_30d", "posts", "posts_1d", "reports_open", "apps", "tokens",
    "database_bytes", "media_bytes",
  ]

  @Test func `stats are printed as JSON while a server is running`() async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      try await program.serving { url in
        let posted = try await program.run(
          "post", "hello", "--server", url, "--token-stdin", input: token + "\n")
        #expect(posted.status == 0, "\(posted.errors)")
        let stats = try await program.run("serve", "stats", "--json", "--data", "\(program.home)/data")
        #expect(stats.status == 0 && stats.errors == "")
        let object = try JSONSerialization.jsonObject(with: Data(stats.text.utf8)) as? [String: Int]
        let numbers = try #require(object, "\(stats.text)")
        #expect(Set(numbers.keys) == Self.names)
        #expect(numbers["tokens"] == 1 && numbers["users_active_1d"] ?? 0 >= 1 && numbers["posts_1d"] ?? 0 >= 1)
        #expect(numbers["database_bytes"] ?? 0 > 4096 && numbers["media_bytes"] == 0)
      }
    }
  }

  @Test func `a server with metrics serves them on a Unix socket`() async throws {
    try await Program.inNewHome { program in
      let path = "\(program.home)/metrics.sock"
      _ = try await program.makeUser("anna")
      try await program.serving("--metrics", path) { url in
        let read = try await program.run("timeline", "public", "--server", url)
        #expect(read.status == 0, "\(read.errors)")
        try await wait(for: "the metrics' socket") { FileManager.default.fileExists(atPath: path) }
        let client = try RawClient(socket: path)
        try client.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = await client.readAll()
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer.prefix(200))")
        let line = #"qwinkle_requests_total{method="GET",route="/api/v1/timelines/public",status="2xx"} "#
        #expect(answer.contains("\n\(line)"), "\(answer)")
      }
    }
  }

  @Test func `a server whose metrics can't be served ends with the reason`() async throws {
    try await Program.inNewHome { program in
      try program.write("mine".utf8, to: "file")
      let ended = try await program.run(
        "serve", "--bind", "127.0.0.1:0", "--metrics", "\(program.home)/file", "--data", "\(program.home)/data")
      #expect(ended.status == 1 && ended.errors.contains("\(program.home)/file"), "\(ended.errors)")
    }
  }
}
