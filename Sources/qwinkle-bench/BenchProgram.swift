import Foundation
import LibC

/// The built program on a 100x30 terminal.
final class BenchProgram {
  /// The program's file, which is next to this one.
  static let path = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "qwinkle").path

  /// The time just before the program was started.
  let start: ContinuousClock.Instant
  private let terminal: Int32
  private let process: pid_t

  /// Starts the program with the home directory `home`.
  init(_ arguments: [String] = [], home: String) throws {
    terminal = systemOpen("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    // The same as unlockpt and ptsname, which aren't available in Swift.
    var (locked, number): (Int32, UInt32) = (0, 0)
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &locked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
    else { throw BenchError(description: "no pseudo-terminal") }
    var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    start = .now
    process = try Self.spawn(arguments, terminal: "/dev/pts/\(number)", home: home)
  }

  static func environment(home: String) -> [String: String] {
    ["HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
  }

  private static func spawn(_ arguments: [String], terminal: String, home: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID: the program runs in a new session, and the terminal becomes its controlling terminal.
    posix_spawnattr_setflags(&attributes, 0x80)
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment(home: home).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process = pid_t()
    guard posix_spawn(&process, path, &actions, &attributes, words, variables) == 0 else {
      throw BenchError(description: "\(path) does not start; build it too")
    }
    return process
  }

  func type(_ key: String) { _ = systemWrite(Array(key.utf8), to: terminal) }

  /// Reads output until `isEnough` returns true for all output read since the call. Returns the time of the last
  /// byte, or nil if the output ends before that or `seconds` pass.
  @discardableResult
  func output(for seconds: Double, until isEnough: ([UInt8]) -> Bool = { _ in false }) -> ContinuousClock.Instant? {
    let end = ContinuousClock.now + .seconds(seconds)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = Int32(max(0, (end - ContinuousClock.now) / .milliseconds(1)).rounded(.up))
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&waiting, 1, left) > 0 else { return nil }
      let count = systemRead(terminal, &buffer, buffer.count)
      guard count > 0 else { return nil }
      all += buffer[..<count]
      if isEnough(all) { return .now }
    }
  }

  /// Resident memory, in bytes.
  var memory: Int { residentMemory(of: process) }

  var processorSeconds: Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // Parse only the fields after the process's name, which ends at the last parenthesis. The name can contain any
    // character.
    let words = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Sends a signal and waits for the end of the program. Until then, reads and discards the output, so that the
  /// program never blocks on a full terminal.
  func end(by signal: Int32 = SIGTERM) {
    kill(process, signal)
    while waitpid(process, nil, WNOHANG) == 0 { output(for: 0.02) }
    systemClose(terminal)
  }
}
