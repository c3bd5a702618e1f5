import CProcess
import Foundation
import LibC
import TerminalTesting
import Testing

extension CursesTests {
  /// The program's C functions. Signals affect the whole process, so these tests are serialized with the drivers'
  /// tests.
  @MainActor
  @Suite struct Processes {
    /// Reads up to `capacity` bytes, until the end or until nothing arrives for 10 seconds.
    private func read(_ descriptor: Int32, atMost capacity: Int = 4096) -> [UInt8] {
      var bytes: [UInt8] = []
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while bytes.count < capacity, poll(&waiting, 1, 10_000) > 0 {
        var buffer = [UInt8](repeating: 0, count: capacity - bytes.count)
        let count = systemRead(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return bytes
    }

    private func pipeEnds() throws -> (read: Int32, write: Int32) {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      return (ends[0], ends[1])
    }

    // MARK: Signals

    @Test func `a watched signal arrives as a byte and its former action is restored`() throws {
      signal(SIGUSR2, SIG_IGN)
      let descriptor = qw_signal_watch(SIGUSR2)
      try #require(descriptor >= 0)
      // Watching twice must not save the watch's own handler as the former action.
      #expect(qw_signal_watch(SIGUSR2) == descriptor)
      kill(getpid(), SIGUSR2)
      #expect(read(descriptor, atMost: 1) == [UInt8(SIGUSR2)])
      qw_signal_unwatch(SIGUSR2)
      let former = signal(SIGUSR2, SIG_DFL)
      #expect(unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
    }

    @Test func `invalid and uncatchable signals cannot be watched`() {
      for number in [-1, 0, 1000] as [Int32] { #expect(qw_signal_watch(number) == -1) }
      #expect(qw_signal_watch(SIGKILL) == -1)
    }

    // MARK: Descriptors

    @Test func `a memory file stores data and is closed in other programs`() throws {
      let file = qw_memory_file()
      try #require(file >= 0)
      defer { close(file) }
      #expect(write(file, "kept", 4) == 4)
      lseek(file, 0, SEEK_SET)
      #expect(read(file, atMost: 4) == Array("kept".utf8))
      #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func `only a terminal with a size has a window size`() throws {
      let terminal = try PseudoTerminal(rows: 30, columns: 100)
      defer { terminal.close() }
      var rows: Int32 = 0
      var columns: Int32 = 0
      #expect(qw_window_size(terminal.slave, &rows, &columns))
      #expect(rows == 30 && columns == 100)
      terminal.resize(rows: 0, columns: 0)
      #expect(!qw_window_size(terminal.slave, &rows, &columns))
      let ends = try pipeEnds()
      defer { for end in [ends.read, ends.write] { close(end) } }
      #expect(!qw_window_size(ends.read, &rows, &columns))
      #expect(qw_reopen_terminal(ends.write) == -1)
    }

    @Test func `a terminal that does not control this process has no background`() throws {
      let terminal = try PseudoTerminal()
      defer { terminal.close() }
      let ends = try pipeEnds()
      defer { for end in [ends.read, ends.write] { close(end) } }
      for descriptor in [terminal.slave, ends.read, -1] {
        #expect(!qw_in_background(descriptor))
        #expect(qw_await_foreground(descriptor))
      }
    }

    @Test func `other programs do not inherit a pipe`() throws {
      var ends: [Int32] = [-1, -1]
      try #require(qw_pipe(&ends))
      defer { for end in ends { close(end) } }
      for end in ends { #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0) }
    }

    @Test func `a raw terminal delivers every byte unchanged and without echo`() async throws {
      let terminal = try PseudoTerminal()
      defer { terminal.close() }
      var saved = termios()
      try #require(tcgetattr(terminal.slave, &saved) == 0)
      qw_terminal_raw(terminal.slave, &saved)
      let typed: [UInt8] = [0x03, 0x1A, 0x1C, 0x13, 0x11, 0x04, 0x7F, 0x0D, 0x0A, 0xFF, 0x61]
      terminal.type(typed)
      #expect(read(terminal.slave, atMost: typed.count) == typed)
      #expect(write(terminal.slave, "x\ny", 3) == 3)
      #expect(try await terminal.wait(for: "y") == Array("x\ny".utf8))
    }

    // MARK: Other programs

    private func startDetached(_ words: String...) -> Int32 {
      let arguments = words.map { strdup($0) } + [nil]
      defer { arguments.forEach { free($0) } }
      return qw_start_detached(arguments)
    }

    @Test func `a detached program has a separate session without terminal or input`() throws {
      let path = NSTemporaryDirectory() + "/qwinkle-fifo-\(UUID().uuidString)"
      try #require(mkfifo(path, 0o600) == 0)
      defer { unlink(path) }
      let fifo = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(fifo >= 0)
      defer { close(fifo) }
      let script = #"{ cat /proc/$$/stat; readlink /proc/$$/fd/0; readlink /proc/$$/fd/2; } > "$0""#
      #expect(startDetached("sh", "-c", script, path) == 0)
      let lines = String(decoding: read(fifo), as: UTF8.self).split(separator: "\n")
      try #require(lines.count == 3)
      // The fields after the name are state, parent, group, session and terminal.
      let fields = lines[0].split(separator: ")").last?.split(separator: " ") ?? []
      try #require(fields.count > 4)
      #expect(Int32(fields[3]) != getsid(0) && fields[4] == "0")
      #expect(lines[1...] == ["/dev/null", "/dev/null"])
    }

    @Test func `starting a missing program reports ENOENT`() {
      #expect(startDetached("/nowhere/qwinkle-no-such-program") == ENOENT)
    }

    @Test(arguments: [("exit $1", 7), ("kill -TERM $$", 128 + SIGTERM), ("kill -INT $$", 128 + SIGINT)])
    func `a foreground program reports its exit status or signal`(script: String, status: Int32) throws {
      let process = qw_foreground_start(script, "7", 0, 1)
      try #require(process > 0)
      // Only one program can run in the foreground.
      #expect(qw_foreground_start("exit 0", "", 0, 1) == -1)
      #expect(qw_foreground_wait(process) == status)
      qw_foreground_end()
      #expect(qw_foreground_wait(process) == -1)
    }

    @Test func `a foreground program inherits only the descriptors it needs`() throws {
      let ends = try pipeEnds()
      defer { for end in [ends.read, ends.write] { close(end) } }
      let process = qw_foreground_start("[ -e /proc/$$/fd/$1 ] || echo closed", "\(ends.read)", ends.read, ends.write)
      try #require(process > 0)
      #expect(qw_foreground_wait(process) == 0)
      qw_foreground_end()
      #expect(read(ends.read, atMost: 7) == Array("closed\n".utf8))
    }

    @Test func `INT and QUIT are ignored while a program is in the foreground`() throws {
      let descriptor = qw_signal_watch(SIGINT)
      try #require(descriptor >= 0)
      defer { qw_signal_unwatch(SIGINT) }
      let process = qw_foreground_start("exit 0", "", 0, 1)
      try #require(process > 0)
      for number in [SIGINT, SIGQUIT] { kill(getpid(), number) }
      #expect(qw_foreground_wait(process) == 0)
      qw_foreground_end()
      kill(getpid(), SIGINT)
      #expect(read(descriptor, atMost: 1) == [UInt8(SIGINT)])
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 0) == 0, "the first INT was not passed over")
    }
  }
}
