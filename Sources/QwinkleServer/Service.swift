import Foundation
import GRDB
import HTTPTypes
public import Logging
public import QwinkleWire
import Synchronization
public import Timekeeping

/// The Mastodon client API on top of one SQLite file, for the users of one machine or team.
///
/// Creating an instance is cheap: the file is opened by ``open()`` or by the first request. All calls are thread-safe.
/// Database work runs on separate queues.
public final class Service: Sendable {
  struct Opened: Sendable {
    var connection: ServiceConnection?
    var setAsidePath: String?
    /// Whether many clients share the service, so that reads use separate connections.
    var isShared = false
  }

  /// The kind of deployment.
  public enum Use: Sendable {
    /// Used in-process by a single user. A corrupt file is set aside, and error messages include all details.
    case embedded
    /// Used by several users over the network. A corrupt file stays in place, and details of errors are only logged.
    case served
  }

  let commits = CommitObserver()
  let file: ServiceFile
  let use: Use
  private let log: Logger
  let malformedRows: MalformedRowLog
  /// Corruption that SQLite reported during a request to a served database. While this is set, write requests fail. It
  /// is never set for an embedded service, which replaces the file instead.
  let damage = Mutex<ServiceError?>(nil)
  let welcome: String
  let owner: String?
  private let ownerHash = Mutex<String?>(nil)
  let opened = Mutex(Opened())
  let readLimit: ReadLimit
  let budget: Budget
  let passwords: PasswordVerifier
  let terms: ServiceTerms
  let forms: FormGuard
  let events = EventHub()
  let agenda = Agenda()
  let media: MediaStore
  let blurhash: (@Sendable ([UInt8]) async -> String?)?
  static let router = Router(Routes.all)

  /// A token with which this process acts as the owner. It is random, never stored, and valid as long as this object
  /// exists.
  public let ownerToken: String

  /// Creates a service whose database is `DIRECTORY/service.sqlite`.
  ///
  /// - Parameters:
  ///   - welcome: A new service's first posts, oldest first, separated by `---` lines.
  ///   - owner: The name of this process's user. It is lowercased, and characters outside `[a-z0-9_]` are removed. Then
  ///     it is truncated to 30 characters. Empty if the service has no owner.
  ///   - isUnlimited: Whether the rates of requests, posts, edits, uploads and registrations are unlimited. Password
  ///     attempts stay limited.
  ///   - terms: The operator's settings, if the service is served.
  ///   - blurhash: Returns the blurhash of a picture file, or nil if it can't be computed. A blurhash is a short string
  ///     that clients draw as a blurred preview while a picture loads. The service itself never decodes pictures,
  ///     because a malicious file could exploit a decoder. If nil, pictures have no blurhash.
  /// - Throws: ``ServiceError`` if `directory` is empty.
  public convenience init(
    directory: String, welcome: String, owner: String, clock: any ProgramClock, use: Use = .embedded,
    isUnlimited: Bool = false, terms: ServiceTerms = ServiceTerms(),
    blurhash: (@Sendable ([UInt8]) async -> String?)? = nil,
    log: Logger = Logger(label: "qwinkle.service") { _ in SwiftLogNoOpLogHandler() }
  ) throws(ServiceError) {
    try self.init(
      directory: directory, welcome: welcome, owner: owner, clock: clock, passwordCost: PasswordHash.Cost(), use: use,
      isUnlimited: isUnlimited, terms: terms, blurhash: blurhash, log: log)
  }

  /// - Parameters:
  ///   - passwordCost: The cost of computing a new password hash, and thus of each guess.
  ///   - readLimit: The maximum cost of a read.
  init(
    directory: String, welcome: String, owner: String, clock: any ProgramClock, passwordCost: PasswordHash.Cost,
    readLimit: ReadLimit = ReadLimit(), use: Use = .embedded, isUnlimited: Bool = false,
    limits: [Resource: Resource.Limit] = [:], terms: ServiceTerms = ServiceTerms(),
    blurhash: (@Sendable ([UInt8]) async -> String?)? = nil,
    log: Logger = Logger(label: "qwinkle.service") { _ in SwiftLogNoOpLogHandler() }
  ) throws(ServiceError) {
    guard !directory.isEmpty else { throw .directoryNotWritable(path: "\"\"", reason: "its name is empty") }
    file = ServiceFile(directory: directory, clock: clock, keepsDamaged: use == .served)
    self.use = use
    self.log = log
    malformedRows = MalformedRowLog(log)
    self.terms = terms
    budget = Budget(clock: clock, isUnpaced: isUnlimited, limits: limits)
    passwords = PasswordVerifier(cost: passwordCost, budget)
    forms = FormGuard(clock: clock)
    self.readLimit = readLimit
    self.blurhash = blurhash
    media = MediaStore(MediaFolder(ofDatabase: file.path))
    self.welcome = welcome
    self.owner = AccountName.reduced(owner)
    ownerToken = Secrets.make()
  }

  /// The path that a corrupt database was moved to, if any.
  public var setAsidePath: String? { opened.withLock { $0.setAsidePath } }

  /// A message for the user if a corrupt database was replaced. It contains the path that the database was moved to.
  public var damageSentence: String? { setAsidePath.map(ServiceFile.sentence(forSetAside:)) }

  /// Opens the file, creating it if it's missing. Does nothing if it's already open.
  ///
  /// - Throws: ``ServiceError``, whose sentence suggests a remedy.
  public func open() throws(ServiceError) {
    _ = try connection()
  }

  /// Like ``open()``, but with additional connections for reading, for an HTTP server with many clients. Also deletes
  /// media files that are no longer needed.
  ///
  /// - Throws: ``ServiceError``, whose sentence suggests a remedy.
  func openForMany() throws(ServiceError) {
    opened.withLock { opened in
      if opened.isShared { return }
      opened.isShared = true
      try? opened.connection?.close()
      opened.connection = nil
    }
    try open()
    try deleteUnneededFiles()
  }

  /// Like ``open()``, but runs on a separate thread, because another program may hold the file's lock for seconds. The
  /// thread ends afterwards, so it causes no wakeups later.
  public func becomeReady() async throws(ServiceError) {
    if opened.withLockIfAvailable({ $0.connection != nil }) == true { return }
    let failure: ServiceError? = await withCheckedContinuation { done in
      Thread.detachNewThread {
        do throws(ServiceError) {
          try self.open()
          done.resume(returning: nil)
        } catch {
          done.resume(returning: error)
        }
      }
    }
    if let failure { throw failure }
  }

  /// Closes the file after pending work has finished. The next request reopens it. If the file is still being opened,
  /// it stays open. That is harmless, because the next start completes an interrupted opening.
  public func close() {
    _ = opened.withLockIfAvailable { opened in
      try? opened.connection?.close()
      opened.connection = nil
    }
  }

  /// Frees SQLite's page caches, for example before the process is suspended. The file stays open. Returns after a
  /// moment even if the connection is still busy: another program can lock the file for seconds.
  public func releaseMemory() {
    guard let writer = opened.withLockIfAvailable({ $0.connection?.writer }) ?? nil else { return }
    let isDone = DispatchSemaphore(value: 0)
    writer.asyncWriteWithoutTransaction { database in
      database.releaseMemory()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .milliseconds(200))
  }

  /// Returns a transport that calls this service without a network. Requests with ``ownerToken`` act as the owner.
  public func transport() -> any Transport {
    InProcessTransport(service: self)
  }

  func write<Value>(_ work: (Transaction) throws -> Value) throws(ServiceError) -> Value {
    let writer = try connection().writer
    do {
      return try writer.write { try inTransaction($0, BaseURL(scheme: "http", authority: "localhost"), work) }
    } catch {
      throw file.serviceError(error)
    }
  }

  /// Runs a read transaction for a handler that runs outside transactions.
  func read<Value: Sendable>(
    _ request: ServiceRequest, _ work: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    try await connection().read(for: request.client, within: readLimit, budget) { db in
      try self.inTransaction(db, request.origin, work)
    }
  }

  /// Runs a write transaction for a handler that runs outside transactions.
  func write<Value: Sendable>(
    _ request: ServiceRequest, _ work: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    try await write(request.origin, for: writer(of: request), work)
  }

  /// Returns the client whose turn a request's write transaction uses: the account that recently used the request's
  /// token if ``KnownAccounts`` has it, otherwise ``ServiceRequest/client``.
  private func writer(of request: ServiceRequest) -> Client {
    budget.knownAccounts.client(ofToken: request.token, else: request.client)
  }

  /// Runs a write transaction when it is `client`'s turn (see ``Turns``).
  func write<Value: Sendable>(
    _ origin: BaseURL, for client: Client, _ work: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    try await writableConnection().write(for: client, budget) { try self.inTransaction($0, origin, work) }
  }

  var clock: any ProgramClock { file.clock }

  /// Runs `work` in one read transaction on behalf of the process instead of a client, such as for streams.
  func readForStreams<Value: Sendable>(
    _ origin: BaseURL, _ work: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    try await connection().read(for: .process, within: readLimit, budget) { try self.inTransaction($0, origin, work) }
  }

  /// Runs `work` with a ``Transaction`` for the SQLite transaction that is open on `db`.
  ///
  /// - Throws: ``MalformedValue`` if `work` read a malformed value, or an error of `work`.
  func inTransaction<Value>(_ db: Database, _ origin: BaseURL, _ work: (Transaction) throws -> Value) throws -> Value {
    commits.begin(on: db)
    return try RowDamage.watching { try work(transaction(db, origin)) }
  }

  func transaction(_ db: Database, _ origin: BaseURL) -> Transaction {
    // The service is set even if no client listens for events, because a listener may connect before the commit.
    Transaction(db: db, now: file.clock.now, origin: origin, agenda: agenda, terms: terms, service: self)
  }
}

// MARK: - Answering

extension Service {
  /// Responds to a request from the HTTP server or from this process. Errors are converted to responses, and server
  /// errors are logged.
  @concurrent
  func respond(to request: ServiceRequest) async -> WrittenResponse {
    var response: WrittenResponse
    do {
      response = try await answer(request)
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
    } catch {
      var response = self.response(to: error, of: request)
      CrossOrigin.open(&response.headers, request.segments)
      return response
    }
  }

  private func response(to error: any Error, of request: ServiceRequest) -> ServiceResponse {
    switch error {
    case let refusal as Refusal: refusal.response(to: request)
    case let fault as ParameterFault: Refusal(fault).response(to: request)
    case is CancellationError: Refusal.unwanted.response
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
    let standing = try budget.count(route.limit, of: request.client)
    let handler: Route.Handler
    switch route.work {
    case .outside(let handler):
      var standing = standing
      if route.access != .open {
        request.viewer = try await viewer(of: request, for: route)
        if standing != nil, let viewer = request.viewer {
          standing = try budget.count(route.limit, of: .account(viewer))
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
        if standing != nil, let viewer = transaction.viewer {
          mine = try self.budget.count(route.limit, of: .account(viewer))
        }
        var response = try handler(request, transaction)
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

  /// Does due work, such as publishing scheduled posts and closing polls. If it fails, the current request continues
  /// and the work is retried later.
  func doDueWork() async {
    let now = file.clock.now.milliseconds
    await agenda.settle(at: now) { [weak self] in await self?.doWork(dueAt: now) }
  }

  private func doWork(dueAt now: Int64) async {
    let origin = BaseURL(scheme: "http", authority: "localhost")
    do {
      guard let due = try await readForStreams(origin, { try $0.nextDue() }) else { return }
      guard due <= now else { return agenda.note(due) }
      try await write(origin, for: .process) { try $0.doDueWork() }
      try await deleteUnneededFiles(origin)
      if let next = try await readForStreams(origin, { try $0.nextDue() }) { agenda.note(next) }
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

  /// Sets the transaction's viewer, app and scopes from the request's token. Does nothing for an open route. Throws a
  /// ``Refusal`` if the token doesn't satisfy the route's access or scope, or if the account is suspended.
  func identify(
    _ request: ServiceRequest, for route: Route, owner: Int64?, _ transaction: inout Transaction
  ) throws {
    if route.access == .open { return }
    guard let token = request.token else {
      if route.access == .optional { return }
      throw Refusal.unauthorized("Sign in first: the request has no token.")
    }
    if Secrets.hash(token) == ownersHash {
      (transaction.viewer, transaction.scopes) = (owner, .whole)
    } else if let holder = try transaction.holder(ofToken: token) {
      if let account = holder.account, try transaction.isSuspended(account) { throw Refusal.suspended }
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
