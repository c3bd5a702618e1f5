#if os(Linux)
  import Foundation
  import TerminalTesting
  import Testing

  /// What pictures cost who looks at none.
  @Suite(.timeLimit(.minutes(60))) struct PictureStartTests {
    @Test func `a start opens no library, no child and no file for pictures`() async throws {
      try await Program.inNewHome { program in
        let terminal = try PseudoTerminal()
        defer { terminal.close() }
        let spawned = try terminal.start(
          [Program.path], environment: program.with(["TERM": "xterm-256color"]).environment, directory: program.home)
        try await terminal.waitForTimeline()
        await Pace.rest(milliseconds: 500)
        let process = spawned.processID
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        #expect(!maps.contains("libgd") && !maps.contains("libchafa"))
        let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        #expect(children.isEmpty)
        #expect(!program.files().contains { $0.path.contains("resources") })
        spawned.signal(SIGKILL)
        _ = try await spawned.waitForEnd()
      }
    }
  }
#endif
