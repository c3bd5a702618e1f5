#if os(Linux)
  import Glibc
  import Terminal
  import Testing

  @testable import TerminalCurses

  extension CursesTests {
    /// On a socket that keeps the writes apart.
    @MainActor
    @Suite struct Writes {
      @Test func `a step of a list is one write, and a full picture at most four`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        let screen = try CursesScreen(
          kinds: ["xterm-256color"], output: ends[0], input: ends[0], windowSize: false, colors: true)
        defer { screen.close() }
        screen.resize(to: Size(rows: 24, columns: 80))
        _ = writes(ends[1])
        func list(from first: Int) -> Frame {
          let lines = (first..<(first + 22)).map { "\($0 * 7919 % 1000) \(String(repeating: "word\($0) ", count: 10))" }
          return picture(24, 80, ["Public timeline"] + lines + ["\(first) of 200"], style: TextStyle(.palette(3)))
        }
        screen.present(list(from: 1))
        #expect((1...4).contains(writes(ends[1])))
        for first in 2...20 {
          screen.present(list(from: first))
          #expect(writes(ends[1]) == 1)
        }
      }

      private func writes(_ descriptor: Int32) -> Int {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var count = 0
        while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
        return count
      }
    }
  }
#endif
