import Foundation
import GRDB
import HTTPTypes
public import Logging
public import QwinkleWire
import Synchronization
public import Timekeeping

/// The Mastodon client API over one SQLite file, for the users of one machine or team.
///
/// Creating one costs nothing: ``open()`` or the first request opens the file. All calls are thread-safe; database work
/// runs on queues of its own.
public final class Service: Sendable {
  struct Opened: Sendable {
    var connection: ServiceConnection?
    var setAsidePath: String?
    /// Whether reads have connections of their own.
    var isShared = false
  }

  /// Who depends on the service.
  public enum Use: Sendable {
    /// One person, within their own program: a damaged file is set aside, and errors are told whole.
    case embedded
    /// Others: a damaged file stays where it is, and errors are told without details, which the log has.
    case served
  }

  let file: ServiceFile
  let use: Use
  private let log: Logger
  let malformedRows: MalformedRowLog
  /// Corruption that SQLite reported to a request. Nothing is written from then on.
  let damage = Mutex<ServiceError?>(nil)
  let welcome: String
  let owner: String?
  private let ownerHash = Mutex<String?>(nil)
  let opened = Mutex(Opened())
  let readLimit: ReadLimit
  let budget: Budget
  let passwords: PasswordDesk
  let terms: ServiceTerms
  let forms: FormGuard
  let events = EventHub()
  let agenda = Agenda()
  /// The files of media.
  let media: MediaStore
  let blurhashes: (any BlurhashMaking)?
  static let router = Router(Routes.all)

  /// The owner's token within this process: random, valid as long as this object, and stored nowhere.
  public let ownerToken: String

  /// Creates a service on `DIRECTORY/service.sqlite`.
  ///
  /// - Parameters:
  ///   - welcome: A new service's first posts, oldest first, separated by `---` lines.
  ///   - owner: The user of this process, reduced to a name of `[a-z0-9_]`; empty if there is none.
  ///   - isUnlimited: Whether clients may post, edit, upload and register as often as they want.
  ///   - terms: What the operator decided, where it is served.
  ///   - blurhashes: Looks at uploaded pictures; nil: they have no blurhash.
  /// - Throws: ``ServiceError`` if `directory` is empty.
  public convenience init(
    directory: String, welcome: String, owner: String, clock: any ProgramClock, use: Use = .embedded,
    isUnlimited: Bool = false, terms: ServiceTerms = ServiceTerms(), blurhashes: (any BlurhashMaking)? = nil,
    log: Logger = Logger(label: "qwinkle.service") { _ in SwiftLogNoOpLogHandler() }
  ) throws(ServiceError) {
    try self.init(
      directory: directory, welcome: welcome, owner: owner, clock: clock, passwordCost: PasswordHash.Cost(), use: use,
      isUnlimited: isUnlimited, terms: terms, blurhashes: blurhashes, log: log)
  }

  /// `passwordCost` is the cost of hashes made here, and so of each guess at such a password; `readLimit` the most
  /// that a read may cost.
  init(
    directory: String, welcome: String, owner: String, clock: any ProgramClock, passwordCost: PasswordHash.Cost,
    readLimit: ReadLimit = ReadLimit(), use: Use = .embedded, isUnlimited: Bool = false,
    limits: [Resource: Resource.Limit] = [:], terms: ServiceTerms = ServiceTerms(),
    blurhashes: (any BlurhashMaking)? = nil,
    log: Logger = Logger(label: "qwinkle.service") { _ in SwiftLogNoOpLogHandler() }
  ) throws(ServiceError) {
    guard !directory.isEmpty else { throw .directoryNotWritable(path: "\"\"", reason: "its name is empty") }
    file = ServiceFile(directory: directory, clock: clock, keepsDamaged: use == .served)
    self.use = use
    self.log = log
    malformedRows = MalformedRowLog(log)
    self.terms = terms
    budget = Budget(clock: clock, isUnpaced: isUnlimited, limits: limits)
    passwords = PasswordDesk(cost: passwordCost, budget)
    forms = FormGuard(clock: clock)
    self.readLimit = readLimit
    self.blurhashes = blurhashes
    media = MediaStore(MediaFolder(ofDatabase: file.path))
    self.welcome = welcome
    self.owner = AccountName.reduced(owner)
    ownerToken = Secrets.make()
  }

  /// Where a damaged database was set aside; nil if none was.
  public var setAsidePath: String? { opened.withLock { $0.setAsidePath } }

  /// Tells the user that a damaged database was replaced, and where its content is now; nil if none was.
  public var damageSentence: String? { setAsidePath.map(ServiceFile.sentence(forSetAside:)) }

  /// Opens the file, creating it if it's missing. Does nothing if it's already open.
  ///
  /// - Throws: ``ServiceError``; its sentence says what to do.
  public func open() throws(ServiceError) {
    _ = try connection()
  }

  /// Like ``open()``, with connections for reading beside the one that writes, for a front that serves many.
  ///
  /// - Throws: ``ServiceError``; its sentence says what to do.
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

  /// Like ``open()``, but on a thread of its own, since another program may hold the file's lock for seconds. The
  /// thread then ends, so it wakes nothing later.
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

  /// Closes the file after the work under way; the next request reopens it. A file that is just being opened stays
  /// open: nothing has been written yet that the next start would miss.
  public func close() {
    _ = opened.withLockIfAvailable { opened in
      try? opened.connection?.close()
      opened.connection = nil
    }
  }

  /// A transport that calls this service without any network. Requests with ``ownerToken`` are the owner's.
  public func transport() -> any Transport {
    InProcessTransport(service: self)
  }

  /// Runs `work` in one write transaction.
  func write<Value>(_ work: (Session) throws -> Value) throws(ServiceError) -> Value {
    let writer = try connection().writer
    do {
      return try writer.write { try inSession($0, Origin(scheme: "http", authority: "localhost"), work) }
    } catch {
      throw file.serviceError(error)
    }
  }

  /// Runs `work` in one read transaction, for a handler that runs outside any.
  func read<Value: Sendable>(
    _ request: ServiceRequest, _ work: @escaping @Sendable (Session) throws -> Value
  ) async throws -> Value {
    try await connection().read(for: request.client, within: readLimit, budget) { db in
      try self.inSession(db, request.origin, work)
    }
  }

  /// Runs `work` in one write transaction, for a handler that runs outside any.
  func write<Value: Sendable>(
    _ request: ServiceRequest, _ work: @escaping @Sendable (Session) throws -> Value
  ) async throws -> Value {
    try await write(request.origin, for: request.client, work)
  }

  /// Runs `work` in one write transaction, when it is `client`'s turn.
  func write<Value: Sendable>(
    _ origin: Origin, for client: Client, _ work: @escaping @Sendable (Session) throws -> Value
  ) async throws -> Value {
    try await writableConnection().write(for: client, budget) { try self.inSession($0, origin, work) }
  }

  var clock: any ProgramClock { file.clock }

  /// Runs `work` in one read transaction for no client, as for streams.
  func readForStreams<Value: Sendable>(
    _ origin: Origin, _ work: @escaping @Sendable (Session) throws -> Value
  ) async throws -> Value {
    try await connection().read(for: .process, within: readLimit, budget) { try self.inSession($0, origin, work) }
  }

  /// Runs `work` with a session of the database's transaction.
  ///
  /// - Throws: ``MalformedValue`` if `work` read a malformed value, or what `work` throws.
  func inSession<Value>(_ db: Database, _ origin: Origin, _ work: (Session) throws -> Value) throws -> Value {
    try RowDamage.watching { try work(session(db, origin)) }
  }

  func session(_ db: Database, _ origin: Origin) -> Session {
    // Also if nobody listens: somebody may by the time that this is saved.
    Session(db: db, now: file.clock.now, origin: origin, agenda: agenda, terms: terms, service: self)
  }
}

// MARK: - Answering

extension Service {
  /// Responds to a request from either front. Errors become responses too; those that are the server's are logged.
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

  /// Responds to a request for a stream: says who listens, or refuses.
  @concurrent
  func stream(for request: ServiceRequest) async -> ServiceResponse {
    do {
      let route = try Self.router.route(for: request)
      request.note.route = route.pattern
      guard case .inside(let handler) = route.work else { throw Refusal.notFound }
      let connection = try self.connection()
      return try await connection.read(for: request.client, within: readLimit, budget) { db in
        try self.inSession(db, request.origin) { session in
          var session = session
          try self.identify(request, for: route, owner: connection.owner, &session)
          request.note.viewer = session.viewer
          return try handler(request, session)
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
      try self.inSession(db, request.origin) { session in
        var session = session
        try self.identify(request, for: route, owner: connection.owner, &session)
        request.note.viewer = session.viewer
        var mine: Budget.Standing?
        if standing != nil, let viewer = session.viewer {
          mine = try self.budget.count(route.limit, of: .account(viewer))
        }
        var response = try handler(request, session)
        (mine ?? standing)?.write(to: &response.headers)
        return response
      }
    }
    if route.writes { return try await connection.write(for: request.client, budget, work).written() }
    guard let answers = connection.answers, request.body.isEmpty else {
      return try await connection.read(for: request.client, within: readLimit, budget, work).written()
    }
    return try await read(request, for: route, connection, answers) { try work($0).written() }
  }

  /// Does what has become due. A failure is left to the request that follows, and to the next try.
  func doDueWork() async {
    let now = file.clock.now.milliseconds
    await agenda.settle(at: now) { [weak self] in await self?.doWork(dueAt: now) }
  }

  private func doWork(dueAt now: Int64) async {
    let origin = Origin(scheme: "http", authority: "localhost")
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

  /// Computed on first use, not before the program has shown anything.
  private var ownersHash: String {
    ownerHash.withLock { kept in
      let hash = kept ?? Secrets.hash(ownerToken)
      kept = hash
      return hash
    }
  }

  /// Sets the session's viewer, app and scopes from the request's token, or refuses, as the route's access demands.
  func identify(
    _ request: ServiceRequest, for route: Route, owner: Int64?, _ session: inout Session
  ) throws {
    if route.access == .open { return }
    guard let token = request.token else {
      if route.access == .optional { return }
      throw Refusal.unauthorized("Sign in first: the request has no token.")
    }
    if Secrets.hash(token) == ownersHash {
      (session.viewer, session.scopes) = (owner, .whole)
    } else if let holder = try session.holder(ofToken: token) {
      if let account = holder.account, try session.isSuspended(account) { throw Refusal.suspended }
      (session.viewer, session.app, session.scopes) = (holder.account, holder.app, holder.scopes)
    } else {
      throw Refusal.unauthorized("The access token is not valid. Sign in again.")
    }
    if route.access == .required, session.viewer == nil {
      throw Refusal.unauthorized("This needs a user's token; an app's token is not enough.")
    }
    if route.access != .app, !session.scopes.allow(route.scope) { throw Refusal.outsideScope(route.scope) }
  }

  func failure(_ error: any Error, of request: ServiceRequest) -> ServiceResponse {
    var failure = file.serviceError(error)
    if use == .embedded, ServiceFile.isDamage(error), let aside = setAsideDamaged() {
      failure = .replaced(path: file.path, aside: aside)
    }
    let status: HTTPResponse.Status =
      switch failure {
      case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
      case .busy, .tooSlow, .keptDamaged: .serviceUnavailable
      default: .internalServerError
      }
    var sentence = failure.sentence
    if use == .served {
      if case .keptDamaged = failure { damage.withLock { $0 = failure } }
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
