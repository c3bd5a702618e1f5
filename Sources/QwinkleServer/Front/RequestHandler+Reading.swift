import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Reads a request's header, and its body if the sender is allowed to send one.
extension RequestHandler {
  private static let host = HTTPField.Name("Host")

  func take(_ part: HTTPServerRequestPart) {
    switch (state, part) {
    case (.waiting, .head(let head)): begin(head)
    case (.reading(let pending), .body(let bytes)): receive(bytes, pending)
    case (.reading(let pending), .end): answer(pending)
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    didChangeIdle(false)
    guard let method = try? HTTPRequest.Method(head.method) else { return refuse(.notHTTP, nil) }
    var fields = HTTPFields(head.headers, splitCookie: false)
    let authority = head.headers.first(name: "host")
    if let name = Self.host { fields[name] = nil }
    var pending = PendingRequest(
      head: HTTPRequest(
        method: method, scheme: "http", authority: authority, path: head.uri, headerFields: fields),
      closes: !head.isKeepAlive || head.version != .http1_1, version: head.version,
      start: front.traffic.now, client: peer == .process ? front.client(of: fields, from: source) : peer)
    if case .unixUser(let uid, _) = source { pending.note.unixUser = uid }
    if head.uri.utf8.count > ServiceRequest.mostTargetBytes { return refuse(.longAddress, pending) }
    pending.most = ServiceRequest.mostBodyBytes(of: method, head.uri)
    do throws(Refusal) {
      pending.shares.append(try front.service.budget.take(.requests, for: pending.client))
      if let share = try headShare(of: head, pending.client) { pending.shares.append(share) }
      let delay = try front.service.budget.delay(of: pending.client)
      if delay > .zero { pause(pending, for: delay) } else { receiveBody(of: pending) }
    } catch {
      refuse(error, pending)
    }
  }

  /// Returns a share that counts a long header in the client's budget until the request is answered. Returns nil for a
  /// short header.
  private func headShare(of head: HTTPRequestHead, _ client: Client) throws(Refusal) -> Share? {
    let bytes = head.byteCount
    // The share of ``deadlines`` belongs to the peer. If the peer is a trusted proxy, the header is counted for the
    // proxy's client instead.
    if let share = deadlines.takeHeadShare(), client == peer {
      // The share may include bytes of the body.
      try share.resize(to: bytes)
      return share
    }
    guard bytes > Deadlines.shortHead else { return nil }
    return try front.service.budget.take(.requestBytes, bytes, for: client)
  }

  /// Delays a request of a client that exceeds its request rate.
  private func pause(_ pending: PendingRequest, for delay: Duration) {
    guard let context else { return }
    state = .pausing(pending)
    deadlines.enter(.service)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: TimeAmount(delay)) { me.value.endPause() }
  }

  private func endPause() {
    guard case .pausing(let pending) = state else { return }
    receiveBody(of: pending)
    advance()
  }

  private func receiveBody(of pending: PendingRequest) {
    let length = pending.head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    if length > pending.most { return refuse(.tooLarge(pending.most), pending) }
    if length > FrontLimits.maxBodyBytesBeforeSignIn { ask(pending) } else { read(bodyOf: pending) }
  }

  private func read(bodyOf pending: PendingRequest) {
    state = .reading(pending)
    deadlines.enter(.body)
    let fields = pending.head.headerFields
    if body == nil, fields[.expect]?.lowercased() == "100-continue", pending.version == .http1_1, let context {
      let go = HTTPResponseHead(version: .http1_1, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
    }
  }

  private func receive(_ bytes: ByteBuffer, _ pending: PendingRequest) {
    let body = self.body ?? BodyBuffer(directory: front.service.file.directory)
    self.body = body
    guard body.append(bytes.readableBytesView) else { return refuse(.notReceived, pending) }
    if body.count > pending.most { return refuse(.tooLarge(pending.most), pending) }
    do throws(Refusal) {
      if let bodyShare {
        try bodyShare.resize(to: body.bytesInMemory)
      } else {
        bodyShare = try front.service.budget.take(.requestBytes, body.bytesInMemory, for: pending.client)
      }
    } catch {
      return refuse(error, pending)
    }
    // A chunked body has no declared length.
    if !pending.isAdmitted, body.count > FrontLimits.maxBodyBytesBeforeSignIn { ask(pending) }
  }

  /// Waits until the service has decided whether the sender is allowed to send a long body. Only signed-in users are,
  /// and only on routes that check tokens.
  private func ask(_ pending: PendingRequest) {
    guard let context else { return }
    state = .admitting(pending)
    deadlines.enter(.service)
    let request = front.request(of: pending, from: source)
    let me = NIOLoopBound(self, eventLoop: context.eventLoop)
    task = Task { [front] in
      let answer = await front.service.admission(of: request)
      me.eventLoop.execute { me.value.admit(answer) }
    }
  }

  private func admit(_ answer: Result<Int64, Refusal>) {
    task = nil
    if case .closed = state { return end() }
    // The request may have been refused in the meantime.
    guard case .admitting(var pending) = state else { return }
    do throws(Refusal) {
      let account = try answer.get()
      pending.shares.append(try front.service.budget.take(.uploads, for: .account(account)))
      pending.isAdmitted = true
      read(bodyOf: pending)
    } catch {
      return refuse(error, pending)
    }
    advance()
  }
}

extension FrontParts {
  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
  private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")

  /// Returns the client of a request that was received from `source`.
  func client(of fields: HTTPFields, from source: ConnectionSource) -> Client {
    switch source {
    case .address(let address):
      let forwarded = Self.forwardedFor.map { fields[values: $0] }
      return .address(proxies.client(at: address, forwardedFor: forwarded ?? []))
    case .unixUser(_, let counted): return .unixUser(counted)
    }
  }

  /// Returns the request to pass to the service, without its body.
  func request(of pending: RequestHandler.PendingRequest, from source: ConnectionSource) -> ServiceRequest {
    var request = ServiceRequest(head: pending.head, body: [])
    request.note = pending.note
    request.client = pending.client
    switch source {
    case .address(let address):
      let proto = Self.forwardedProto.flatMap { pending.head.headerFields[$0] }
      if let scheme = proxies.scheme(at: address, forwardedProto: proto) { request.origin.scheme = scheme }
    case .unixUser(let uid, _): request.unixUser = uid
    }
    if let origin { request.origin = origin }
    return request
  }

  /// Returns the service's response to a request with this body, and a ``Listening`` if the response is a stream.
  @concurrent
  func answer(_ request: ServiceRequest, _ body: BodyBuffer?) async -> (WrittenResponse, Listening?) {
    guard let body, body.isInFile else { return await answer(request, body?.whole() ?? []) }
    // Requests with long bodies take turns, because each one loads its whole body into memory.
    let turns = service.budget.turns
    await turns.enter(.largeRequest, request.client)
    // This turn counts no time as used by the client, because most of it is spent waiting. The turns for reading and
    // writing the database count their own time.
    defer { turns.leave(.largeRequest, request.client, used: .zero) }
    // The client has disconnected, so the body isn't needed.
    if Task.isCancelled { return (Refusal.unwanted.response.written(), nil) }
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
