#if os(Linux)
  import Foundation
  import Synchronization

  extension PseudoTerminal {
    /// Starts `command` as the leader of a session that this terminal controls, as in the window of a terminal
    /// emulator.
    ///
    /// - Parameters:
    ///   - command: the path of the program, and its arguments.
    ///   - environment: its whole environment.
    ///   - directory: its working directory.
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
    /// How a program ended.
    public enum Ending: Hashable, Sendable {
      /// By itself, with this status.
      case exit(Int32)
      /// By this signal.
      case signal(Int32)
    }

    /// What the waiting thread shares.
    private final class Watch: Sendable {
      let ending = Mutex<Ending?>(nil)
      let bell = Bell()

      /// Sends a signal to a process that has not been reaped yet, so that its id cannot have been reused.
      func send(_ signal: Int32, to process: pid_t) {
        ending.withLock { if $0 == nil { kill(process, signal) } }
      }
    }

    /// Its process id. It leads its session.
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

    /// How it has ended; nil while it runs.
    public var ending: Ending? { watch.ending.withLock { $0 } }

    /// Sends a signal to this process alone.
    public func signal(_ number: Int32) { watch.send(number, to: processID) }

    /// Returns how it ended, once it has.
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

    /// Kills it and whatever it has left in its session, and returns when all of them are gone.
    public func stop() async {
      await ProcessList.end(session: processID)
      let seen = watch.bell.rings
      if ending == nil { await watch.bell.next(after: seen, atMost: 10_000) }
    }

    // MARK: Waiting

    private static func wait(for process: pid_t, _ watch: Watch) {
      var information = siginfo_t()
      // The process id stays taken until the lock is held.
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      watch.ending.withLock { ending in
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        ending = status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
      }
      watch.bell.ring()
    }
  }
#endif
