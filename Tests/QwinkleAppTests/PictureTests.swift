import Foundation
import TerminalTesting
import Testing

/// The README's pictures, and a recording played by asciinema.
@Suite(.bounded) struct PictureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Resources/pictures").path

  @Test(arguments: ["timeline", "messages", "compact", "light", "wide"])
  func `a README picture matches the current program`(name: String) async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.run(
        ["replay", "\(Self.folder)/\(name).tape", "--svg", "\(program.home)/new.svg"]
          + (name == "light" ? ["--light"] : []))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let new = program.files().first { $0.path == "new.svg" }?.bytes
      let old = FileManager.default.contents(atPath: "\(Self.folder)/\(name).svg")
      #expect(new != nil && new == old, "\(name).svg is out of date: make pictures")
    }
  }

  @Test(arguments: [("--cast", "tour.cast"), ("--animation", "tour.svg")])
  func `the recordings of the tour match the current program`(_ option: String, _ name: String) async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.run(
        "replay", "\(Self.folder)/tour.tape", option, "\(program.home)/\(name)")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let new = program.files().first { $0.path == name }?.bytes
      let old = FileManager.default.contents(atPath: "\(Self.folder)/\(name)")
      #expect(new != nil && new == old, "\(name) is out of date: make pictures")
    }
  }

  @Test(
    .needsTmux,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/asciinema"), "asciinema is not installed"))
  func `asciinema plays a recording of the program`() async throws {
    try await Program.inNewHome { program in
      let made = try await program.run("replay", "\(Self.folder)/timeline.tape", "--cast", "\(program.home)/t.cast")
      #expect(made.status == 0, "\(made.errors)")
      let play = ["/usr/bin/asciinema", "play", "--speed", "50", "--idle-time-limit", "1", "\(program.home)/t.cast"]
      _ = try await program.onTerminal(command: play, rows: 27, columns: 100) { terminal in
        try await terminal.wait(for: "First frost on the allotment")
      }
    }
  }
}
