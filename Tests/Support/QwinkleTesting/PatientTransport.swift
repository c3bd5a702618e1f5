public import QwinkleService
public import QwinkleWire

/// A transport with a long timeout, for tests that share a busy main actor.
public struct PatientTransport: Transport {
  private let base: HTTPTransport

  public init(base: HTTPTransport) {
    self.base = base
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    var request = request
    request.timeout = .seconds(600)
    return try await base.send(request)
  }

  @concurrent public func shutDown() async { await base.shutDown() }
}
