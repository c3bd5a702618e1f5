import Foundation
import Synchronization

extension PseudoTerminal {
  /// Starts `command` as the leader of a session with this controlling terminal, as a terminal emulator does.
  ///
  /// - Parameters:
  ///   - command: The path of the program, and its arguments.
  ///   - environment: Its whole environment.
  ///   - directory: Its working directory.
  ///
  /// - Throws: ``HarnessError/refused(_:)`` if it cannot be started.
  public func start(
    _ command: [String], environment: [String: String], directory: String
  ) throws -> SpawnedProgram {
    try SpawnedProgram(command, on: self, environment: environment, directory: directory)
  }
}

/// A program on a ``PseudoTerminal``. It is killed when this object is released.
public final class SpawnedProgram: Sendable {
  public enum Ending: Hashable, Sendable {
    /// The exit status.
    case exit(Int32)
    /// The signal that killed it.
    case signal(Int32)
  }

  /// State shared with the waiting thread.
  private final class Watch: Sendable {
    let ending = Mutex<Ending?>(nil)
    let bell = Bell()

    /// Sends a signal unless the process has been reaped, as its id may have been reused by then.
    func send(_ signal: Int32, to process: pid_t) {
      ending.withLock { if $0 == nil { kill(process, signal) } }
    }
  }

  /// The process id, which is also the session's id.
  public let processID: Int32

  private let watch = Watch()
  private let terminal: PseudoTerminal

  fileprivate init(
    _ command: [String], on terminal: PseudoTerminal, environment: [String: String], directory: String
  ) throws {
    self.terminal = terminal
    processID = try Spawn.start(
      command, files: [.path(terminal.path), .descriptor(0), .descriptor(0)], leadsSession: true,
      environment: environment, directory: directory)
    let (process, watch) = (processID, watch)
    let waiter = Thread { Self.wait(for: process, watch) }
    waiter.name = "program"
    waiter.start()
  }

  deinit {
    watch.send(SIGKILL, to: processID)
  }

  /// The program's exit status or fatal signal; nil while the program runs.
  public var ending: Ending? { watch.ending.withLock { $0 } }

  /// Sends a signal to this process alone.
  public func signal(_ number: Int32) { watch.send(number, to: processID) }

  /// Waits for the program to end.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``; the program is killed then.
  @discardableResult
  public func waitForEnd() async throws -> Ending {
    do {
      try await watch.bell.wait(
        for: "the end of the program", screen: { String(decoding: terminal.output.suffix(4000), as: UTF8.self) }
      ) { ending != nil }
    } catch {
      signal(SIGKILL)
      throw error
    }
    return ending ?? .signal(SIGKILL)
  }

  /// Kills the program and all processes in its session, and waits until they have exited.
  public func stop() async {
    await ProcessList.end(session: processID)
    let seen = watch.bell.rings
    if ending == nil { await watch.bell.next(after: seen, atMost: 10_000) }
  }

  // MARK: Waiting

  private static func wait(for process: pid_t, _ watch: Watch) {
    var information = siginfo_t()
    // WNOWAIT leaves the process unreaped, so its id isn't reused before the lock is held.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    watch.ending.withLock { ending in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      ending = status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
    watch.bell.ring()
  }
}
