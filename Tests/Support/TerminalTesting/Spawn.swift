import Foundation

/// Starts programs with only the files and environment they are given.
enum Spawn {
  /// A standard input, output or error.
  enum StandardFile {
    case nowhere
    case descriptor(Int32)
    /// Opened for this program. The first terminal that a session leader opens becomes its controlling terminal.
    case path(String)
  }

  /// POSIX_SPAWN_SETSID, which Glibc's module hides, as it does the two functions below.
  private static let setSession: Int32 = 0x80

  /// Starts `command`, the path of a program and its arguments, with `files` as its standard input, output and error.
  ///
  /// - Throws: ``HarnessError/refused(_:)`` if it cannot be started.
  static func start(
    _ command: [String], files: [StandardFile], leadsSession: Bool = false, environment: [String: String],
    directory: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    addChangeOfDirectory(&actions, directory)
    for (place, file) in files.enumerated() {
      switch file {
      case .nowhere: posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", O_RDWR, 0)
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
      case .path(let path): posix_spawn_file_actions_addopen(&actions, Int32(place), path, O_RDWR, 0)
      }
    }
    // Otherwise the program would hold other tests' pipes open.
    addCloseFrom(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = (leadsSession ? setSession : 0) | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    // Tests ignore some signals, and Dispatch's threads block them; programs started by a shell inherit neither.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    let arguments = command.map { strdup($0) }
    let variables = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (arguments + variables).forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, command.first ?? "", &actions, &attributes, arguments + [nil], variables + [nil])
    guard error == 0 else { throw HarnessError.refused("\(command.first ?? "") cannot be started, error \(error)") }
    return process
  }
}

@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
@discardableResult
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: CInt) -> CInt

@_silgen_name("posix_spawn_file_actions_addchdir_np")
@discardableResult
private func addChangeOfDirectory(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> CInt
