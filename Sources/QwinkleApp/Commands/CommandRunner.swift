import QwinkleAccount
import QwinkleServer
import Timekeeping

/// Runs commands that ask a service something and end.
@MainActor
enum CommandRunner {
  /// Opens a session as `choice` says, has `body` use it, leaves everything in order and ends the process. `what` names
  /// what only somebody with an account can have: who has none is told how to sign in.
  static func run(
    _ choice: SessionChoice, needingAccountFor what: String? = nil,
    _ body: @escaping @MainActor (AccountConnection, any ProgramClock) async throws -> Void
  ) {
    run {
      let clock = SystemClock()
      let session = try AccountSession.open(choice, paths: Paths(), clock: clock, ledger: ActivityLedger())
      defer {
        // It may have been found damaged only now.
        if let damage = session.service?.damageSentence { StandardOutput.complain(damage) }
        session.close()
      }
      if let warning = session.warning { StandardOutput.complain(warning) }
      if let what, !session.isSignedIn { throw AppError.needsAccount(what) }
      let connection = AccountConnection(service: session.downloads, clock: clock, isSignedIn: session.isSignedIn)
      try await body(connection, clock)
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
