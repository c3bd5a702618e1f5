/// A transport over a simulated bad link, for tapes (scripted test sessions) and experiments. A ``LinkConditioner``
/// decides what happens to each request.
///
/// A request's size limit and its timeout, measured by the conditioner's clock, apply as usual. Cancellation ends the
/// request at once.
public final class ConditionedTransport: Transport {
  private let transport: any Transport
  private let conditioner: LinkConditioner

  /// Creates a transport that sends through `transport`, over the link of `conditioner`.
  public init(_ transport: any Transport, conditioner: LinkConditioner) {
    self.transport = transport
    self.conditioner = conditioner
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    var passage = ConditionedPassage(request, over: conditioner)
    if let refusal = try await passage.goOut() { return refusal }
    let answer = try await transport.send(passage.arriving())
    return try await passage.comeBack(answer)
  }

  @concurrent public func shutDown() async {
    await transport.shutDown()
  }
}

extension Transport {
  /// Returns a transport that sends through this transport, over the link of `conditioner`.
  public func conditioned(by conditioner: LinkConditioner) -> ConditionedTransport {
    ConditionedTransport(self, conditioner: conditioner)
  }
}
