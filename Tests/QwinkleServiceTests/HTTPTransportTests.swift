import HTTPTypes
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@Suite(.bounded) struct HTTPTransportTests {
  @Test func `a response arrives whole with its head`() async throws {
    try await withServer(script: { _ in
      .json(Array("[1]".utf8), status: 201, fields: [("Link", "<a>"), ("X-Odd", "v")])
    }) { server in
      try await withTransport { transport in
        let seen = Mutex<[Int?]>([])
        let response = try await transport.send(
          .to(
            server.url, path: "/api?x=%2F&y",
            didReceive: { bytes, expected in seen.withLock { $0 = [bytes, expected] } }))
        #expect(response.head.status.code == 201)
        #expect(response.body == Array("[1]".utf8))
        #expect(HTTPField.Name("X-Odd").flatMap { response.head.headerFields[$0] } == "v")
        #expect(seen.withLock { $0 } == [3, 3])
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.path == "/api?x=%2F&y")
        #expect(request.field("Host") == server.host)
        #expect(request.field("User-Agent")?.hasPrefix("Qwinkle/") == true)
        #expect(request.field("User-Agent")?.contains("example") == false)
        #expect(request.field("Accept-Encoding")?.contains("gzip") == true)
      }
    }
  }

  @Test func `a body and headers are sent unchanged`() async throws {
    try await withServer(script: { _ in .answer(204) }) { server in
      try await withTransport { transport in
        var request = TransportRequest.to(server.url, method: .post, body: Array("{}".utf8))
        request.head.headerFields[.contentType] = "application/json"
        request.head.headerFields[.userAgent] = "Other/1"
        let response = try await transport.send(request)
        #expect(response.head.status.code == 204)
        #expect(response.body.isEmpty)
        let seen = try #require(server.requests.first)
        #expect(seen.method == "POST")
        #expect(seen.body == Array("{}".utf8))
        #expect(seen.fields.filter { $0.name.lowercased() == "user-agent" }.map(\.value) == ["Other/1"])
      }
    }
  }

  @Test func `chunked and gzipped bodies are decoded`() async throws {
    let zipped = try Shell.output(of: "printf 'hello hello hello' | gzip -c")
    try await withServer(script: { request in
      request.path == "/gzip"
        ? .answer(200, zipped, fields: [("Content-Encoding", "gzip")])
        : .chunked([Array("hello ".utf8), Array("you".utf8)])
    }) { server in
      try await withTransport { transport in
        let chunked = try await transport.send(.to(server.url))
        #expect(chunked.body == Array("hello you".utf8))
        let inflated = try await transport.send(.to(server.url, path: "/gzip"))
        #expect(inflated.body == Array("hello hello hello".utf8))
      }
    }
  }

  @Test func `redirects are left to the caller`() async throws {
    try await withServer(script: { _ in .redirect(to: "/y") }) { server in
      try await withTransport { transport in
        let response = try await transport.send(.to(server.url))
        #expect(response.head.status.code == 302)
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test func `a port without a listener is reported as refused`() async throws {
    let port = try #require(DeafPort())
    try await withTransport { transport in
      let error = await failure(of: .to("http://\(port.host)"), through: transport)
      #expect(error == .refused(host: port.host))
    }
  }

  @Test func `an unknown host name is reported`() async throws {
    try await withTransport { transport in
      let error = await failure(of: .to("http://nonexistent.invalid"), through: transport)
      #expect(error == .unknownHost("nonexistent.invalid"))
    }
  }

  @Test func `a missing or partial response times out`() async throws {
    try await withServer(script: { request in
      request.path == "/half"
        ? .answer(200, Array("[".utf8), announcing: 100) : .silence
    }) { server in
      try await withTransport { transport in
        let silent = await failure(of: .to(server.url, timeout: .milliseconds(100)), through: transport)
        #expect(silent == .timedOut(host: server.host))
        let half = await failure(of: .to(server.url, path: "/half", timeout: .milliseconds(100)), through: transport)
        #expect(half == .timedOut(host: server.host))
      }
    }
  }

  @Test(arguments: ["/silent", "/half"])
  func `cancelling ends the exchange`(path: String) async throws {
    try await withServer(script: { request in
      request.path == "/half" ? .answer(200, Array("[".utf8), announcing: 100) : .silence
    }) { server in
      try await withTransport { transport in
        let begun = Gate()
        let task = Task {
          await failure(of: .to(server.url, path: path, didReceive: { _, _ in begun.open() }), through: transport)
        }
        try await server.whenAsked()
        if path == "/half" { await begun.whenOpen() }
        task.cancel()
        #expect(await task.value == .cancelled)
      }
    }
  }

  @Test func `a connection that breaks before or during a response is interrupted`() async throws {
    try await withServer(script: { request in
      switch request.path {
      case "/reset": .reset
      case "/close": .close
      case "/short": .truncated(Array("[1,".utf8), announcing: 100)
      default: Script([.send(Script.head(200, [("Transfer-Encoding", "chunked")]) + Array("5\r\nab".utf8)), .close])
      }
    }) { server in
      for path in ["/reset", "/close", "/short", "/chunk"] {
        try await withTransport { transport in
          let error = await failure(of: .to(server.url, path: path), through: transport)
          #expect(error == .interrupted(host: server.host), "\(path)")
        }
      }
      #expect(server.requests.count == 4)
    }
  }

  @Test func `a GET is retried once when the server dropped its reused connection`() async throws {
    try await withServer(script: { request in
      request.connection == 0 && request.path == "/again" ? .reset : .text("fine")
    }) { server in
      try await withTransport { transport in
        _ = try await transport.send(.to(server.url))
        let response = try await transport.send(.to(server.url, path: "/again"))
        #expect(response.body == Array("fine".utf8))
        #expect(server.requests.map(\.connection) == [0, 0, 1])
      }
    }
  }

  @Test func `a GET is sent at most twice`() async throws {
    try await withServer(script: { $0.path == "/again" ? .reset : .text("fine") }) { server in
      try await withTransport { transport in
        _ = try await transport.send(.to(server.url))
        let error = await failure(of: .to(server.url, path: "/again"), through: transport)
        #expect(error == .interrupted(host: server.host))
        #expect(server.requests.count == 3)
      }
    }
  }

  @Test func `a POST is sent once over a new connection`() async throws {
    try await withServer(script: { $0.path == "/again" ? .reset : .text("fine") }) { server in
      try await withTransport { transport in
        _ = try await transport.send(.to(server.url))
        _ = try await transport.send(.to(server.url, method: .post, body: [1]))
        let error = await failure(of: .to(server.url, path: "/again", method: .post, body: [1]), through: transport)
        #expect(error == .interrupted(host: server.host))
        #expect(server.requests.map(\.connection) == [0, 1, 2])
      }
    }
  }

  @Test func `a response that is not HTTP or valid gzip is malformed`() async throws {
    try await withServer(script: { request in
      switch request.path {
      case "/ssh": Script([.send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))])
      default: .answer(200, Array("this is no gzip".utf8), fields: [("Content-Encoding", "gzip")])
      }
    }) { server in
      for path in ["/ssh", "/gzip"] {
        try await withTransport { transport in
          let error = await failure(of: .to(server.url, path: path), through: transport)
          #expect(error == .malformed(host: server.host), "\(path)")
        }
      }
    }
  }

  @Test func `a response over the size limit is refused with or without a length`() async throws {
    let megabyte = [UInt8](repeating: 0x20, count: 1 << 20)
    try await withServer(script: { request in
      request.path == "/announced"
        ? .answer(200, [0x20], announcing: 200_000_000) : .chunked([megabyte, megabyte, megabyte])
    }) { server in
      try await withTransport { transport in
        for path in ["/announced", "/chunks"] {
          let error = await failure(of: .to(server.url, path: path), through: transport)
          #expect(error == .tooLarge(host: server.host), "\(path)")
        }
      }
    }
  }

  @Test func `a gzip bomb is not inflated past the limit`() async throws {
    let bomb = try Shell.output(of: "head -c 200000000 /dev/zero | gzip -c")
    #expect(bomb.count < 1 << 20)
    try await withServer(script: { _ in .answer(200, bomb, fields: [("Content-Encoding", "gzip")]) }) { server in
      try await withTransport { transport in
        let error = await failure(of: .to(server.url, mostBytes: 8 << 20), through: transport)
        #expect(error == .tooLarge(host: server.host))
      }
    }
  }

  @Test func `no request is sent after shutdown`() async throws {
    try await withServer(script: { _ in .text("fine") }) { server in
      let transport = HTTPTransport()
      _ = try await transport.send(.to(server.url))
      await transport.shutDown()
      #expect(await failure(of: .to(server.url), through: transport) == .cancelled)
      await transport.shutDown()
    }
  }

  @Test func `a transport can be released unused or without shutdown`() async throws {
    _ = HTTPTransport()
    try await withServer(script: { _ in .text("fine") }) { server in
      let answer = try await HTTPTransport().send(.to(server.url))
      #expect(answer.head.status == .ok)
    }
  }
}
