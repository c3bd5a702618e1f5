import Dispatch
import Foundation
import Synchronization

/// Another program that is run for its output, such as a token command or a hook. The program's time is limited if it
/// runs without the terminal.
final class HelperProgram: Sendable {
  struct Outcome: Sendable {
    /// The exit status. 128 plus the signal number if a signal ended the program.
    var status: Int32
    /// Standard output, up to the limit.
    var output: [UInt8]
    /// Whether the output exceeded the limit.
    var isTooLong = false
    /// Whether the program ran out of time.
    var isLate = false
  }

  /// The program's access to the terminal.
  enum Place: Sendable {
    /// Shares this program's standard input and terminal.
    case terminal
    /// Has no terminal and reads this input.
    case background(input: [UInt8], environment: [String: String] = [:])
  }

  /// Limits of a program. The time limits apply only to background programs, because the user can end a program that
  /// has the terminal.
  struct Limits: Sendable {
    /// Time until SIGTERM. The default leaves the user time to unlock a keyring.
    var time = Duration.seconds(120)
    /// Time from SIGTERM to SIGKILL.
    var grace = Duration.seconds(5)
    /// Whether output beyond the limit is discarded. Otherwise SIGPIPE ends the program.
    var discardsRest = false

    /// The time limit as text to show in messages, such as “30 s”.
    var timeText: String { "\(time.components.seconds) s" }
  }

  private struct Running {
    var process: pid_t?
    var isCancelled = false
    var isLate = false
  }

  private static let timers = DispatchQueue(label: "qwinkle.helper.limits")
  /// Interval between checks whether programs have ended, in microseconds.
  private static let pause: UInt32 = 5000

  private let running = Mutex(Running())

  /// Runs the command `words` and waits until the program ends. The program's standard error is visible only if the
  /// program has the terminal.
  func run(
    _ words: [String], in place: Place, mostBytes: Int, limits: Limits = Limits()
  ) throws(AppError) -> Outcome {
    guard case .background(let input, let environment) = place else {
      return try run(words, input: nil, environment: [:], mostBytes: mostBytes, limits: limits)
    }
    return try run(words, input: input, environment: environment, mostBytes: mostBytes, limits: limits)
  }

  /// Runs the command `words` on a separate queue, with `program` as the running program. Cancelling the task ends a
  /// background program, but not a program that has the terminal.
  static func run(
    _ words: [String], in place: Place, mostBytes: Int, limits: Limits = Limits(),
    as program: HelperProgram = HelperProgram()
  ) async throws(AppError) -> Outcome {
    let result: Result<Outcome, AppError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "qwinkle.helper").async {
          let result: Result<Outcome, AppError>
          do throws(AppError) {
            result = .success(try program.run(words, in: place, mostBytes: mostBytes, limits: limits))
          } catch {
            result = .failure(error)
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      program.cancel()
    }
    return try result.get()
  }

  /// Sends SIGTERM to a background program and its children.
  func cancel() { cancel(by: SIGTERM) }

  /// Sends SIGTERM to background programs and their children, and SIGKILL to any that are still running half a second
  /// later. Blocks until all have exited or been killed.
  static func end(_ programs: [HelperProgram]) {
    for program in programs { program.cancel() }
    let deadline = SuspendingClock.now + .milliseconds(500)
    while SuspendingClock.now < deadline, programs.contains(where: \.isRunning) { usleep(pause) }
    for program in programs { program.cancel(by: SIGKILL) }
  }

  // MARK: Helpers

  /// Whether this is a background program that hasn't ended.
  private var isRunning: Bool { running.withLock { $0.process != nil } }

  private func cancel(by signal: Int32) {
    running.withLock { running in
      running.isCancelled = true
      if let process = running.process { kill(-process, signal) }
    }
  }

  /// Runs a program, in the background if `input` isn't nil.
  private func run(
    _ words: [String], input: [UInt8]?, environment: [String: String], mostBytes: Int, limits: Limits
  ) throws(AppError) -> Outcome {
    guard let pipes = HelperPipes(hasInput: input != nil) else { throw Self.failure(words, errno) }
    let process = try start(words, pipes, environment: environment)
    pipes.releaseProgramEnds()
    let timer: (any DispatchSourceTimer)? = input == nil ? nil : limitTime(by: limits)
    defer { timer?.cancel() }
    // Don't read the pipes beyond this deadline. A child that has left the program's process group isn't killed, and
    // could keep the pipes open.
    let deadline = SuspendingClock.now + limits.time + limits.grace + limits.grace
    let (output, isTooLong) = pipes.exchange(
      input ?? [], mostBytes: mostBytes, discardsRest: limits.discardsRest, until: input == nil ? nil : deadline)
    let status = end(process)
    return Outcome(
      status: status, output: output, isTooLong: isTooLong, isLate: running.withLock { $0.isLate })
  }

  private func start(
    _ words: [String], _ pipes: HelperPipes, environment: [String: String]
  ) throws(AppError) -> pid_t {
    let isInBackground = pipes.programInput >= 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if isInBackground { posix_spawn_file_actions_adddup2(&actions, pipes.programInput, 0) }
    posix_spawn_file_actions_adddup2(&actions, pipes.programOutput, 1)
    if isInBackground { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Reset the signals. Otherwise, the program would inherit this process's ignored SIGPIPE and the current thread's
    // blocked signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // A background program gets a separate session, so that it can't prompt on the terminal.
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isInBackground ? Self.ownSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = words.map { strdup($0) } + [nil]
    let variables =
      ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    let result: Result<pid_t, AppError> = running.withLock { running in
      guard !running.isCancelled else { return .failure(.failed("Cancelled.")) }
      var process = pid_t()
      let error = posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
      guard error == 0 else { return .failure(Self.failure(words, error)) }
      if isInBackground { running.process = process }
      return .success(process)
    }
    return try result.get()
  }

  /// Starts the timer that ends the program and its children. The caller cancels the timer after the program has ended.
  private func limitTime(by limits: Limits) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler { [self] in endLate() }
    timer.schedule(deadline: .now() + limits.time / .seconds(1), repeating: limits.grace / .seconds(1))
    timer.activate()
    return timer
  }

  /// Sends SIGTERM when the timer fires for the first time, and SIGKILL each time after that.
  private func endLate() {
    running.withLock { running in
      guard let process = running.process else { return }
      kill(-process, running.isLate ? SIGKILL : SIGTERM)
      running.isLate = true
    }
  }

  /// Waits until the program ends and returns its exit status.
  private func end(_ process: pid_t) -> Int32 {
    var info = siginfo_t()
    // WNOWAIT leaves a zombie, so that the process id can't be reused before `running` is cleared.
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    running.withLock { $0.process = nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private static func failure(_ words: [String], _ error: Int32) -> AppError {
    .failed("\(words.first ?? "") did not start: \(String(cString: strerror(error))).")
  }

  /// The C constant `POSIX_SPAWN_SETSID`, which Swift doesn't import, because it needs `_GNU_SOURCE`.
  private static let ownSession: Int32 = 0x80
}
