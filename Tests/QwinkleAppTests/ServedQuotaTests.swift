import Foundation
import TerminalTesting
import Testing

/// A user who reaches a quota of `qwinkle serve`.
@Suite(.bounded) struct ServedQuotaTests {
  /// A GIF file with one pixel.
  private static let picture: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  @Test func `a refused picture shows the server's reason, and the text stays a draft`() async throws {
    try await Program.inNewHome { program in
      let (anna, ben) = (try await program.makeUser("anna"), try await program.makeUser("ben"))
      try program.write(Self.picture, to: "dot.gif")
      let path = "\(program.home)/dot.gif"
      try await program.serving("--picture-quota", "20B") { url in
        func post(_ arguments: String..., token: String) async throws -> ChildProcess.Outcome {
          try await program.run(["post"] + arguments + ["--server", url, "--token-stdin"], input: token + "\n")
        }
        let refused = try await post("With a dot", "--attach", path, "--alt", "A dot", token: anna)
        #expect(refused.status == 1)
        for part in [
          "dot.gif could not be uploaded.", "Your pictures use 0 B of 20 B on this server",
          "The text is a draft: in qwinkle, :drafts opens it.",
        ] {
          #expect(refused.errors.contains(part), "\(refused.errors)")
        }
        #expect(!program.files(with: "With a dot").isEmpty && FileManager.default.fileExists(atPath: path))
        #expect(try await post("Without a dot", token: anna).status == 0)
        #expect(try await post("By another user", token: ben).status == 0)
      }
      try await program.serving("--picture-quota", "1KB") { url in
        let again = try await program.run(
          "post", "With a dot", "--attach", path, "--alt", "A dot", "--server", url, "--token-stdin",
          input: anna + "\n")
        #expect(again.status == 0, "\(again.errors)")
      }
      let users = try await program.run("serve", "users", "--data", "\(program.home)/data")
      let lines = users.text.split(separator: "\n")
      func line(_ name: String) throws -> Substring { try #require(lines.first { $0.hasPrefix("@\(name) ") }) }
      #expect(try line("anna").contains(#/ · [1-9][0-9]* B pictures · [0-9.]+ KB posts/#), "\(users.text)")
      #expect(try line("ben").contains(#/ · 0 B pictures · 1\.[0-9] KB posts/#), "\(users.text)")
    }
  }

  @Test func `serve --limits prints the operator's quotas`() async throws {
    try await Program.inNewHome { program in
      let printed = try await program.run(
        "serve", "--limits", "--picture-quota", "1.5 GB", "--pictures-in-all", "20g", "--text-quota", "64MB",
        "--posts-a-minute", "7", "--connections-a-user", "33")
      #expect(printed.status == 0 && printed.errors == "", "\(printed.errors)")
      for part in ["1.5 GB an account", "20 GB", "64 MB an account", "7 in a minute, 70 an address"] {
        #expect(printed.text.contains(part), "\(printed.text)")
      }
      #expect(printed.text.contains(#/open connections +33 +4096/#))
    }
  }
}
