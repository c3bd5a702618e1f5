import Dispatch
import Foundation
import Synchronization

/// A program run for its output, such as a token command.
final class HelperProgram: Sendable {
  struct Outcome: Sendable {
    /// The exit status; 128 and more for a signal.
    var status: Int32
    /// Its standard output, up to the limit.
    var output: [UInt8]
    /// Whether there was more.
    var isTooLong = false
  }

  /// Whether the program has the terminal; otherwise, its input.
  enum Place: Sendable {
    /// It has the standard input and the terminal of this program.
    case terminal
    /// It has no terminal, and this input.
    case background(input: [UInt8], environment: [String: String] = [:])
  }

  private struct Running {
    var process: pid_t?
    var isCancelled = false
  }

  private let running = Mutex(Running())

  /// Runs `words` and waits for its end. Its messages go to the terminal, if it has that.
  ///
  /// - Throws: ``AppError`` if it does not start.
  func run(_ words: [String], in place: Place, mostBytes: Int) throws(AppError) -> Outcome {
    guard let output = Self.pipe() else { throw Self.failure(words, errno) }
    var input: [Int32]?
    if case .background = place {
      input = Self.pipe()
      guard input != nil else {
        for end in output { close(end) }
        throw Self.failure(words, errno)
      }
    }
    let started = start(words, place, input: input?[0], output: output[1])
    close(output[1])
    if let input { close(input[0]) }
    switch started {
    case .failure(let error):
      if let input { close(input[1]) }
      close(output[0])
      throw error
    case .success(let process):
      if let input {
        // The pipe is made for the background alone, so nothing from outside leads here.
        guard case .background(let bytes, _) = place else { preconditionFailure("only the background has an input") }
        // It may print before it has read all.
        DispatchQueue(label: "qwinkle.helper.input").async {
          Self.write(bytes, to: input[1])
          close(input[1])
        }
      }
      let (bytes, isTooLong) = Self.read(output[0], mostBytes: mostBytes)
      // One that goes on printing is ended by SIGPIPE.
      close(output[0])
      return Outcome(status: end(process), output: bytes, isTooLong: isTooLong)
    }
  }

  /// The same on a queue of its own. A cancelled task ends the program.
  static func run(_ words: [String], in place: Place, mostBytes: Int) async throws(AppError) -> Outcome {
    let program = HelperProgram()
    let result: Result<Outcome, AppError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "qwinkle.helper").async {
          let result: Result<Outcome, AppError>
          do throws(AppError) {
            result = .success(try program.run(words, in: place, mostBytes: mostBytes))
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

  /// Kills a background program and its children.
  func cancel() {
    running.withLock { running in
      running.isCancelled = true
      if let process = running.process { kill(-process, SIGTERM) }
    }
  }

  // MARK: Helpers

  /// The ends of a pipe to read and to write, which no other program inherits.
  private static func pipe() -> [Int32]? {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private func start(_ words: [String], _ place: Place, input: Int32?, output: Int32) -> Result<pid_t, AppError> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    if input != nil { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // It must not inherit that this program ignores SIGPIPE, nor what a thread of it blocks.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Without the terminal it gets a session of its own, so that it cannot ask there.
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (input == nil ? 0 : Self.ownSession)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = words.map { strdup($0) } + [nil]
    var environment = ProcessInfo.processInfo.environment
    if case .background(_, let more) = place { environment.merge(more) { $1 } }
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in arguments + variables { free(word) } }
    return running.withLock { running in
      guard !running.isCancelled else { return .failure(.failed("Cancelled.")) }
      var process = pid_t()
      let error = posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
      guard error == 0 else { return .failure(Self.failure(words, error)) }
      if input != nil { running.process = process }
      return .success(process)
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

  /// Writes `bytes`, as far as somebody reads them.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func read(_ descriptor: Int32, mostBytes: Int) -> ([UInt8], isTooLong: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (bytes, false) }
      bytes += buffer[..<count]
      if bytes.count >= mostBytes { return (Array(bytes.prefix(mostBytes)), true) }
    }
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
