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
      let clock = SystemClock()
      let session = try AccountSession.open(choice, paths: Paths(), clock: clock, ledger: ActivityLedger())
      defer {
        // The damage may have been found only now.
        if let damage = session.service?.damageSentence { StandardOutput.complain(damage) }
        session.close()
      }
      if let warning = session.warning { StandardOutput.complain(warning) }
      if let what, !session.isSignedIn { throw AppError.needsAccount(what) }
      if isPaged { Pager.begin(for: session.accountFolder) }
      let connection = AccountConnection(service: session.downloads, clock: clock, isSignedIn: session.isSignedIn)
      do {
        try await body(session, connection, clock)
      } catch {
        throw choice.server.flatMap { try? ServerAddress($0) }?.explained(error) ?? error
      }
    }
  }

  /// Like ``run(_:needingAccountFor:_:)``, for commands that write a text or queue something.
  static func runWriting(
    _ choice: SessionChoice, needingAccountFor what: String, _ body: @escaping @MainActor (Writer) async throws -> Void
  ) {
    if let observer { return observer(what) }
    run {
      let clock = SystemClock()
      let ledger = ActivityLedger()
      let paths = Paths()
      let session = try AccountSession.open(choice, paths: paths, clock: clock, ledger: ledger)
      let store = OutgoingStore(directory: "\(paths.data)/\(session.accountFolder)", ledger: ledger, clock: clock)
      store.didFindDamage = { StandardOutput.complain($0) }
      defer {
        store.close()
        // The damage may have been found only now.
        if let damage = session.service?.damageSentence { StandardOutput.complain(damage) }
        session.close()
      }
      if let warning = session.warning { StandardOutput.complain(warning) }
      guard session.isSignedIn else { throw AppError.needsAccount(what) }
      let account = Account(
        service: session.downloads, cache: nil, outgoing: store, clock: clock, isSignedIn: session.isSignedIn)
      do {
        try await body(Writer(account: account, store: store))
      } catch {
        throw choice.server.flatMap { try? ServerAddress($0) }?.explained(error) ?? error
      }
    }
  }

  /// Runs `body` and ends the process.
  static func run(_ body: @escaping @MainActor () async throws -> Void) {
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
