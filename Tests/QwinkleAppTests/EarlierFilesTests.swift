import Foundation
import TerminalTesting
import Testing

/// Files of 26 November 2026, written before many types and members were renamed. The names stored in files must not
/// change with the names in code.
@Suite(.bounded) struct EarlierFilesTests {
  /// A home directory after two posts, and after `kill -9` with a third post pending and the search open.
  private static let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/earlier-home")

  private func withEarlierHome<Result>(_ body: (Program) async throws -> Result) async throws -> Result {
    try await Program.inNewHome { program in
      for (folder, path) in [("data", ".local/share"), ("state", ".local/state")] {
        let target = URL(filePath: program.home).appending(path: path)
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(at: Self.fixture.appending(path: folder), to: target)
        // Git stores no permissions of groups and others; Qwinkle refuses folders that others can read.
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: target.path)) {
          let item = target.appending(path: name)
          let isFolder = (try? item.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
          try FileManager.default.setAttributes(
            [.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: item.path)
        }
      }
      return try await body(program)
    }
  }

  @Test func `commands read the posts of an earlier version`() async throws {
    try await withEarlierHome { program in
      let timeline = try await program.run("timeline", "public")
      #expect(timeline.status == 0 && timeline.text.contains("Beans are up"), "\(timeline)")
      #expect(timeline.text.contains("The kettle is on #tea") && timeline.text.contains("@root"))
      let doctor = try await program.run("doctor", "--offline")
      #expect(doctor.status == 0, "\(doctor)")
    }
  }

  @Test func `the screen reopens the search and makes the killed post a draft`() async throws {
    try await withEarlierHome { program in
      try await program.onTerminal { terminal in
        try await terminal.wait(for: "The kettle is on")
        #expect(try await terminal.screen().contains("/ kettle"))
        // The program makes the draft after its first frame.
        var drafts = try await program.run("drafts")
        for _ in 0..<100 where drafts.text.isEmpty { drafts = try await program.run("drafts") }
        #expect(drafts.status == 0 && drafts.text.contains("Left in a hurry"), "\(drafts)")
      }
    }
  }
}
