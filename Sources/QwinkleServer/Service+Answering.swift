import GRDB
import HTTPTypes
import LibC
import Logging
import QwinkleWire
import Synchronization
import Timekeeping

/// Responding to requests.
extension Service {
  /// Responds to a request from the HTTP server or from this process. Errors are converted to responses, and server
  /// errors are logged.
  @concurrent
  func respond(to request: ServiceRequest) async -> WrittenResponse {
    var response: WrittenResponse
    do {
      response = try await withUnixUser(of: request) { try await answer(request) }
    } catch {
      response = self.response(to: error, of: request).written()
    }
    CrossOrigin.open(&response.head.headerFields, request.segments)
    return response
  }

  /// Responds to a request for a stream. The response contains a ``Listening``, which describes the stream, or a
  /// refusal.
  @concurrent
  func stream(for request: ServiceRequest) async -> ServiceResponse {
    do {
      return try await withUnixUser(of: request) { try await listening(of: request) }
    } catch {
      var response = self.response(to: error, of: request)
      CrossOrigin.open(&response.headers, request.segments)
      return response
    }
  }

  private func listening(of request: ServiceRequest) async throws -> ServiceResponse {
    let route = try Self.router.route(for: request)
    request.note.route = route.pattern
    guard case .inside(let handler) = route.work else { throw Refusal.notFound }
    let connection = try self.connection()
    return try await connection.read(for: request.client, within: readLimit, budget) { db in
      try self.inTransaction(db, request.origin) { transaction in
        var transaction = transaction
        try self.identify(request, for: route, owner: connection.owner, &transaction)
        request.note.viewer = transaction.viewer
        return try handler(request, transaction)
      }
    }
  }

  private func response(to error: any Error, of request: ServiceRequest) -> ServiceResponse {
    switch error {
    case let refusal as Refusal: refusal.response(to: request)
    case let fault as ParameterFault: Refusal(fault).response(to: request)
    case is CancellationError: Refusal.unwanted.response
    // The cached groups have expired again.
    case is UnreadUnixUser: Refusal.unknownUser.response(to: request)
    default: failure(error, of: request)
    }
  }

  private func answer(_ request: ServiceRequest) async throws -> WrittenResponse {
    let most = ServiceRequest.mostBodyBytes(of: request.method, request.path)
    if request.body.count > most { throw Refusal.tooLarge(most) }
    if CrossOrigin.isQuestion(request) {
      let methods = Self.router.methods(at: request.segments)
      if !methods.isEmpty { return CrossOrigin.answer(request, methods: methods).written() }
    }
    let route = try Self.router.route(for: request)
    await doDueWork()
    request.note.route = route.pattern
    var request = request
    request.arguments = route.arguments(in: request.segments)
    let standing = try budget.count(route.limits, of: request.client)
    let handler: Route.Handler
    switch route.work {
    case .outside(let handler):
      var standing = standing
      if route.access != .open {
        request.viewer = try await viewer(of: request, for: route)
        if standing != nil, let viewer = request.viewer, request.client != .account(viewer) {
          standing = try budget.count(route.limits, of: .account(viewer))
        }
      }
      var response = try await handler(request, self)
      standing?.write(to: &response.headers)
      return response.written()
    case .inside(let inside): handler = inside
    }
    let connection = try route.writes ? writableConnection() : connection()
    let work = { @Sendable [request] (db: Database) throws -> ServiceResponse in
      try self.inTransaction(db, request.origin) { transaction in
        var transaction = transaction
        try self.identify(request, for: route, owner: connection.owner, &transaction)
        request.note.viewer = transaction.viewer
        var mine: Budget.Standing?
        if standing != nil, let viewer = transaction.viewer, request.client != .account(viewer) {
          mine = try self.budget.count(route.limits, of: .account(viewer))
        }
        var response =
          try route.writes
          ? transaction.withinTextQuota { try handler(request, transaction) } : handler(request, transaction)
        (mine ?? standing)?.write(to: &response.headers)
        return response
      }
    }
    if route.writes { return try await connection.write(for: writer(of: request), budget, work).written() }
    guard let answers = connection.answers, request.body.isEmpty else {
      return try await connection.read(for: request.client, within: readLimit, budget, work).written()
    }
    return try await read(request, for: route, connection, answers) { try work($0).written() }
  }

  /// Does due work, such as publishing scheduled posts, closing polls and deleting unused files. If it fails, the
  /// current request continues and the work is retried later.
  func doDueWork() async {
    let now = file.clock.now.milliseconds
    await agenda.settle(at: now) { [weak self] in await self?.doWork(dueAt: now) }
  }

  private func doWork(dueAt now: Int64) async {
    let origin = BaseURL(scheme: "http", authority: "localhost")
    do {
      var due = try await readForStreams(origin) { try $0.nextDue() }
      if let work = due, work <= now {
        try await write(origin, for: .process) { try $0.doDueWork() }
        try await deleteUnneededFiles(origin)
        due = try await readForStreams(origin) { try $0.nextDue() }
      }
      if let due { agenda.note(due) }
      await sweepIfDue(origin, at: now)
      if let sweep = nextSweep.withLock({ $0 }) { agenda.note(sweep) }
    } catch {
      agenda.note(now + Agenda.looksEvery)
      log.warning("Scheduled posts and polls have to wait: \(file.serviceError(error).sentence)")
    }
  }

  /// The hash of ``ownerToken``. Computed on first use, so that hashing doesn't delay the app's first screen.
  private var ownersHash: String {
    ownerHash.withLock { cached in
      let hash = cached ?? Secrets.hash(ownerToken)
      cached = hash
      return hash
    }
  }

  /// Sets the transaction's viewer, app and scopes from the request's token, or from its Unix user if it has no token.
  /// Does nothing for an open route. Throws a ``Refusal`` if the token doesn't satisfy the route's access or scope, or
  /// if the account is suspended or its Unix user isn't allowed. Throws ``NoUnixAccount`` if the Unix user has no
  /// account yet, and ``UnreadUnixUser`` if the user database has to be read first.
  func identify(
    _ request: ServiceRequest, for route: Route, owner: Int64?, _ transaction: inout Transaction
  ) throws {
    if route.access == .open { return }
    guard let token = request.token else {
      if let uid = request.unixUser {
        if request.isFromProxy { throw Refusal.proxied }
        return try identify(unixUser: uid, for: route, &transaction)
      }
      if route.access == .optional { return }
      throw Refusal.unauthorized("Sign in first: the request has no token.")
    }
    if Secrets.hash(token) == ownersHash {
      (transaction.viewer, transaction.scopes) = (owner, .whole)
    } else if let holder = try transaction.holder(ofToken: token) {
      if let account = holder.account {
        if try transaction.isSuspended(account) { throw Refusal.suspended }
        try checkAccess(ofTokenOf: account, transaction)
      }
      (transaction.viewer, transaction.app, transaction.scopes) = (holder.account, holder.app, holder.scopes)
      if route.writes, let account = holder.account { budget.knownAccounts.note(account, of: token) }
    } else {
      budget.knownAccounts.forget(token)
      throw Refusal.unauthorized("The access token is not valid. Sign in again.")
    }
    if route.access == .required, transaction.viewer == nil {
      throw Refusal.unauthorized("This needs a user's token; an app's token is not enough.")
    }
    if route.access != .app, !transaction.scopes.allow(route.scope) { throw Refusal.outsideScope(route.scope) }
  }

  private func identify(unixUser uid: uid_t, for route: Route, _ transaction: inout Transaction) throws {
    guard let account = try transaction.accountID(ofUnixUser: uid) else {
      if try transaction.isBarred(unixUser: uid) { throw Refusal.suspended }
      throw NoUnixAccount(uid: uid)
    }
    if try transaction.isSuspended(account) { throw Refusal.suspended }
    (transaction.viewer, transaction.scopes) = (account, .whole)
    if route.writes { budget.knownAccounts.note(account, ofUnixUser: uid) }
  }

  func failure(_ error: any Error, of request: ServiceRequest) -> ServiceResponse {
    var failure = file.serviceError(error)
    if use == .embedded, ServiceFile.isDamage(error), let aside = setAsideDamaged() {
      failure = .replaced(path: file.path, aside: aside)
    }
    let status: HTTPResponse.Status =
      switch failure {
      case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
      case .busy, .tooSlow, .storedDataCorrupt: .serviceUnavailable
      default: .internalServerError
      }
    var sentence = failure.sentence
    if use == .served {
      if case .storedDataCorrupt = failure { damage.withLock { $0 = failure } }
      let reference = String(Secrets.make().prefix(8))
      let line = request.note.line(for: request.method)
      log.error("\(line) \(status.code) reference=\(reference): \(failure.sentence)")
      sentence = failure.sentence(reference: reference)
    }
    var response = ServiceResponse(.error(sentence), status: status)
    switch failure {
    case .busy, .tooSlow: response.headers[.retryAfter] = "5"
    default: break
    }
    return response
  }
}
