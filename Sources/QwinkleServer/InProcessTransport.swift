import HTTPTypes
import QwinkleWire

/// A transport that calls the service in this process instead of connecting to a server.
struct InProcessTransport: Transport {
  let service: Service

  @concurrent
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    if Task.isCancelled { throw .cancelled }
    do throws(ServiceError) {
      try await service.becomeReady()
    } catch {
      throw .local(reason: error.sentence)
    }
    let response = await service.respond(to: ServiceRequest(head: request.head, body: request.body))
    if Task.isCancelled { throw .cancelled }
    let body = response.file.map { $0.whole.bytes($0.range) } ?? response.body
    if body.count > request.mostBytes { throw .tooLarge(host: request.head.authority ?? "") }
    request.didReceive?(body.count, body.count)
    return TransportResponse(head: response.head, body: request.head.method == .head ? [] : body)
  }
}
