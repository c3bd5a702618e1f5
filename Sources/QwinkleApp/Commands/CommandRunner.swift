import QwinkleAccount
import QwinkleServer
import QwinkleStore
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
      try await withSession(stage, choice, needingAccountFor: what) { session in
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

  /// Like ``run(_:needingAccountFor:_:)``, for commands that write a text or queue something.
  static func runWriting(
    _ choice: SessionChoice, needingAccountFor what: String, _ body: @escaping @MainActor (Writer) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      let stage = CommandStage.current ?? CommandStage()
      try await withSession(stage, choice, needingAccountFor: what) { session in
        let store = OutgoingStore(
          directory: "\(stage.paths.data)/\(session.accountFolder)", ledger: stage.ledger, clock: stage.clock)
        store.didFindDamage = { StandardOutput.complain($0) }
        defer { store.close() }
        let account = Account(
          service: session.downloads, cache: nil, outgoing: store, clock: stage.clock, isSignedIn: session.isSignedIn)
        let changes = ChangeNote()
        account.addObserver(changes)
        defer { withExtendedLifetime(changes) {} }
        try await body(Writer(account: account, store: store))
      }
    }
  }

  private static func withSession(
    _ stage: CommandStage, _ choice: SessionChoice, needingAccountFor what: String?,
    _ body: @MainActor (AccountSession) async throws -> Void
  ) async throws {
    let session =
      if let open = stage.session {
        try open(stage)
      } else {
        try AccountSession.open(choice, paths: stage.paths, clock: stage.clock, ledger: stage.ledger)
      }
    defer {
      // The damage may have been found only now.
      if let damage = session.service?.damageSentence { StandardOutput.complain(damage) }
      session.close()
    }
    if let warning = session.warning { StandardOutput.complain(warning) }
    if let what, !session.isSignedIn { throw AppError.needsAccount(what) }
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
  /// Opens the session; nil opens the session that the command chooses.
  var session: (@MainActor @Sendable (CommandStage) throws -> AccountSession)?
  /// Runs the command's body; nil: the process ends with it.
  var start: (@MainActor @Sendable (@escaping @MainActor () async throws -> Void) -> Void)?
}

/// Records for the exit status that the server has carried out a change.
@MainActor
private final class ChangeNote: AccountObserver {
  private let target = StandardOutput.target

  func connectionDidWrite(_ connection: AccountConnection) { target.note(done: "Done", isGeneral: true) }
}
