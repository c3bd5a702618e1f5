/// A transport whose requests go over a link that may be bad: it does to them what a ``LinkConditioner`` says at the time.
///
/// A request's timeout and most bytes hold as ever, the timeout by the conditioner's clock; cancelling ends at once.
public final class ConditionedTransport: Transport {
  private let transport: any Transport
  private let conditioner: LinkConditioner

  /// Sends through `transport`, over the link of `conditioner`.
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
  /// The same transport over the link of `conditioner`.
  public func conditioned(by conditioner: LinkConditioner) -> ConditionedTransport {
    ConditionedTransport(self, conditioner: conditioner)
  }
}
