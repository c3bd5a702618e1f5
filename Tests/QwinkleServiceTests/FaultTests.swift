import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Every failure of a server or connection, over real connections, up to the user's message.
@MainActor
@Suite(.bounded) struct FaultTests {
  private func error(
    from url: String, trustRoots: String? = nil, request: Request<Page<Qwink>> = .publicTimeline
  ) async -> DownloadError? {
    let transport = HTTPTransport(trustRoots: trustRoots, connectTimeout: .seconds(120))
    let bench = Bench(transport, at: url, token: "secret")
    let identifier = await bench.run(request)
    await bench.service.shutDown()
    #expect(bench.delegate.words(for: identifier).last == "finished")
    if let sentence = bench.delegate.errors.first?.sentence {
      #expect(sentence.count > 20)
      #expect(!sentence.contains("secret"))
    }
    return bench.delegate.errors.first
  }

  private func error(_ script: Script) async throws -> DownloadError? {
    let server = try await ScriptedServer.start { _ in script }
    let error = await error(from: server.url)
    await server.stop()
    return error
  }

  @Test func `a server that is down is reported as refusing the connection`() async throws {
    let server = try await ScriptedServer.start { _ in .silence }
    let (url, host) = (server.url, server.host)
    await server.stop()
    #expect(await error(from: url) == .transport(.refused(host: host)))
  }

  @Test func `an unknown host name is reported`() async {
    #expect(await error(from: "http://nonexistent.invalid") == .transport(.unknownHost("nonexistent.invalid")))
  }

  @Test(arguments: [401, 404, 429, 500])
  func `an error status is an error with any body`(status: Int) async throws {
    #expect(try await error(.json(WireEncoder.error("Because"), status: status)) != nil)
    #expect(try await error(.text("<html>Because</html>", status: status)) != nil)
    #expect(try await error(.answer(status)) != nil)
  }

  @Test func `a response that is not from the API is unreadable`() async throws {
    for script: Script in [
      .text("<!DOCTYPE html><html>Welcome</html>", fields: [("Content-Type", "text/html")]),
      .answer(200),
    ] {
      guard case .unreadable? = try await error(script) else {
        Issue.record("read \(script)")
        continue
      }
    }
  }

  @Test func `a truncated response or a reset is reported as interrupted`() async throws {
    guard
      case .transport(.interrupted)? = try await error(.truncated(pageBody("2", "1").dropLast(), announcing: 99_999))
    else {
      Issue.record("not interrupted")
      return
    }
    guard case .transport(.interrupted)? = try await error(.reset) else {
      Issue.record("not interrupted")
      return
    }
  }

  @Test func `a gzip bomb and deep nesting are rejected`() async throws {
    let bomb = try Shell.output(of: "head -c 200000000 /dev/zero | gzip -c")
    guard
      case .transport(.tooLarge)? = try await error(
        .answer(200, bomb, fields: [("Content-Encoding", "gzip"), ("Content-Type", "application/json")]))
    else {
      Issue.record("not too large")
      return
    }
    let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
    #expect(try await error(.text(deep)) != nil)
    #expect(try await error(.text(String(deep.prefix(200_000)))) != nil)
  }

  @Test func `a redirect to another port never carries the token`() async throws {
    let other = try await ScriptedServer.start { _ in .json(pageBody("1")) }
    let server = try await ScriptedServer.start { [url = other.url] request in
      request.method == "GET" ? .redirect(to: url + request.path) : .redirect(to: url, status: 307)
    }
    let transport = HTTPTransport()
    let bench = Bench(transport, at: server.url, token: "secret")
    await bench.run(.publicTimeline)
    #expect(bench.delegate.qwinkIDs == ["1"])
    await bench.run(.post(.sample()))
    #expect(bench.delegate.errors == [.badRedirect(host: server.host)])
    await bench.service.shutDown()
    #expect(server.requests.map { $0.field("Authorization") } == ["Bearer secret", "Bearer secret"])
    #expect(other.requests.count == 1)
    #expect(other.requests.allSatisfy { $0.field("Authorization") == nil })
    #expect(other.requests.allSatisfy { request in !request.fields.contains { $0.value.contains("secret") } })
    await server.stop()
    await other.stop()
  }

  @Test(arguments: [CertificateAuthority.Flaw.expired, .wrongName, .none])
  func `an invalid or unknown certificate is not trusted`(flaw: CertificateAuthority.Flaw) async throws {
    let authority = try CertificateAuthority()
    let server = try await ScriptedServer.start(certificate: authority.serverCertificate(flaw)) { _ in .silence }
    // Without a flaw it is still untrusted, because this machine doesn't know the authority.
    let error = await error(from: server.url, trustRoots: flaw == .none ? nil : authority.certificate)
    guard case .transport(.untrusted)? = error else {
      Issue.record("trusted: \(String(describing: error))")
      return
    }
    #expect(server.requests.isEmpty)
    await server.stop()
  }

  @Test func `the main actor stays responsive while a server is silent`() async throws {
    let gate = Gate()
    let server = try await ScriptedServer.start { _ in .json(pageBody("1")).held(by: gate) }
    let bench = Bench(PatientTransport(base: HTTPTransport()), at: server.url)
    let identifier = bench.service.start(.publicTimeline, delegate: bench.delegate)
    try await server.whenAsked()
    #expect(bench.delegate.words(for: identifier) == ["started"])
    gate.open()
    await bench.delegate.finished(identifier)
    #expect(bench.delegate.qwinkIDs == ["1"])
    await bench.service.shutDown()
    await server.stop()
  }
}
