import Dispatch
import Foundation
import Synchronization

/// A program run for its output, such as a token command or a hook. One without the terminal has limits.
final class HelperProgram: Sendable {
  struct Outcome: Sendable {
    /// The exit status; 128 and more for a signal.
    var status: Int32
    /// Its standard output, up to the limit.
    var output: [UInt8]
    /// Whether there was more.
    var isTooLong = false
    /// Whether the time limit ended it.
    var isLate = false
  }

  /// Whether the program has the terminal; otherwise, its input.
  enum Place: Sendable {
    /// It has the standard input and the terminal of this program.
    case terminal
    /// It has no terminal, and this input.
    case background(input: [UInt8], environment: [String: String] = [:])
  }

  /// Limits of a program without the terminal. With the terminal, its user can end it.
  struct Limits: Sendable {
    /// Time until SIGTERM. The standard leaves time to unlock a keyring.
    var time = Duration.seconds(120)
    /// Time from SIGTERM to SIGKILL.
    var grace = Duration.seconds(5)
    /// Whether output beyond the limit is discarded. Otherwise SIGPIPE ends the program.
    var discardsRest = false

    /// The time for a message, such as “30 s”.
    var timeText: String { "\(time.components.seconds) s" }
  }

  private struct Running {
    var process: pid_t?
    var isCancelled = false
    var isLate = false
  }

  private static let timers = DispatchQueue(label: "qwinkle.helper.limits")
  /// Time between two checks whether programs have ended, in microseconds.
  private static let pause: UInt32 = 5000

  private let running = Mutex(Running())

  /// Runs `words` and waits for its end. Its messages go to the terminal, if it has that.
  ///
  /// - Throws: ``AppError`` if it does not start.
  func run(
    _ words: [String], in place: Place, mostBytes: Int, limits: Limits = Limits()
  ) throws(AppError) -> Outcome {
    guard case .background(let input, let environment) = place else {
      return try run(words, input: nil, environment: [:], mostBytes: mostBytes, limits: limits)
    }
    return try run(words, input: input, environment: environment, mostBytes: mostBytes, limits: limits)
  }

  /// Runs `words` on a separate queue, as `program`. Cancelling the task ends it.
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

  /// Ends background programs and their children, as before this program ends: by SIGTERM, and after `grace` by
  /// SIGKILL. Blocks until they have ended or been killed.
  static func end(_ programs: [HelperProgram], grace: Duration = .milliseconds(500)) {
    for program in programs { program.cancel() }
    let deadline = SuspendingClock.now + grace
    while SuspendingClock.now < deadline, programs.contains(where: \.isRunning) { usleep(pause) }
    for program in programs { program.cancel(by: SIGKILL) }
  }

  // MARK: Helpers

  /// Whether it is a background program that hasn't ended.
  private var isRunning: Bool { running.withLock { $0.process != nil } }

  private func cancel(by signal: Int32) {
    running.withLock { running in
      running.isCancelled = true
      if let process = running.process { kill(-process, signal) }
    }
  }

  /// Runs a program in the background if it has an `input`.
  private func run(
    _ words: [String], input: [UInt8]?, environment: [String: String], mostBytes: Int, limits: Limits
  ) throws(AppError) -> Outcome {
    guard let pipes = HelperPipes(hasInput: input != nil) else { throw Self.failure(words, errno) }
    let process = try start(words, pipes, environment: environment)
    pipes.releaseProgramEnds()
    let timer: (any DispatchSourceTimer)? = input == nil ? nil : limitTime(by: limits)
    defer { timer?.cancel() }
    // A program that has left its process group may hold the pipes for longer.
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
    // It must not inherit that this program ignores SIGPIPE, nor what a thread of it blocks.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // A program in the background gets a separate session, so it can't prompt on the terminal.
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

  /// Starts the timer that ends the program and its children. Cancel it once they have ended.
  private func limitTime(by limits: Limits) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler { [self] in endLate() }
    timer.schedule(deadline: .now() + limits.time / .seconds(1), repeating: limits.grace / .seconds(1))
    timer.activate()
    return timer
  }

  /// Sends SIGTERM first, and SIGKILL from then on.
  private func endLate() {
    running.withLock { running in
      guard let process = running.process else { return }
      kill(-process, running.isLate ? SIGKILL : SIGTERM)
      running.isLate = true
    }
  }

  /// Waits for the end of a program.
  private func end(_ process: pid_t) -> Int32 {
    var info = siginfo_t()
    // It stays a zombie until nobody can signal it any more: its number might be another's then.
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    running.withLock { $0.process = nil }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private static func failure(_ words: [String], _ error: Int32) -> AppError {
    .failed("\(words.first ?? "") did not start: \(String(cString: strerror(error))).")
  }

  #if canImport(Darwin)
    private static let ownSession = POSIX_SPAWN_SETSID
  #else
    private static let ownSession: Int32 = 0x80
  #endif
}
