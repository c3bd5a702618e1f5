import Databases
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
  let log: Logger
  let malformedRows: MalformedRowLog
  /// Corruption that SQLite reported during a request to a served database. While this is set, write requests fail. It
  /// is never set for an embedded service, which replaces the file instead.
  let damage = Mutex<ServiceError?>(nil)
  let welcome: String
  let owner: String?
  let ownerHash = Mutex<String?>(nil)
  let opened = Mutex(Opened())
  let readLimit: ReadLimit
  let budget: Budget
  let passwords: PasswordVerifier
  let terms: ServiceTerms
  let forms: FormGuard
  let events = EventHub()
  let agenda = Agenda()
  let media: MediaStore
  /// The operator's limits for each user. Nil disables them, as in an embedded service.
  let quotas: ServiceQuotas?
  /// Time of the next search for stray files, in milliseconds since 1970. Nil unless the service is shared.
  let nextSweep = Mutex<Int64?>(nil)
  let blurhash: (@Sendable ([UInt8]) async -> String?)?
  /// The users of this host, who can use a served service through a Unix socket.
  let unixUsers: UnixUserDirectory
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
  ///   - quotas: The operator's limits for each user. Nil disables them, as for an embedded service.
  ///   - blurhash: Returns the blurhash of a picture file, or nil if it can't be computed. A blurhash is a short string
  ///     that clients draw as a blurred preview while a picture loads. The service itself never decodes pictures,
  ///     because a malicious file could exploit a decoder. If nil, pictures have no blurhash.
  /// - Throws: ``ServiceError`` if `directory` is empty.
  public convenience init(
    directory: String, welcome: String, owner: String, clock: any ProgramClock, use: Use = .embedded,
    isUnlimited: Bool = false, terms: ServiceTerms = ServiceTerms(), quotas: ServiceQuotas? = nil,
    blurhash: (@Sendable ([UInt8]) async -> String?)? = nil,
    log: Logger = Logger(label: "qwinkle.service") { _ in SwiftLogNoOpLogHandler() }
  ) throws(ServiceError) {
    try self.init(
      directory: directory, welcome: welcome, owner: owner, clock: clock, passwordCost: PasswordHash.Cost(), use: use,
      isUnlimited: isUnlimited, terms: terms, quotas: quotas, blurhash: blurhash, log: log)
  }

  /// - Parameters:
  ///   - passwordCost: The cost of computing a new password hash, and thus of each guess.
  ///   - readLimit: The maximum cost of a read.
  ///   - findUnixUser: Returns a user of this host.
  ///   - limits: Limits of the budget that replace the default ones and those of `quotas`.
  ///   - diskSpace: Returns the space on a disk. Tests use it to simulate a full one.
  init(
    directory: String, welcome: String, owner: String, clock: any ProgramClock, passwordCost: PasswordHash.Cost,
    readLimit: ReadLimit = ReadLimit(), use: Use = .embedded, isUnlimited: Bool = false,
    limits: [Resource: Resource.Limit] = [:], terms: ServiceTerms = ServiceTerms(), quotas: ServiceQuotas? = nil,
    diskSpace: @escaping DiskSpace.Reading = { DiskSpace.read($0) },
    blurhash: (@Sendable ([UInt8]) async -> String?)? = nil,
    findUnixUser: @escaping UnixUserDirectory.Find = UnixUser.find,
    log: Logger = Logger(label: "qwinkle.service") { _ in SwiftLogNoOpLogHandler() }
  ) throws(ServiceError) {
    guard !directory.isEmpty else { throw .directoryNotWritable(path: "\"\"", reason: "its name is empty") }
    file = ServiceFile(directory: directory, clock: clock, keepsDamaged: use == .served)
    self.use = use
    self.log = log
    malformedRows = MalformedRowLog(log)
    self.terms = terms
    self.quotas = quotas
    let chosen = quotas?.limits ?? [.postsAMinute: .postsAMinute(.max / 10)]
    budget = Budget(clock: clock, isUnpaced: isUnlimited, limits: chosen.merging(limits) { $1 })
    passwords = PasswordVerifier(cost: passwordCost, budget)
    forms = FormGuard(clock: clock)
    self.readLimit = readLimit
    self.blurhash = blurhash
    unixUsers = UnixUserDirectory(clock: clock, find: findUnixUser)
    media = MediaStore(MediaFolder(ofDatabase: file.path), space: diskSpace)
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
    let now = clock.now.milliseconds
    nextSweep.withLock { $0 = $0 ?? now }
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

  /// Runs a read transaction on the writer's queue. Blocks, but not the writes of other processes.
  func read<Value>(_ work: (Transaction) throws -> Value) throws(ServiceError) -> Value {
    let writer = try connection().writer
    do {
      return try writer.snapshot { try inTransaction($0, BaseURL(scheme: "http", authority: "localhost"), work) }
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
  /// token or Unix user if ``KnownAccounts`` has it, otherwise ``ServiceRequest/client``.
  func writer(of request: ServiceRequest) -> Client {
    budget.knownAccounts.client(ofToken: request.token, orUnixUser: request.unixUser, else: request.client)
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
