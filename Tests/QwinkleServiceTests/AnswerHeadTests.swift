import HTTPTypes
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

/// Malformed status lines never crash the program.
@Suite(.bounded) struct AnswerHeadTests {
  private static let badLines = [
    "HTTP/1.1 000 X", "HTTP/1.1 099 X", "HTTP/1.1 001", "HTTP/1.1 -1 X", "HTTP/1.1 1000 X", "HTTP/1.1 99 X",
    "HTTP/1.1 abc X", "HTTP/1.1  X", "HTTP/1.1", "HTTP/9.9 200 OK", "HTTP/1.1 99999999999999999999 X",
  ]

  private static func script(_ line: String, body: String = "") -> Script {
    Script([.send(Array("\(line)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))])
  }

  @Test(arguments: badLines, ["", "[]"])
  func `an invalid status line fails as malformed`(line: String, body: String) async throws {
    try await withServer(script: { $0.path == "/fine" ? .text("fine") : Self.script(line, body: body) }) { server in
      try await withTransport { transport in
        for method in [HTTPRequest.Method.get, .post] {
          let error = await failure(of: .to(server.url, method: method), through: transport)
          #expect(error == .malformed(host: server.host), "\(line)")
        }
        let next = try await transport.send(.to(server.url, path: "/fine"))
        #expect(next.body == Array("fine".utf8))
      }
    }
  }

  @Test(arguments: ["HTTP/1.1 000 X", "HTTP/1.1 099 X", "HTTP/1.1 1000 X"])
  func `an invalid status line over TLS fails as malformed`(line: String) async throws {
    let authority = try CertificateAuthority()
    try await withServer(certificate: authority.serverCertificate(), script: { _ in Self.script(line) }) { server in
      try await withTransport(trustRoots: authority.certificate) { transport in
        #expect(await failure(of: .to(server.url), through: transport) == .malformed(host: server.host))
      }
    }
  }

  @Test(arguments: [
    ["000"], ["099"], ["-1"], ["-9223372036854775808"], ["1000"], ["+20"], ["abc"], ["103"], ["100", "103"],
    ["103", "000"],
  ])
  func `a response without a valid final status over HTTP 2 is malformed`(statuses: [String]) async throws {
    let authority = try CertificateAuthority()
    let heads = statuses.enumerated().map { HTTP2Double.Head(status: $1, isEnd: $0 == statuses.count - 1) }
    let server = try await HTTP2Double.start(certificate: authority.serverCertificate(), answering: heads)
    let error = try await withTransport(trustRoots: authority.certificate) { transport in
      await failure(of: .to("https://\(server.host)"), through: transport)
    }
    #expect(error == .malformed(host: server.host))
    #expect(server.requestCount == 1)
    await server.stop()
  }

  @Test func `a response over HTTP 2 arrives after early hints`() async throws {
    let authority = try CertificateAuthority()
    let heads = [HTTP2Double.Head(status: "103", isEnd: false), HTTP2Double.Head(status: "204", isEnd: true)]
    let server = try await HTTP2Double.start(certificate: authority.serverCertificate(), answering: heads)
    let response = try await withTransport(trustRoots: authority.certificate) { transport in
      try await transport.send(.to("https://\(server.host)"))
    }
    #expect(response.head.status.code == 204)
    await server.stop()
  }

  @Test func `early hints are skipped and are no response by themselves`() async throws {
    let hints = Array("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n".utf8)
    try await withServer(script: { request in
      request.path == "/none"
        ? Script([.send(hints), .close]) : Script([.send(hints + hints)] + Script.text("fine").steps)
    }) { server in
      try await withTransport { transport in
        let response = try await transport.send(.to(server.url))
        #expect(response.body == Array("fine".utf8))
        let error = await failure(of: .to(server.url, path: "/none"), through: transport)
        #expect(error == .interrupted(host: server.host))
      }
    }
  }

  @Test(arguments: ["000", "101", "999"])
  @MainActor
  func `downloads and sign-ins fail when the status code is unusual`(status: String) async throws {
    try await withServer(script: { _ in Self.script("HTTP/1.1 \(status) X") }) { @MainActor server in
      try await withTransport { @MainActor transport in
        let bench = Bench(transport, at: server.url)
        await bench.run(.publicTimeline)
        #expect(!bench.delegate.errors.isEmpty)
        let signIn = SignIn(serverURL: server.url, ledger: ActivityLedger(), transport: { transport })
        await #expect(throws: SignInError.self) { try await signIn.begin() }
      }
    }
  }
}
