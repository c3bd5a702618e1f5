import HTTPTypes
public import QwinkleWire
import Synchronization

/// What clients are signed in with, so that a tape can end it: each pass stands for a token until it is revoked.
public final class SignInPasses: Sendable {
  private struct State {
    var tokens: [String: String] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// A pass for `token`: the one that it has, or a new one.
  public func pass(for token: String) -> String {
    state.withLock { state in
      if let pass = state.tokens.first(where: { $0.value == token })?.key { return pass }
      state.count += 1
      let pass = "pass-\(state.count)"
      state.tokens[pass] = token
      return pass
    }
  }

  /// Ends the pass of `token`. The next one differs.
  public func revoke(_ token: String) { state.withLock { $0.tokens = $0.tokens.filter { $0.value != token } } }

  /// Passes requests on with the token that their pass stands for, and refuses those whose pass was revoked.
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
