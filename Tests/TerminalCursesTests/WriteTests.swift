import LibC
import Terminal
import Testing

@testable import TerminalCurses

extension CursesTests {
  /// Output to a socket that preserves the boundaries of writes.
  @MainActor
  @Suite struct Writes {
    @Test func `a full frame takes at most four writes and a scrolled list one`() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
      defer { ends.forEach { close($0) } }
      let screen = try CursesScreen(
        TerminalEnvironment(kind: "xterm-256color", wantsColors: true, textForm: .unicode),
        colors: .auto, size: Size(rows: 24, columns: 80))
      let output = TerminalOutput(terminal: ends[0])
      defer {
        screen.close()
        screen.closeFile()
        output.close()
      }
      func show(_ frame: Frame) {
        screen.present(frame)
        output.send(screen.takeOutput())
      }
      output.send(screen.takeOutput())
      _ = writes(ends[1])
      func list(from first: Int) -> Frame {
        let lines = (first..<(first + 22)).map { "\($0 * 7919 % 1000) \(String(repeating: "word\($0) ", count: 10))" }
        return picture(24, 80, ["Public timeline"] + lines + ["\(first) of 200"], style: TextStyle(.palette(3)))
      }
      show(list(from: 1))
      #expect((1...4).contains(writes(ends[1])))
      for first in 2...20 {
        show(list(from: first))
        #expect(writes(ends[1]) == 1)
      }
    }

    @Test func `a terminal that reads nothing does not block and later gets all output`() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { ends.forEach { close($0) } }
      let output = TerminalOutput(terminal: ends[1])
      defer { output.close() }
      let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
      output.send(sent)
      #expect(output.isBusy)
      output.send([1, 2, 3])
      output.flush(milliseconds: 1)
      #expect(output.isBusy)
      var read: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while read.count < sent.count + 3 {
        var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 30_000) > 0, "\(read.count) bytes were written")
        let capacity = buffer.count
        let count = buffer.withUnsafeMutableBytes { systemRead(ends[0], $0.baseAddress, capacity) }
        try #require(count > 0)
        read += buffer[..<count]
        output.flush(milliseconds: 1)
      }
      #expect(read == sent + [1, 2, 3])
      #expect(!output.isBusy)
      #expect(output.bytesSent == sent.count + 3)
    }

    private func writes(_ descriptor: Int32) -> Int {
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      var count = 0
      while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
      return count
    }
  }
}
