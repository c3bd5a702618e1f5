import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@Suite(.bounded) struct CertificateTests {
  /// Returns the error of a request to a server with a flawed certificate, or nil if the request succeeds.
  private func failure(
    _ flaw: CertificateAuthority.Flaw = .none, trusting: Bool = true, name: String = "127.0.0.1"
  ) async throws -> TransportError? {
    let authority = try CertificateAuthority()
    return try await withServer(certificate: authority.serverCertificate(flaw), script: { _ in .text("fine") }) {
      server in
      let error = try await withTransport(trustRoots: trusting ? authority.certificate : nil) { transport in
        await QwinkleServiceTests.failure(of: .to("https://\(name):\(server.port)"), through: transport)
      }
      if error != nil { #expect(server.requests.isEmpty) }
      return error
    }
  }

  private func reason(_ error: TransportError?) -> String? {
    if case .untrusted(_, let reason)? = error { reason } else { nil }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a certificate from a trusted authority is accepted`(name: String) async throws {
    #expect(try await failure(name: name) == nil)
  }

  @Test func `an expired certificate is rejected with its expiry date`() async throws {
    let reason = try reason(await failure(.expired))
    #expect(reason?.hasPrefix("its certificate expired on 2") == true)
  }

  @Test func `a certificate from an unknown authority is rejected`() async throws {
    #expect(
      try reason(await failure(trusting: false)) == "no authority that this machine trusts signed its certificate")
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a certificate for another name is rejected`(name: String) async throws {
    #expect(try reason(await failure(.wrongName, name: name)) == "its certificate is for a different name")
  }

  @Test func `a server without TLS is reported as untrusted`() async throws {
    try await withServer(script: { _ in .text("fine") }) { server in
      try await withTransport { transport in
        let error = await QwinkleServiceTests.failure(of: .to("https://\(server.host)"), through: transport)
        #expect(reason(error) != nil)
      }
    }
  }

  @Test(arguments: [
    ("/nonexistent/ca.pem", "cannot be read: No such file or directory"), ("/dev/null", "contains no certificate"),
    ("/etc/passwd", "contains no certificate"), ("/tmp", "contains no certificate"),
  ])
  func `a trust file without certificates is named in the error`(path: String, fault: String) async throws {
    try await withServer(script: { _ in .text("fine") }) { server in
      try await withTransport(trustRoots: path) { transport in
        let error = await QwinkleServiceTests.failure(of: .to("https://\(server.host)"), through: transport)
        guard case .local(let reason)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(reason.contains("\(path) \(fault). Check or unset SSL_CERT_FILE"), "\(reason)")
        // Plain HTTP needs no certificates.
        let plain = try await transport.send(.to(server.url))
        #expect(plain.body == Array("fine".utf8))
      }
    }
  }
}
