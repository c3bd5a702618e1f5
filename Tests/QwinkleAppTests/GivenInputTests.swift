import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Texts, polls and users in command arguments and piped input are handled as on screens.
@Suite(.bounded) struct GivenInputTests {
  @Test(
    arguments: [
      ([0x48, 0x69], "Hi"), ([0xEF, 0xBB, 0xBF, 0x48, 0x69], "Hi"), ([0xEF, 0xBB, 0xBF], ""), ([], ""),
      ([0x48, 0xEF, 0xBB, 0xBF], "H\u{FEFF}"), ([0x63, 0x61, 0x66, 0xE9], nil), ([0xFF, 0xFE, 0x48, 0x00], nil),
      ([0xE2, 0x82], nil), ([0xED, 0xA0, 0x80], nil),
    ] as [([UInt8], String?)])
  func `a byte order mark is dropped and invalid UTF-8 is rejected`(bytes: [UInt8], text: String?) {
    // Compares bytes, so that a remaining mark is noticed.
    #expect(UTF8Text.decoded(Data(bytes)).map { Array($0.utf8) } == text.map { Array($0.utf8) })
  }

  @Test func `piped input that is not UTF-8 is not posted`() async throws {
    try await withServer { _ in
      .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
    } _: { server in
      try await Program.inNewHome { home in
        try home.write("token\n".utf8, to: "token")
        try home.write([0x63, 0x61, 0x66, 0xE9], to: "text")
        let program = home.with(["QWINKLE_TOKEN_COMMAND": "cat \(home.home)/token"])
        let line = "'\(Program.path)' post - --visibility public --server \(server.url) < '\(home.home)/text'"
        let outcome = try await ChildProcess.run(
          ["/bin/sh", "-c", line], environment: program.environment, directory: home.home)
        #expect(outcome.status == 1 && outcome.errors.contains("not UTF-8"), "\(outcome.errors)")
        #expect(!server.requests.contains { $0.method == "POST" })
      }
    }
  }

  @Test(arguments: [
    (["--poll", "Tea", "--poll", "Coffee"], ["Tea", "Coffee"], 86_400, false),
    (["--poll", "Tea | Coffee | 3d"], ["Tea", "Coffee"], 3 * 86_400, false),
    (["--poll", "Tea | Coffee"], ["Tea", "Coffee"], 86_400, false),
    (["--poll", "Tea | Coffee | 3d | several"], ["Tea", "Coffee"], 3 * 86_400, true),
    (["--poll", "Tea | Coffee", "--poll-for", "2h", "--poll-multiple"], ["Tea", "Coffee"], 7200, true),
    // If `--poll` is repeated, a bar is part of an option.
    (["--poll", "Tea | milk", "--poll", "Coffee"], ["Tea | milk", "Coffee"], 86_400, false),
  ])
  func `a poll is parsed from repeated options or a single line`(
    arguments: [String], options: [String], seconds: Int, allowsSeveral: Bool
  ) throws {
    let poll = try #require(try ExtrasOptions.parse(arguments).entryPoll())
    #expect(poll == EntryPoll(options: options, seconds: seconds, allowsSeveral: allowsSeveral))
  }

  @Test(arguments: [
    ["follow"], ["follow", "--undo"], ["mute"], ["mute", "--undo"], ["block"], ["block", "--undo"],
    ["remove-follower"], ["note", "a friend"], ["accept"], ["refuse"], ["report", "--comment", "spam"],
  ])
  func `commands for other users reject the user's own account`(arguments: [String]) async throws {
    let me = WireEncoder.qwinker(.sample("mara"), ownNote: "")
    try await withServer { request in
      switch request.path.prefix(while: { $0 != "?" }) {
      case "/api/v1/accounts/verify_credentials", "/api/v1/accounts/lookup": return .json(me)
      default: return .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404)
      }
    } _: { server in
      try await Program.inNewHome { home in
        try home.write("token\n".utf8, to: "token")
        let program = home.with(["QWINKLE_TOKEN_COMMAND": "cat \(home.home)/token"])
        var line = arguments
        line.insert("@mara", at: 1)
        let outcome = try await program.run(line + ["--server", server.url])
        #expect(outcome.status == 1 && outcome.errors.contains("to yourself"), "\(line): \(outcome.errors)")
        #expect(!server.requests.contains { $0.method != "GET" })
      }
    }
  }

  @Test func `trends prints a message if nothing trends`() async throws {
    try await withServer { _ in
      .json(Array("[]".utf8))
    } _: { server in
      try await Program.inNewHome { program in
        for arguments in [["trends"], ["trends", "--links"]] {
          let outcome = try await program.run(arguments + ["--server", server.url])
          #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.text)")
          #expect(outcome.errors.contains("Nothing is trending here."), "\(outcome.errors)")
        }
      }
    }
  }
}
