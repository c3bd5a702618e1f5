import Foundation
import Synchronization

#if os(Linux)
  import Glibc

  /// The time from exec to the first qwinks on a terminal, alternately with and without pictures. With pictures, some
  /// are visible in the timeline at the start.
  @MainActor
  struct StartBench {
    private static let turns = 25
    private static let qwinks = 6
    private static let sample = "Tests/Fixtures/pictures/gradient.png"

    private struct Failure: Error {
      var words: String
    }

    private let program = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .deletingLastPathComponent().appending(path: "qwinkle").path

    func run() {
      let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-bench-\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      guard FileManager.default.fileExists(atPath: Self.sample) else {
        return print("start: run it where \(Self.sample) is")
      }
      do {
        let homes = try ["kitty", "off"].map { try home("\(folder)/\($0)", pictures: $0) }
        var times: [[Double]] = [[], []]
        for turn in 0..<(2 * Self.turns) {
          // Each pair of turns measures both homes. Alternate which of them is first.
          let which = (turn + turn / 2) % 2
          times[which].append(try start(homes[which]))
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        report("start with pictures", medians[0], "without", medians[1])
      } catch {
        print("start: \(error)")
      }
    }

    /// Creates a home directory whose cached timeline has pictures.
    private func home(_ home: String, pictures: String) throws -> String {
      for (path, text) in [
        (".config/qwinkle/config.toml", "pictures = \"\(pictures)\"\n"), (".local/state/qwinkle/toured", ""),
      ] {
        let file = URL(fileURLWithPath: "\(home)/\(path)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: file)
      }
      for number in 1...Self.qwinks {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["post", Self.words(number), "--attach", Self.sample, "--alt", "A gradient"]
        process.environment = environment(home)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(words: "a qwink could not be posted") }
      }
      // The first start fetches the timeline. The second shows it from the cache.
      for _ in 0..<2 { _ = try start(home, rest: 2) }
      return home
    }

    private static func words(_ number: Int) -> String { "gradient-\(number)" }

    private func environment(_ home: String) -> [String: String] {
      ["HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
    }

    /// Starts the program and ends it. Returns the time until its newest qwink was drawn, in microseconds.
    ///
    /// - Parameter rest: Seconds that the program keeps running after the qwink was drawn.
    private func start(_ home: String, rest: UInt32 = 0) throws -> Double {
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      defer { close(master) }
      // The same as unlockpt and ptsname, which aren't available in Swift.
      var (locked, number): (Int32, UInt32) = (0, 0)
      guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
        throw Failure(words: "no pseudo-terminal")
      }
      var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
      let clock = ContinuousClock()
      let begin = clock.now
      let process = try spawn("/dev/pts/\(number)", home)
      guard read(master, until: Self.words(Self.qwinks)) else {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        throw Failure(words: "nothing was drawn")
      }
      let (seconds, attoseconds) = (clock.now - begin).components
      let drain = Drain(master)
      sleep(rest)
      kill(process, SIGTERM)
      waitpid(process, nil, 0)
      drain.stop()
      return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    }

    private func spawn(_ terminal: String, _ home: String) throws -> pid_t {
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
      let arguments = [strdup(program), nil]
      let variables = environment(home).map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for word in arguments + variables { free(word) } }
      var process = pid_t()
      guard posix_spawn(&process, program, &actions, &attributes, arguments, variables) == 0 else {
        throw Failure(words: "\(program) does not start")
      }
      return process
    }

    /// Reads the output until it contains `word`. Returns false if there is no output for ten seconds.
    private func read(_ file: Int32, until word: String) -> Bool {
      var output: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let wanted = Array(word.utf8)
      while true {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 10_000) > 0 else { return false }
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count > 0 else { return false }
        output += bytes[..<count]
        if output.firstRange(of: wanted) != nil { return true }
      }
    }
  }

  /// Reads and discards a terminal's output, so that the program never waits for room.
  private final class Drain: Sendable {
    private let isOver = Mutex(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ file: Int32) {
      Thread.detachNewThread { [self] in
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while !isOver.withLock({ $0 }) {
          var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
          if poll(&entry, 1, 20) > 0, Glibc.read(file, &bytes, bytes.count) <= 0 { break }
        }
        hasEnded.signal()
      }
    }

    func stop() {
      isOver.withLock { $0 = true }
      hasEnded.wait()
    }
  }
#endif
