import HTTPTypes
import QwinkleService
import QwinkleTesting
import QwinkleWire

/// Runs `body` with a scripted server and stops the server afterwards.
func withServer<Result: Sendable>(
  certificate: CertificateAuthority.ServerCertificate? = nil,
  script: @escaping @Sendable (ScriptedServer.Request) -> Script,
  _ body: @Sendable (ScriptedServer) async throws -> Result
) async throws -> Result {
  let server = try await ScriptedServer.start(certificate: certificate, script: script)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

/// Runs `body` with an HTTP transport, and shuts it down afterwards.
func withTransport<Result: Sendable>(
  trustRoots: String? = nil, _ body: @Sendable (HTTPTransport) async throws -> Result
) async throws -> Result {
  let transport = HTTPTransport(trustRoots: trustRoots, connectTimeout: .seconds(120))
  do {
    let result = try await body(transport)
    await transport.shutDown()
    return result
  } catch {
    await transport.shutDown()
    throw error
  }
}

extension TransportRequest {
  /// A request to `server`, an address such as `http://host:port`.
  static func to(
    _ server: String, path: String = "/x", method: HTTPRequest.Method = .get, body: [UInt8] = [],
    mostBytes: Int = 1 << 20, timeout: Duration = .seconds(120),
    didReceive: (@Sendable (Int, Int?) -> Void)? = nil
  ) -> TransportRequest {
    let parts = server.split(separator: "://", maxSplits: 1)
    return TransportRequest(
      head: HTTPRequest(
        method: method, scheme: String(parts[0]), authority: parts.count > 1 ? String(parts[1]) : "", path: path),
      body: body, mostBytes: mostBytes, timeout: timeout, didReceive: didReceive)
  }
}

/// Returns the error of sending `request`, or nil if it succeeds.
func failure(of request: TransportRequest, through transport: any Transport) async -> TransportError? {
  do throws(TransportError) {
    _ = try await transport.send(request)
    return nil
  } catch {
    return error
  }
}
