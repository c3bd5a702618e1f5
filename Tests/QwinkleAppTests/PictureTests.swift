import Foundation
import TerminalTesting
import Testing

/// The pictures of the README, and what other programs make of recordings.
@Suite struct PictureTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Resources/pictures").path

  @Test(arguments: ["timeline", "messages"])
  func `a picture shows the program as it is`(name: String) async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.run("replay", "\(Self.folder)/\(name).tape", "--svg", "\(program.home)/new.svg")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let new = program.files().first { $0.path == "new.svg" }?.bytes
      let old = FileManager.default.contents(atPath: "\(Self.folder)/\(name).svg")
      #expect(new != nil && new == old, "\(name).svg is out of date: make pictures")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/asciinema"), "asciinema is not installed"))
  func `asciinema plays what was sent to the terminal`() async throws {
    try await Program.inNewHome { program in
      let made = try await program.run("replay", "\(Self.folder)/timeline.tape", "--cast", "\(program.home)/t.cast")
      #expect(made.status == 0, "\(made.errors)")
      let played = try await ChildProcess.run(
        ["/usr/bin/asciinema", "cat", "\(program.home)/t.cast"],
        environment: program.environment.merging(["TERM": "xterm-256color"]) { $1 }, directory: program.home)
      #expect(played.status == 0, "\(played.errors)")
      #expect(played.text.contains("First frost on the allotment"))
    }
  }
}
