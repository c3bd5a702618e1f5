import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Faults of servers and connections, up to the message on standard error or in the status bar.
@Suite(.bounded) struct FaultTests {
  /// A fault and part of the expected message.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: String
    let script: Script
  }

  private static let tooDeep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)

  static let faults = [
    Fault(
      testDescription: "401", words: "requires you to sign in",
      script: .json(Array(#"{"error":"Who?"}"#.utf8), status: 401)),
    Fault(testDescription: "404", words: "Not found at", script: .text("<html>", status: 404)),
    Fault(
      testDescription: "429", words: "Wait 30 seconds",
      script: .json(Array(#"{"error":"Slow"}"#.utf8), status: 429, fields: [("Retry-After", "30")])),
    Fault(testDescription: "500", words: "Server error at", script: .text("oops", status: 500)),
    Fault(
      testDescription: "HTML", words: "Unreadable response from",
      script: .text("<!DOCTYPE html><html><body>Welcome</body></html>", fields: [("Content-Type", "text/html")])),
    Fault(testDescription: "an empty body", words: "Unreadable response from", script: .answer(200)),
    Fault(
      testDescription: "a body that is cut off", words: "Connection to",
      script: .truncated(Array("[".utf8), announcing: 9999)),
    Fault(testDescription: "a reset", words: "Connection to", script: .reset),
    Fault(testDescription: "no answer, but the end", words: "Connection to", script: .close),
    Fault(
      testDescription: "no HTTP", words: "does not speak HTTP",
      script: Script([.send(Array("SSH-2.0-x\r\n\r\n".utf8)), .close])),
    Fault(testDescription: "200,000 arrays in each other", words: "Unreadable response from", script: .text(tooDeep)),
    Fault(
      testDescription: "a redirect to nowhere", words: "redirects to", script: .redirect(to: "ftp://example.invalid/")),
  ]

  /// Expects a failure with one sentence on standard error.
  private func expectOneSentence(
    _ outcome: ChildProcess.Outcome, _ words: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 1, sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.hasPrefix("qwinkle: "), sourceLocation: location)
    #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: location)
  }

  @Test(arguments: faults) func `a failing command reports the fault in one sentence`(fault: Fault) async throws {
    try await withTimeline(fault.script) { server in
      try await Program.inNewHome { program in
        let outcome = try await program.run("timeline", "public", "--server", server.url)
        expectOneSentence(outcome, fault.words)
        #expect(!outcome.errors.contains("ress R"), "a command has no R to press: \(outcome.errors)")
      }
    }
  }

  @Test func `an unreachable server or an unknown host is reported in one sentence`() async throws {
    let port = try #require(DeafPort())
    try await Program.inNewHome { program in
      let down = try await program.run("timeline", "public", "--server", "http://\(port.host)")
      expectOneSentence(down, "cannot be reached")
      let unknown = try await program.run("timeline", "public", "--server", "https://nonexistent.invalid")
      expectOneSentence(unknown, "Unknown host: nonexistent.invalid")
    }
  }

  @Test func `a redirect to another port drops the token`() async throws {
    try await withTimeline(Answers.threeQwinks) { other in
      try await withTimeline(.redirect(to: "\(other.url)/api/v1/timelines/public")) { server in
        try await Program.inNewHome { program in
          try program.write("canary-token\n".utf8, to: "token")
          let outcome = try await program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/token"])
            .run("timeline", "public", "--server", server.url)
          #expect(outcome.status == 0, "\(outcome.errors)")
          #expect(outcome.text.contains("third"))
          #expect(server.requests.contains { $0.field("Authorization") == "Bearer canary-token" })
          #expect(!other.requests.isEmpty)
          for request in other.requests {
            #expect(request.field("Authorization") == nil)
            #expect(!request.path.contains("canary") && !request.fields.contains { $0.value.contains("canary") })
          }
        }
      }
    }
  }

  @Test(arguments: [CertificateAuthority.Flaw.none, .expired, .wrongName])
  func `only a valid certificate from a trusted authority is accepted`(flaw: CertificateAuthority.Flaw) async throws {
    let authority = try CertificateAuthority()
    let certificate = try authority.serverCertificate(flaw)
    try await withServer(certificate: certificate, Answers.script(Answers.threeQwinks)) { server in
      try await Program.inNewHome { program in
        let trusting = program.with(["SSL_CERT_FILE": authority.certificate])
        let outcome = try await trusting.run("timeline", "public", "--server", server.url)
        if case .none = flaw {
          #expect(outcome.status == 0 && outcome.text.contains("third"), "\(outcome.errors)")
          let foreign = try await program.run("timeline", "public", "--server", server.url)
          expectOneSentence(foreign, "no authority that this machine trusts")
        } else {
          expectOneSentence(outcome, "TLS error at")
          #expect(server.requests.isEmpty)
        }
      }
    }
  }

  // MARK: On the screen

  /// Expects that the content stays visible, the status bar reports the fault, and R recovers. Returns the peak memory
  /// in bytes.
  private func expectContentStays(during fault: Script, _ words: String) async throws -> Int? {
    let answers = Answers()
    return try await withServer({ answers.next($0) }) { server in
      try await Program.inNewHome { program in
        try await program.onTerminal("--server", server.url, columns: 120) { terminal in
          try await terminal.wait(for: "third")
          answers.timeline = fault
          try await terminal.press("R")
          let screen = try await terminal.wait(for: words)
          #expect(screen.contains("third") && screen.contains("second") && screen.contains("first"))
          #expect(screen.contains("▌"))
          let memory = ProcessList.peakMemory(of: try await terminal.processID())
          answers.timeline = Answers.page(Answers.status("4", "<p>fourth</p>"), Answers.status("3", "<p>third</p>"))
          try await terminal.press("R")
          let after = try await terminal.wait(for: "fourth")
          #expect(!after.contains(words))
          return memory
        }
      }
    }
  }

  @Test(.needsTmux, arguments: faults.filter { ["500", "HTML", "a reset"].contains($0.testDescription) })
  func `a failed refresh leaves the timeline visible`(fault: Fault) async throws {
    _ = try await expectContentStays(during: fault.script, fault.words)
  }

  @Test(.needsTmux) func `a gzip bomb is rejected without filling memory`() async throws {
    let bomb = try await Program.inNewHome { program in
      try await ChildProcess.run(
        ["/bin/sh", "-c", "head -c 200000000 /dev/zero | gzip -1"], environment: program.environment,
        directory: program.home
      ).output
    }
    let fields = [("Content-Encoding", "gzip"), ("Content-Type", "application/json")]
    try await withTimeline(.answer(200, bomb, fields: fields)) { server in
      try await Program.inNewHome { program in
        expectOneSentence(try await program.run("timeline", "public", "--server", server.url), "too large")
      }
    }
    let memory = try await expectContentStays(during: .answer(200, bomb, fields: fields), "too large")
    #expect(try #require(memory) < 128 << 20)
  }

  @Test(.needsTmux) func `deeply nested JSON exhausts neither the stack nor memory`() async throws {
    let memory = try await expectContentStays(during: .text(Self.tooDeep), "Unreadable response from")
    #expect(try #require(memory) < 128 << 20)
  }
}
