import Foundation
import Synchronization

/// A program with pipes for its standard files. Foundation's `Process` is not used: before it starts anything it lists the open files of the
/// whole program, and with more than a thousand of them, as tests have that run side by side, it reads beyond the list.
final class PipedProcess: Sendable {
  /// Its process.
  let processID: Int32
  private let ending = Mutex<Int32?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a program. Where a descriptor is nil, that file is nowhere. `didEnd` is told on a thread of its own with its exit status, or
  /// 128 and the number of the signal that ended it.
  ///
  /// - Throws: ``HarnessError/refused(_:)`` when it cannot be started.
  init(
    _ command: [String], input: Int32?, output: Int32?, errors: Int32?, environment: [String: String],
    directory: String,
    didEnd: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws {
    processID = try Self.spawn(
      command, [input, output, errors], environment: environment, directory: directory)
    let process = processID
    let waiter = Thread { [self] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
      ending.withLock { $0 = code }
      hasEnded.signal()
      didEnd(code)
    }
    waiter.name = "program"
    waiter.start()
  }

  /// Returns once it has ended.
  func waitForEnd() {
    hasEnded.wait()
    hasEnded.signal()
  }

  private static func spawn(
    _ command: [String], _ files: [Int32?], environment: [String: String], directory: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    addChangeOfDirectory(&actions, directory)
    for (place, file) in files.enumerated() {
      if let file {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
      }
    }
    // Ends of other tests' pipes would stay open here.
    addCloseFrom(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    let arguments = command.map { strdup($0) }
    let variables = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (arguments + variables).forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(
      &process, command.first ?? "", &actions, &attributes, arguments + [nil], variables + [nil])
    guard error == 0 else { throw HarnessError.refused("\(command.first ?? "") cannot be started, error \(error)") }
    return process
  }
}
