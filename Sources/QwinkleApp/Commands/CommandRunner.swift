import QwinkleAccount
import QwinkleServer
import QwinkleStore
import QwinkleModel
import QwinkleWire
import Timekeeping

/// Runs commands that query a server and exit.
@MainActor
enum CommandRunner {
  /// If set, called instead of running a command. Its argument names the action that needs an account, if any. Only
  /// tests set it.
  static var observer: ((String?) -> Void)?

  /// Opens a session for `choice`, runs `body` with it, closes it and ends the process. If `what` is given, the command
  /// needs an account: without an account, it fails with an error that names `what` and explains how to sign in. If
  /// `isPaged` is true, output goes through the user's pager, if any.
  static func run(
    _ choice: SessionChoice, needingAccountFor what: String? = nil, isPaged: Bool = false,
    _ body: @escaping @MainActor (AccountConnection, any ProgramClock) async throws -> Void
  ) {
    run(choice, needingAccountFor: what, isPaged: isPaged) { try await body($1, $2) }
  }

  /// Like the method above, but also passes the session to `body`.
  static func run(
    _ choice: SessionChoice, needingAccountFor what: String? = nil, isPaged: Bool = false,
    _ body: @escaping @MainActor (AccountSession, AccountConnection, any ProgramClock) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      let stage = CommandStage.current ?? CommandStage()
      try await use(open(stage, choice, needingAccountFor: what), of: choice) { session in
        if isPaged { Pager.begin(for: session.accountFolder) }
        let connection = AccountConnection(
          service: session.downloads, clock: stage.clock, isSignedIn: session.isSignedIn)
        let changes = ChangeNote()
        connection.addObserver(changes)
        defer { withExtendedLifetime(changes) {} }
        try await body(session, connection, stage.clock)
      }
    }
  }

  /// Like ``run(_:needingAccountFor:_:)``, for commands that take a text. Saves the text as a draft before requesting
  /// the account's token, since that request may fail, hang or be interrupted. If only the token identifies the
  /// account, the token is requested first. If the session of a known account can't be opened and `isQueued` is true,
  /// queues the text, unless the command has more to do before sending, such as uploading files.
  static func runWriting(
    _ choice: SessionChoice, needingAccountFor what: String, saving given: GivenEntry, isQueued: Bool = false,
    _ body: @escaping @MainActor (Writer, Writer.Draft) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      let stage = CommandStage.current ?? CommandStage()
      let owner = try stage.owner(of: choice)
      guard let folder = owner?.folder ?? stage.sessionFolder else {
        return try await writing(stage, choice, needingAccountFor: what) { writer in
          let draft = try await writer.drafts.begin(given)
          try await body(writer, draft)
        }
      }
      let drafts = CommandDrafts(store: stage.store(in: folder))
      defer { drafts.store.close() }
      let draft = try await drafts.begin(given)
      let session: AccountSession
      do {
        session = try open(stage, choice, as: owner, needingAccountFor: what)
      } catch {
        let reason = AppError(error).sentence
        guard isQueued, draft.mayQueueAsGiven else {
          throw draft.error("\(draft.notSent) \(reason)", next: Writer.again)
        }
        StandardOutput.complain(reason)
        try await drafts.queue(draft, at: stage.clock.now)
        return StandardOutput.print(WritingOptions.queued)
      }
      try await use(session, of: choice) { session in
        // Don't post a draft in another account's folder: this account would post the text, but couldn't delete the
        // draft.
        guard session.accountFolder == folder else {
          throw draft.error("\(draft.notSent) The draft belongs to another account, not \(session.words).")
        }
        try await write(stage, session, drafts) { writer in try await body(writer, draft) }
      }
    }
  }

  /// Like ``run(_:needingAccountFor:_:)``, for commands that change drafts or queue actions.
  static func runWriting(
    _ choice: SessionChoice, needingAccountFor what: String, _ body: @escaping @MainActor (Writer) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      try await writing(CommandStage.current ?? CommandStage(), choice, needingAccountFor: what, body)
    }
  }

  /// Like ``runWriting(_:needingAccountFor:_:)``, for commands that need neither the server nor the token. The token is
  /// requested only if the choice of account depends on it.
  static func runQueueing(
    _ choice: SessionChoice, needingAccountFor what: String,
    _ body: @escaping @MainActor (CommandDrafts) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      let stage = CommandStage.current ?? CommandStage()
      guard let folder = try stage.owner(of: choice)?.folder ?? stage.sessionFolder else {
        return try await writing(stage, choice, needingAccountFor: what) { try await body($0.drafts) }
      }
      let drafts = CommandDrafts(store: stage.store(in: folder))
      defer { drafts.store.close() }
      try await body(drafts)
    }
  }

  private static func writing(
    _ stage: CommandStage, _ choice: SessionChoice, needingAccountFor what: String,
    _ body: @MainActor (Writer) async throws -> Void
  ) async throws {
    try await use(open(stage, choice, needingAccountFor: what), of: choice) { session in
      let drafts = CommandDrafts(store: stage.store(in: session.accountFolder))
      defer { drafts.store.close() }
      try await write(stage, session, drafts, body)
    }
  }

  private static func write(
    _ stage: CommandStage, _ session: AccountSession, _ drafts: CommandDrafts,
    _ body: @MainActor (Writer) async throws -> Void
  ) async throws {
    let account = Account(
      service: session.downloads, cache: nil, outgoing: drafts.store, clock: stage.clock,
      isSignedIn: session.isSignedIn)
    let changes = ChangeNote()
    account.addObserver(changes)
    defer { changes.complain() }
    let writer = Writer(account: account, drafts: drafts)
    account.addObserver(writer.answers)
    defer { withExtendedLifetime(writer) {} }
    try await body(writer)
  }

  /// Opens a session as `owner` if given, otherwise for `choice`. ``use(_:of:_:)`` closes it.
  private static func open(
    _ stage: CommandStage, _ choice: SessionChoice, as owner: AccountSession.Owner? = nil,
    needingAccountFor what: String?
  ) throws -> AccountSession {
    let session =
      if let open = stage.session {
        try open(stage)
      } else if let owner {
        try AccountSession.open(as: owner, paths: stage.paths, clock: stage.clock, ledger: stage.ledger)
      } else {
        try AccountSession.open(choice, paths: stage.paths, clock: stage.clock, ledger: stage.ledger)
      }
    if let warning = session.warning { StandardOutput.complain(warning) }
    if let what, !session.isSignedIn {
      close(session)
      throw AppError.needsAccount(what)
    }
    return session
  }

  private static func close(_ session: AccountSession) {
    // Report damaged files last, since one can be found at any time during the command.
    if let damage = session.service?.damageSentence { StandardOutput.complain(damage) }
    session.close()
  }

  private static func use(
    _ session: AccountSession, of choice: SessionChoice, _ body: @MainActor (AccountSession) async throws -> Void
  ) async throws {
    defer { close(session) }
    do {
      try await body(session)
    } catch {
      throw choice.server.flatMap { try? ServerAddress($0) }?.explained(error) ?? error
    }
  }

  /// Runs `body` and ends the process.
  static func run(_ body: @escaping @MainActor () async throws -> Void) {
    UserConfig.complain((CommandStage.current ?? CommandStage()).paths)
    if let start = CommandStage.current?.start { return start(body) }
    Task { @MainActor in
      do {
        try await body()
      } catch {
        QwinkleProgram.end(with: error)
      }
      QwinkleProgram.end(status: 0)
    }
  }
}

/// The environment in which a command runs. By default: the user's files, the system clock, and the account chosen on
/// the command line.
struct CommandStage: Sendable {
  /// The environment set by a test. Nil otherwise.
  @TaskLocal static var current: CommandStage?

  var paths = Paths()
  var clock: any ProgramClock = SystemClock()
  var ledger = ActivityLedger()
  /// Creates the transport for signing out.
  var transport: @Sendable () -> any Transport = { AccountSession.transport() }
  /// Opens the session. If nil, the session of the account chosen on the command line is opened.
  var session: (@MainActor @Sendable (CommandStage) throws -> AccountSession)?
  /// Folder name of the account of ``session``.
  var sessionFolder: String?
  /// Runs the command's body. If nil, the process ends after the body.
  var start: (@MainActor @Sendable (@escaping @MainActor () async throws -> Void) -> Void)?
}

extension CommandStage {
  /// Returns the account that a command chooses. Returns nil if only the token identifies the account, or if
  /// ``session`` is set.
  @MainActor
  func owner(of choice: SessionChoice) throws(AppError) -> AccountSession.Owner? {
    try session == nil ? AccountSession.owner(of: choice, paths: paths) : nil
  }

  /// Opens the drafts and the outbox in an account's folder.
  @MainActor
  func store(in folder: String) -> OutgoingStore {
    let store = OutgoingStore(directory: "\(paths.data)/\(folder)", ledger: ledger, clock: clock)
    store.didFindDamage = { StandardOutput.complain($0) }
    return store
  }
}

/// Observes an account while a command runs. Records that the server has accepted a change, which affects the exit
/// status, and collects the differences between posts as sent and as stored by the server.
@MainActor
private final class ChangeNote: AccountObserver {
  private let target = StandardOutput.target
  private var differences: [StoredDifference] = []

  func account(didFind differences: [StoredDifference]) { self.differences += differences }

  /// Prints a warning about the differences, if any.
  func complain() {
    if !differences.isEmpty { StandardOutput.complain(differences.sentence) }
  }

  func connectionDidWrite(_ connection: AccountConnection) { target.note(done: "Done", isGeneral: true) }
}
