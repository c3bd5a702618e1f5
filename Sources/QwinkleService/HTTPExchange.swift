import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import QwinkleWire

/// One HTTP request, and its complete response.
struct HTTPExchange: Sendable {
  let request: TransportRequest
  let route: Route
  let client: HTTPClient
  let group: any EventLoopGroup
  let deadline: NIODeadline

  private enum Event: Sendable {
    case done(Result<TransportResponse, HTTPFailure>)
    case timer(isDue: Bool)
  }

  /// Sends the request and collects the response. The HTTP client's own deadline only limits the time until the
  /// response's head, so a separate timer also limits the time for the body.
  func result() async -> Result<TransportResponse, HTTPFailure> {
    let timer = group.any().scheduleTask(deadline: deadline) {}
    return await withTaskGroup(of: Event.self) { tasks in
      tasks.addTask { .done(await attempt()) }
      tasks.addTask {
        do {
          try await timer.futureResult.get()
          return .timer(isDue: true)
        } catch {
          return .timer(isDue: false)
        }
      }
      var isLate = false
      var result: Result<TransportResponse, HTTPFailure>?
      for await event in tasks {
        switch event {
        case .done(let done):
          result = done
          timer.cancel()
        case .timer(isDue: true) where result == nil:
          isLate = true
          tasks.cancelAll()
        case .timer: break
        }
      }
      switch result {
      case .failure(let failure) where isLate && failure.error == .cancelled:
        return .failure(HTTPFailure(error: .timedOut(host: route.origin.authority), hadAnswer: failure.hadAnswer))
      case .some(let result): return result
      case .none: return .failure(HTTPFailure(error: .cancelled, hadAnswer: false))
      }
    }
  }

  @concurrent private func attempt() async -> Result<TransportResponse, HTTPFailure> {
    var hadAnswer = false
    do {
      let response = try await client.execute(outgoing, deadline: .distantFuture)
      hadAnswer = true
      let head = try head(of: response)
      var whole = TransportResponse(head: head)
      (whole.body, whole.isCut) = try await body(of: response, head)
      return .success(whole)
    } catch {
      if Task.isCancelled { return .failure(HTTPFailure(error: .cancelled, hadAnswer: hadAnswer)) }
      return .failure(route.failure(error, hadAnswer: hadAnswer))
    }
  }

  private var outgoing: HTTPClientRequest {
    var outgoing = route.request(for: request.head.path)
    outgoing.method = HTTPMethod(rawValue: request.head.method.rawValue)
    for field in request.head.headerFields {
      outgoing.headers.add(name: field.name.rawName, value: field.value)
    }
    if !outgoing.headers.contains(name: "User-Agent") {
      outgoing.headers.add(name: "User-Agent", value: DownloadService.userAgent)
    }
    if let file = request.file {
      outgoing.body = .stream(
        BodyPieces(file, didSend: request.didSend ?? { _ in }), length: .known(Int64(file.count)))
    } else if let didSend = request.didSend, request.body.count > BodyPieces.bytes {
      outgoing.body = .stream(BodyPieces(request.body, didSend: didSend), length: .known(Int64(request.body.count)))
    } else if !request.body.isEmpty {
      outgoing.body = .bytes(ByteBuffer(bytes: request.body))
    }
    return outgoing
  }

  private func head(of response: HTTPClientResponse) throws -> HTTPResponse {
    guard (100...999).contains(response.status.code) else {
      throw TransportError.malformed(host: route.origin.authority)
    }
    var head = HTTPResponse(status: .init(code: Int(response.status.code)))
    for (name, value) in response.headers {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: value))
    }
    return head
  }

  /// Number of bytes to read from the start of a body whose declared length exceeds the limit.
  private static let startBytes = 64 << 10

  /// Returns the body, and whether it was cut. If the request has `keepsStart`, a body that is too large is cut instead
  /// of failing.
  private func body(of response: HTTPClientResponse, _ head: HTTPResponse) async throws -> (bytes: [UInt8], isCut: Bool)
  {
    // Ignore the declared length of a compressed body, because it is the length before decompression.
    let isCompressed = response.headers.contains(name: "Content-Encoding")
    let expected = isCompressed ? nil : response.headers.first(name: "Content-Length").flatMap { Int($0) }
    let isKnownTooLarge = expected.map { $0 > request.mostBytes } ?? false && request.head.method != .head
    if isKnownTooLarge, !request.keepsStart { throw TransportError.tooLarge(host: route.origin.authority) }
    let most = isKnownTooLarge ? min(Self.startBytes, request.mostBytes) : request.mostBytes
    var body: [UInt8] = []
    for try await chunk in response.body {
      guard body.count + chunk.readableBytes <= most else {
        guard request.keepsStart else { throw TransportError.tooLarge(host: route.origin.authority) }
        body.append(contentsOf: chunk.readableBytesView.prefix(most - body.count))
        return (body, true)
      }
      body.append(contentsOf: chunk.readableBytesView)
      request.didReceive?(body.count, expected)
      request.didReceivePart?(head, Array(chunk.readableBytesView))
    }
    // If the task is cancelled, the body ends without an error, as if it were complete.
    try Task.checkCancellation()
    return (body, isKnownTooLarge)
  }
}
