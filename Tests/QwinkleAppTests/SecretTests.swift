import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Only the server receives the token.
@Suite(.needsTmux, .bounded) struct SecretTests {
  private static let canary = "canary-6a1f0c-token"

  private func expectNoTrace(of program: Program, process: Int32) {
    let words = ProcessList.visibleWords(of: process)
    #expect(words.contains("qwinkle"))
    #expect(!words.contains(Self.canary))
    for file in program.files() where file.path != "token" {
      #expect(file.bytes.range(of: Data(Self.canary.utf8)) == nil, "\(file.path)")
    }
  }

  @Test func `a token is in no argument, environment or file`() async throws {
    let refused = Script.json(Array(#"{"error":"The access token is invalid"}"#.utf8), status: 401)
    for timeline in [Answers.threeQwinks, refused] {
      try await withTimeline(timeline) { server in
        try await Program.inNewHome { program in
          try program.write("\(Self.canary)\n".utf8, to: "token")
          let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/token"])
          try await signedIn.onTerminal("--server", server.url, columns: 120) { terminal in
            let screen = try await terminal.wait(for: "an answer") {
              $0.contains("third") || $0.contains("no longer accepts your sign-in")
            }
            #expect(server.requests.contains { $0.field("Authorization") == "Bearer \(Self.canary)" })
            #expect(!screen.contains(Self.canary))
            expectNoTrace(of: program, process: try await terminal.processID())
            try await terminal.press("q", "y")
            try await terminal.waitForEnd()
          }
          expectNoTrace(of: program, process: getpid())
        }
      }
    }
  }

  @Test func `a token from standard input leaves keyboard input to the terminal`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        try program.write("\(Self.canary)\n".utf8, to: "token")
        let script = #""$0" --server "$1" --token-stdin < token; echo "status $?""#
        try await program.onTerminal(command: ["/bin/sh", "-c", script, Program.path, server.url]) { terminal in
          try await terminal.wait(for: "third")
          #expect(server.requests.contains { $0.field("Authorization") == "Bearer \(Self.canary)" })
          let shell = try await terminal.processID()
          let child = try #require(ProcessList.children(of: shell).first)
          expectNoTrace(of: program, process: child)
          try await terminal.press("q", "y")
          try await terminal.wait(for: "status 0")
        }
      }
    }
  }

  /// Statuses with which the streaming host refuses a WebSocket. The program then tries the token outside a header and
  /// a WebSocket for each stream.
  @Test(arguments: [404, 401])
  func `only the server and its streaming host receive the token`(refusal: Int) async throws {
    let held = Gate()
    defer { held.open() }
    try await withServer({ _ in Answers.threeQwinks }) { elsewhere in
      try await withServer({ request in
        guard request.field("Accept") == "text/event-stream" else { return .text("", status: refusal) }
        return .chunked([Array(":ok\n\n".utf8)], fields: [("Content-Type", "text/event-stream")]).held(by: held)
      }) { streaming in
        let info = """
          {"domain":"x","version":"4.3.0","configuration":{"urls":{"streaming":"ws://\(streaming.host)"}}}
          """
        try await withServer({ request in
          if request.path.hasPrefix("/api/v2/instance") { return .json(Array(info.utf8)) }
          // A redirect to another host must not pass on the token.
          if request.path.hasPrefix("/api/v1/notifications") {
            return .redirect(to: "\(elsewhere.url)/api/v1/notifications?limit=40")
          }
          return Answers.script(Answers.threeQwinks)(request)
        }) { server in
          try await Program.inNewHome { program in
            try program.write("\(Self.canary)\n".utf8, to: "token")
            let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/token"])
            try await signedIn.onTerminal("--server", server.url, columns: 120) { terminal in
              try await terminal.wait(for: "third")
              try await terminal.wait(for: "the streaming host and the other one") { _ in
                streaming.requests.contains { $0.field("Accept") == "text/event-stream" }
                  && !elsewhere.requests.isEmpty
              }
              expectNoTrace(of: program, process: try await terminal.processID())
              try await terminal.press("q", "y")
              try await terminal.waitForEnd()
            }
            for request in streaming.requests {
              let values = [request.field("Authorization"), request.field("Sec-WebSocket-Protocol")]
              #expect(values.contains("Bearer \(Self.canary)") || values.contains(Self.canary))
              #expect(!request.path.contains(Self.canary))
            }
            #expect(streaming.requests.contains { $0.field("Sec-WebSocket-Protocol") == Self.canary })
            for request in elsewhere.requests {
              #expect(!request.path.contains(Self.canary))
              #expect(!request.fields.contains { $0.value.contains(Self.canary) })
            }
            #expect(server.requests.allSatisfy { !$0.path.contains(Self.canary) })
            expectNoTrace(of: program, process: getpid())
          }
        }
      }
    }
  }
}
