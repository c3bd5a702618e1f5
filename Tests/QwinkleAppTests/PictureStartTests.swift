import Foundation
import TerminalTesting
import Testing

/// Start-up cost of picture support when no picture is shown.
@Suite(.bounded) struct PictureStartTests {
  @Test func `startup loads no picture library and opens no picture process or file`() async throws {
    try await Program.inNewHome { program in
      let terminal = try PseudoTerminal()
      defer { terminal.close() }
      let spawned = try terminal.start(
        [Program.path], environment: program.with(["TERM": "xterm-256color"]).environment, directory: program.home)
      try await terminal.waitForTimeline()
      // Executed after everything that startup has begun.
      terminal.type(":set times clock\r")
      try await terminal.wait(for: "Clock times")
      let process = spawned.processID
      let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
      #expect(maps.contains("/qwinkle") && !maps.contains("libgd") && !maps.contains("libchafa"))
      let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      #expect(children.isEmpty)
      #expect(!program.files().contains { $0.path.contains("resources") })
      spawned.signal(SIGKILL)
      _ = try await spawned.waitForEnd()
    }
  }
}
