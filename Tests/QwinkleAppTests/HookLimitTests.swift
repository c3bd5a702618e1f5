import Foundation
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Hooks that hang, print without end or are too numerous use a bounded number of processes.
@MainActor
@Suite(.bounded) struct HookLimitTests {
  private static let short = HelperProgram.Limits(
    time: .seconds(1), grace: .milliseconds(500), discardsRest: true)

  /// Each appends its process ids to FOLDER/pids.
  private nonisolated static let hanging = [
    "echo $$ >> FOLDER/pids; sleep 1000",
    "echo $$ >> FOLDER/pids; trap '' TERM; while :; do sleep 1000; done",
    "echo $$ >> FOLDER/pids; sleep 1000 & echo $! >> FOLDER/pids; wait",
    "echo $$ >> FOLDER/pids; sleep 1000 & echo $! >> FOLDER/pids; exit 0",
    "echo $$ >> FOLDER/pids; exec >&-; exec sleep 1000",
    "echo $$ >> FOLDER/pids; exec < /dev/null; exec sleep 1000",
    "echo $$ >> FOLDER/pids; exec yes",
    "echo $$ >> FOLDER/pids; kill -STOP $$",
  ]

  init() {
    // As in the program: a hook need not read its input.
    signal(SIGPIPE, SIG_IGN)
  }

  /// A runner, the messages that it has shown, and its folder with the log.
  @MainActor private final class Hooks {
    let folder = NSTemporaryDirectory() + "qwinkle-hooks-\(UUID().uuidString)"
    let runner: HookRunner
    private let ledger = ActivityLedger()
    private(set) var shown: [String] = []

    init(mostRunning: Int = 2, mostWaiting: Int = 3, limits: HelperProgram.Limits) throws {
      runner = HookRunner(
        queue: HelperQueue(mostRunning: mostRunning, mostWaiting: mostWaiting, mostBytes: 0, limits: limits))
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      runner.log = FileLog.logger(directory: folder, clock: VirtualClock())
      runner.didFail = { [weak self] in self?.shown.append($0) }
    }

    isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts the hook `line` for `count` mentions of a text of `length` characters.
    func start(_ line: String, count: Int = 1, length: Int = 10) {
      let text = String(repeating: "x", count: length)
      let news = (1...count).map { number in
        let qwink = Qwink.sample(id: Qwink.ID("\(number)"), text: text)
        return AccountNotification(
          id: .init("\(number)"), kind: .mention, createdAt: qwink.createdAt, qwinker: qwink.author, qwink: qwink)
      }
      runner.run([.mention: line.replacing("FOLDER", with: folder)], for: news, ledger: ledger)
    }

    func settle() async { await ledger.settle() }

    func lines(of name: String) -> [String] {
      FileLog.flush()
      let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      return (text ?? "").split(separator: "\n").map(String.init)
    }

    func processes() -> [Int32] { lines(of: "pids").compactMap { Int32($0) } }
  }

  @Test(arguments: hanging) func `a hanging hook is ended with its children and reported`(
    line: String
  ) async throws {
    let hooks = try Hooks(limits: Self.short)
    // More text than fits into a pipe. None of the hooks reads it.
    hooks.start(line, length: 200_000)
    await hooks.settle()
    let processes = hooks.processes()
    #expect(!processes.isEmpty)
    for process in processes { try await ProcessList.waitForEnd(of: process) }
    #expect(hooks.shown == ["The mention hook ran longer than 1 s and was stopped."])
    #expect(hooks.lines(of: "log").count == 1)
  }

  @Test(arguments: hanging) func `closing a runner ends its hooks and drops queued ones`(
    line: String
  ) async throws {
    let hooks = try Hooks(mostRunning: 1, limits: HelperProgram.Limits(discardsRest: true))
    hooks.start(line, count: 3)
    let count = line.components(separatedBy: "pids").count - 1
    try await wait(for: "the hook") { hooks.processes().count == count }
    let processes = hooks.processes()
    HelperProgram.end(hooks.runner.close())
    for process in processes { try await ProcessList.waitForEnd(of: process) }
    await hooks.settle()
    #expect(hooks.processes() == processes)
    #expect(hooks.shown.isEmpty && hooks.lines(of: "log").isEmpty)
  }

  @Test func `a closed runner starts no hook`() async throws {
    let hooks = try Hooks(limits: Self.short)
    HelperProgram.end(hooks.runner.close())
    hooks.start("echo $$ >> FOLDER/pids", count: 10)
    await hooks.settle()
    #expect(hooks.processes().isEmpty && hooks.shown.isEmpty && hooks.lines(of: "log").isEmpty)
  }

  @Test(arguments: [nil, SIGTERM]) func `quitting ends a running user command`(
    signal: Int32?
  ) async throws {
    try await Program.inNewHome { program in
      try await program.onPseudoTerminal { terminal, spawned in
        try await terminal.waitForTimeline()
        let note = "\(program.home)/pid"
        terminal.type(":pipe echo $$ > \(note); exec sleep 1000\r")
        func process() -> Int32? {
          (try? String(contentsOfFile: note, encoding: .utf8)).flatMap { Int32($0.filter(\.isNumber)) }
        }
        try await wait(for: "the command") { process() != nil }
        let command = try #require(process())
        if let signal { spawned.signal(signal) } else { terminal.type("qy") }
        _ = try await spawned.waitForEnd()
        try await ProcessList.waitForEnd(of: command)
      }
    }
  }

  @Test func `a child that leaves the hook's process group doesn't block the next hook`() async throws {
    let hooks = try Hooks(mostRunning: 1, limits: Self.short)
    hooks.start("setsid sh -c 'echo $$ >> FOLDER/pids; exec sleep 1000'", count: 2)
    await hooks.settle()
    let processes = hooks.processes()
    for process in processes { kill(process, SIGKILL) }
    #expect(processes.count == 2)
  }

  @Test func `repeated failures are shown once and logged each time`() async throws {
    let hooks = try Hooks(limits: Self.short)
    hooks.start("sleep 1000", count: 3)
    await hooks.settle()
    #expect(hooks.shown.count == 1)
    #expect(hooks.lines(of: "log").count == 3)
  }

  @Test func `hooks beyond the running and waiting limits are skipped`() async throws {
    let hooks = try Hooks(limits: HelperProgram.Limits(discardsRest: true))
    try #require(mkfifo("\(hooks.folder)/gate", 0o600) == 0)
    let gate = open("\(hooks.folder)/gate", O_RDWR | O_CLOEXEC)
    try #require(gate >= 0)
    defer { close(gate) }
    try FileManager.default.createDirectory(atPath: "\(hooks.folder)/running", withIntermediateDirectories: true)
    hooks.start(
      """
      touch FOLDER/running/$$; ls FOLDER/running | wc -l >> FOLDER/counts
      read line < FOLDER/gate; rm FOLDER/running/$$
      """, count: 10)
    #expect(hooks.shown == ["Too many mentions at once: the hook did not run for 5."])
    try await wait(for: "two hooks") { hooks.lines(of: "counts").count >= 2 }
    #expect(write(gate, "\n\n\n\n\n", 5) == 5)
    await hooks.settle()
    let counts = hooks.lines(of: "counts").compactMap { Int($0.filter(\.isNumber)) }
    #expect(counts.count == 5 && counts.max() == 2, "\(counts)")
    hooks.start("echo later > FOLDER/later")
    await hooks.settle()
    #expect(hooks.lines(of: "later") == ["later"])
  }

  @Test func `the standard queue has limits and discards 10 MB of output`() async throws {
    let queue = HookRunner.standardQueue()
    #expect(queue.mostRunning == 4 && queue.mostWaiting == 16 && queue.mostBytes == 0)
    #expect(queue.limits.time == .seconds(30) && queue.limits.discardsRest)
    let result: Result<HelperProgram.Outcome, AppError> = await withCheckedContinuation { continuation in
      let isAccepted = queue.run("head -c 10000000 /dev/zero", input: [], environment: [:]) {
        continuation.resume(returning: $0)
      }
      #expect(isAccepted)
    }
    let outcome = try result.get()
    #expect(outcome.status == 0 && outcome.isTooLong && outcome.output.isEmpty)
  }

  @Test func `a hook whose output exceeds the limit runs to its end`() async throws {
    let hooks = try Hooks(limits: HelperProgram.Limits(discardsRest: true))
    hooks.start("head -c 1000000 /dev/zero; cat > FOLDER/text; echo done > FOLDER/end", length: 200_000)
    await hooks.settle()
    #expect(hooks.lines(of: "end") == ["done"])
    #expect(hooks.lines(of: "text").joined().utf8.count > 200_000)
    #expect(hooks.shown.isEmpty && hooks.lines(of: "log").isEmpty)
  }
}
