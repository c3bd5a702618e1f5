import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Timekeeping

/// Reads a request: its header, and its body if its sender may send one.
extension RequestHandler {
  func take(_ part: HTTPServerRequestPart) {
    switch (state, part) {
    case (.waiting, .head(let head)): begin(head)
    case (.reading(let asked), .body(let bytes)): receive(bytes, asked)
    case (.reading(let asked), .end): answer(asked)
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    didChangeIdle(false)
    guard let method = try? HTTPRequest.Method(head.method) else { return refuse(.notHTTP, nil) }
    var fields = HTTPFields(head.headers, splitCookie: false)
    let authority = head.headers.first(name: "host")
    if let name = HTTPField.Name("Host") { fields[name] = nil }
    var asked = Asked(
      head: HTTPRequest(
        method: method, scheme: "http", authority: authority, path: head.uri, headerFields: fields),
      closes: !head.isKeepAlive || head.version != .http1_1, version: head.version,
      start: front.traffic.now, client: front.client(of: fields, at: address))
    if head.uri.utf8.count > ServiceRequest.mostTargetBytes { return refuse(.longAddress, asked) }
    asked.most = ServiceRequest.mostBodyBytes(of: method, head.uri)
    do throws(Refusal) {
      asked.shares.append(try front.service.budget.take(.requests, for: asked.client))
      let delay = try front.service.budget.delay(of: asked.client)
      if delay > .zero { pause(asked, for: delay) } else { receiveBody(of: asked) }
    } catch {
      refuse(error, asked)
    }
  }

  /// Holds a request back whose client is faster than its pace.
  private func pause(_ asked: Asked, for delay: Duration) {
    guard let context else { return }
    state = .pausing
    deadlines.enter(.service)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: TimeAmount(delay)) { me.value.endPause(asked) }
  }

  private func endPause(_ asked: Asked) {
    guard case .pausing = state else { return }
    guard !isLast else { return closeNow() }
    receiveBody(of: asked)
    resume()
  }

  private func receiveBody(of asked: Asked) {
    let length = asked.head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    if length > asked.most { return refuse(.tooLarge(asked.most), asked) }
    if length > FrontLimits.mostUnknownBodyBytes { ask(asked) } else { read(bodyOf: asked) }
  }

  private func read(bodyOf asked: Asked) {
    state = .reading(asked)
    deadlines.enter(.body)
    let fields = asked.head.headerFields
    if body == nil, fields[.expect]?.lowercased() == "100-continue", asked.version == .http1_1, let context {
      let go = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
    }
  }

  private func receive(_ bytes: ByteBuffer, _ asked: Asked) {
    let body = self.body ?? BodyBuffer(directory: front.service.file.directory)
    self.body = body
    guard body.append(bytes.readableBytesView) else { return refuse(.notReceived, asked) }
    if body.count > asked.most { return refuse(.tooLarge(asked.most), asked) }
    do throws(Refusal) {
      if bodyShare == nil { bodyShare = try front.service.budget.take(.requestBytes, for: asked.client) }
      try bodyShare?.resize(to: body.bytesInMemory)
    } catch {
      return refuse(error, asked)
    }
    // A body that is sent in chunks has no length.
    if !asked.isAdmitted, body.count > FrontLimits.mostUnknownBodyBytes { ask(asked) }
  }

  /// Asks whether a long body may be received: only from users of a route that takes one.
  private func ask(_ asked: Asked) {
    guard let context else { return }
    state = .asking
    deadlines.enter(.service)
    let request = front.request(of: asked, at: address)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    task = Task { [front] in
      let answer = await front.service.admission(of: request)
      me.eventLoop.execute { me.value.admit(asked, answer) }
    }
  }

  private func admit(_ asked: Asked, _ answer: Result<Int64, Refusal>) {
    task = nil
    guard case .asking = state, !isLast else {
      if case .closed = state { return end() }
      return closeNow()
    }
    do throws(Refusal) {
      var asked = asked
      let account = try answer.get()
      if asked.most > ServiceRequest.mostBodyBytes {
        asked.shares.append(try front.service.budget.take(.uploads, for: .account(account)))
      }
      asked.isAdmitted = true
      read(bodyOf: asked)
    } catch {
      return refuse(error, asked)
    }
    resume()
  }

  /// Goes on with the parts that were received in the meantime.
  private func resume() {
    advance()
    if case .reading = state { readAgain() }
  }

  private func closeNow() { context?.close(promise: nil) }
}

extension FrontParts {
  /// The client of a request that was received from `address`.
  func client(of fields: HTTPFields, at address: String) -> Client {
    let forwarded = HTTPField.Name("X-Forwarded-For").map { fields[values: $0] }
    return .address(proxies.client(at: address, forwardedFor: forwarded ?? []))
  }

  /// A request without its body.
  func request(of asked: RequestHandler.Asked, at address: String) -> ServiceRequest {
    var request = ServiceRequest(head: asked.head, body: [])
    request.note = asked.note
    request.client = asked.client
    let proto = HTTPField.Name("X-Forwarded-Proto").flatMap { asked.head.headerFields[$0] }
    if let scheme = proxies.scheme(at: address, forwardedProto: proto) { request.origin.scheme = scheme }
    if let origin { request.origin = origin }
    return request
  }

  /// The service's answer to a request with this body, and who listens if it is a stream.
  @concurrent
  func answer(_ request: ServiceRequest, _ body: BodyBuffer?) async -> (WrittenResponse, Listening?) {
    guard let body, body.isInFile else { return await answer(request, body?.whole() ?? []) }
    // One at a time, as each is in memory as a whole.
    let (turns, clock) = (service.budget.turns, service.clock)
    await turns.enter(.largeRequest, request.client)
    let start = clock.uptime
    defer { turns.leave(.largeRequest, request.client, used: clock.uptime - start) }
    guard let bytes = body.whole() else { return (Refusal.notReceived.response.written(), nil) }
    return await answer(request, bytes)
  }

  private func answer(_ request: ServiceRequest, _ body: [UInt8]) async -> (WrittenResponse, Listening?) {
    var request = request
    request.body = body
    if StreamHandlers.isStream(request) {
      let response = await service.stream(for: request)
      if case .stream(let listening) = response.content { return (response.written(), listening) }
      return (response.written(), nil)
    }
    var response = await service.respond(to: request)
    Compression.compress(&response, for: request)
    return (response, nil)
  }
}
