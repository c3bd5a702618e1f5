import Timekeeping

/// Runs commands that ask a service something and end.
@MainActor
enum CommandRunner {
  /// Opens a session as `options` say, has `body` use it, leaves everything in order and ends the process.
  static func run(
    _ server: String?, tokenFromStandardInput: Bool,
    _ body: @escaping @MainActor (AccountSession, any ProgramClock) async throws -> Void
  ) {
    Task { @MainActor in
      do {
        let clock = SystemClock()
        let session = try AccountSession.open(
          server: server, tokenFromStandardInput: tokenFromStandardInput, paths: Paths(), clock: clock,
          ledger: ActivityLedger())
        defer { session.close() }
        try await body(session, clock)
      } catch {
        QwinkleProgram.end(with: error)
      }
      QwinkleProgram.end(status: 0)
    }
  }
}
