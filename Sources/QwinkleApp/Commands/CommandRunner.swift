import QwinkleAccount
import QwinkleServer
import QwinkleStore
import QwinkleModel
import QwinkleWire
import Timekeeping

/// Runs commands that query a service and end.
@MainActor
enum CommandRunner {
  /// Called instead of running a command, with the ability that needs an account, if any. Nil except in tests.
  static var observer: ((String?) -> Void)?

  /// Opens a session for `choice`, runs `body` with it, closes it and ends the process. If `what` is given, it needs an
  /// account: without one, the error names it and says how to sign in. With `isPaged` what it prints is read in the
  /// user's pager, if there is one.
  static func run(
    _ choice: SessionChoice, needingAccountFor what: String? = nil, isPaged: Bool = false,
    _ body: @escaping @MainActor (AccountConnection, any ProgramClock) async throws -> Void
  ) {
    run(choice, needingAccountFor: what, isPaged: isPaged) { try await body($1, $2) }
  }

  /// The same, with the session.
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

  /// Like ``run(_:needingAccountFor:_:)``, for commands that take a text. The text is a draft on disk before the
  /// account's token is requested, as that may fail, hang or be interrupted. With `isQueued`, a text that needs nothing
  /// else from the command is queued although the token is missing.
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
        // Otherwise the post would be another account's, and the draft would stay.
        guard session.accountFolder == folder else {
          throw draft.error("\(draft.notSent) The draft belongs to another account than \(session.words).")
        }
        try await write(stage, session, drafts) { writer in try await body(writer, draft) }
      }
    }
  }

  /// Like ``run(_:needingAccountFor:_:)``, for commands that change drafts or queue something.
  static func runWriting(
    _ choice: SessionChoice, needingAccountFor what: String, _ body: @escaping @MainActor (Writer) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      try await writing(CommandStage.current ?? CommandStage(), choice, needingAccountFor: what, body)
    }
  }

  /// The same, for commands that need neither the server nor the token. The token is requested only if the account
  /// depends on it.
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

  /// Opens a session of `choice`, or of its `owner` if that is known. ``use(_:of:_:)`` closes it.
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
    // The damage may have been found only now.
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

/// The environment of a command: by default the user's files, the system's clock and the account that the command
/// chooses.
struct CommandStage: Sendable {
  /// Nil except in tests.
  @TaskLocal static var current: CommandStage?

  var paths = Paths()
  var clock: any ProgramClock = SystemClock()
  var ledger = ActivityLedger()
  /// Returns the transport for signing out.
  var transport: @Sendable () -> any Transport = { AccountSession.transport() }
  /// Opens the session; nil opens the session that the command chooses.
  var session: (@MainActor @Sendable (CommandStage) throws -> AccountSession)?
  /// Name of the folder of ``session``'s account.
  var sessionFolder: String?
  /// Runs the command's body; nil: the process ends with it.
  var start: (@MainActor @Sendable (@escaping @MainActor () async throws -> Void) -> Void)?
}

extension CommandStage {
  /// The account that a command chooses; nil if it depends on the token or on ``session``.
  @MainActor
  func owner(of choice: SessionChoice) throws(AppError) -> AccountSession.Owner? {
    try session == nil ? AccountSession.owner(of: choice, paths: paths) : nil
  }

  /// The drafts and the outbox in an account's folder.
  @MainActor
  func store(in folder: String) -> OutgoingStore {
    let store = OutgoingStore(directory: "\(paths.data)/\(folder)", ledger: ledger, clock: clock)
    store.didFindDamage = { StandardOutput.complain($0) }
    return store
  }
}

/// Records for the exit status that the server has carried out a change, and what it stored otherwise than it was sent.
@MainActor
private final class ChangeNote: AccountObserver {
  private let target = StandardOutput.target
  private var differences: [StoredDifference] = []

  func account(didFind differences: [StoredDifference]) { self.differences += differences }

  /// Prints what the server stored differently.
  func complain() {
    if !differences.isEmpty { StandardOutput.complain(differences.sentence) }
  }

  func connectionDidWrite(_ connection: AccountConnection) { target.note(done: "Done", isGeneral: true) }
}
