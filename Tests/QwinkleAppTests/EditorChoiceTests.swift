import Foundation
import TerminalTesting
import Testing

@testable import QwinkleApp

@Suite(.bounded) struct EditorChoiceTests {
  /// Runs `body` with a new folder that has executables and other files with these names.
  private func withFolder(programs: [String] = [], others: [String] = [], _ body: (String) -> Void) throws {
    let folder = "\(NSTemporaryDirectory())/\(UUID().uuidString)"
    let files = FileManager.default
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: folder) }
    for (names, permissions) in [(programs, 0o755), (others, 0o644)] {
      for name in names {
        try Data().write(to: URL(filePath: "\(folder)/\(name)"))
        try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: "\(folder)/\(name)")
      }
    }
    body(folder)
  }

  @Test func `VISUAL takes precedence over EDITOR and both over editors in PATH`() throws {
    try withFolder(programs: ["editor"]) { folder in
      var variables = ["VISUAL": "code --wait", "EDITOR": "ed", "PATH": folder]
      #expect(EditorChoice.command(in: variables) == "code --wait")
      variables["VISUAL"] = "  "
      #expect(EditorChoice.command(in: variables) == "ed")
      variables["EDITOR"] = nil
      #expect(EditorChoice.command(in: variables) == "editor")
    }
  }

  @Test func `the first common editor that is executable is chosen`() throws {
    try withFolder(programs: ["vi"]) { first in
      #expect(EditorChoice.command(in: ["PATH": first]) == "vi")
      try? withFolder(programs: ["nano"], others: ["editor"]) { second in
        #expect(EditorChoice.command(in: ["PATH": "\(first)::\(second)"]) == "nano")
      }
    }
  }

  @Test func `a folder or a program in the current folder is not an editor`() throws {
    try withFolder { folder in
      try? FileManager.default.createDirectory(atPath: "\(folder)/vi", withIntermediateDirectories: false)
      #expect(EditorChoice.command(in: ["PATH": ":\(folder):"]) == nil)
    }
  }
}
