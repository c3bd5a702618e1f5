import HTTPTypes
public import QwinkleWire
import Synchronization

/// Revocable credentials for signed-in clients. A client sends a pass instead of its real token, so a tape can end the
/// sign-in by revoking the pass.
public final class SignInPasses: Sendable {
  private struct State {
    var tokens: [String: String] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Returns the pass for `token`, creating one if necessary.
  public func pass(for token: String) -> String {
    state.withLock { state in
      if let pass = state.tokens.first(where: { $0.value == token })?.key { return pass }
      state.count += 1
      let pass = "pass-\(state.count)"
      state.tokens[pass] = token
      return pass
    }
  }

  /// Revokes the pass for `token`. A later pass for the same token is a different one.
  public func revoke(_ token: String) { state.withLock { $0.tokens = $0.tokens.filter { $0.value != token } } }

  /// Returns a transport that replaces each request's pass with its token, and rejects revoked passes.
  public func checked(_ transport: any Transport) -> any Transport { PassTransport(transport, passes: self) }

  fileprivate func token(for pass: some StringProtocol) -> String? { state.withLock { $0.tokens[String(pass)] } }
}

private final class PassTransport: Transport {
  private let transport: any Transport
  private let passes: SignInPasses

  init(_ transport: any Transport, passes: SignInPasses) {
    self.transport = transport
    self.passes = passes
  }

  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let pass = request.head.headerFields[.authorization]?.dropFirst("Bearer ".count) ?? ""
    guard let token = passes.token(for: pass) else {
      return TransportResponse(
        head: HTTPResponse(status: .unauthorized), body: WireEncoder.error("The access token was revoked"))
    }
    var request = request
    request.head.headerFields[.authorization] = "Bearer \(token)"
    return try await transport.send(request)
  }

  @concurrent func shutDown() async {
    await transport.shutDown()
  }
}
