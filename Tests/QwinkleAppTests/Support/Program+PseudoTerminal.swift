import TerminalTesting

extension Program {
  /// Runs `body` while the program or another command runs on a pseudoterminal that answers no queries.
  func onPseudoTerminal<Result>(
    _ arguments: String..., command: [String] = [Program.path], rows: Int = 24, columns: Int = 80,
    kind: String = "xterm-256color", _ body: (PseudoTerminal, SpawnedProgram) async throws -> Result
  ) async throws -> Result {
    let terminal = try PseudoTerminal(rows: rows, columns: columns)
    defer { terminal.close() }
    let spawned = try terminal.start(
      command + arguments, environment: with(["TERM": kind]).environment, directory: home)
    do {
      let result = try await body(terminal, spawned)
      await spawned.stop()
      return result
    } catch {
      await spawned.stop()
      throw error
    }
  }
}

extension PseudoTerminal {
  /// Waits until a timeline has been drawn.
  func waitForTimeline() async throws {
    try await wait(for: "▌")
  }

  /// Returns the terminal's state after all output so far.
  func state(rows: Int = 24) -> TerminalState { TerminalState(rows: rows, after: output) }
}
