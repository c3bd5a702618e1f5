import Foundation
import Testing

@testable import QwinkleReplay

@Suite struct GrowingFileTests {
  /// Runs `body` with a temporary folder.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/qwinkle-growing-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func permissions(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func `settled text is appended and the tail is rewritten`() throws {
    try inFolder { folder in
      let path = "\(folder)/f"
      let file = try GrowingFile(path: path, overwriting: false)
      #expect(file.isNew && text(path) == "")
      file.append("one ".utf8, tail: "a long end".utf8)
      #expect(text(path) == "one a long end")
      file.append("two ".utf8, tail: "end".utf8)
      #expect(text(path) == "one two end")
      file.replace("other ".utf8, tail: "end".utf8)
      #expect(text(path) == "other end")
      file.append("three ".utf8, tail: "".utf8)
      #expect(text(path) == "other three " && file.failure == nil)
      #expect(try permissions(path) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["f"])
    }
  }

  @Test func `an existing file is unchanged unless it may be overwritten`() throws {
    try inFolder { folder in
      let path = "\(folder)/f"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect(throws: GrowingFileError.exists(path: path)) { try GrowingFile(path: path, overwriting: false) }
      #expect(text(path) == "mine")
      let file = try GrowingFile(path: path, overwriting: true)
      // Nothing is written yet, so nothing is lost.
      #expect(!file.isNew && text(path) == "mine")
      file.discardIfEmpty()
      #expect(text(path) == "mine")
      file.append("x".utf8, tail: "".utf8)
      #expect(text(path) == "x")
      #expect(try permissions(path) == 0o600)
    }
  }

  @Test func `an unwritable path is rejected at the start`() throws {
    try inFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: true)
      for path in ["\(folder)/none/f", "/proc/f", "\(folder)/d"] {
        let error = #expect(throws: GrowingFileError.self) { try GrowingFile(path: path, overwriting: true) }
        guard case .unwritable(path, _) = error else {
          Issue.record("\(path): \(String(describing: error))")
          continue
        }
      }
      #expect(throws: GrowingFileError.exists(path: "\(folder)/d")) {
        try GrowingFile(path: "\(folder)/d", overwriting: false)
      }
    }
  }

  @Test func `the first write error is stored and stops later writes`() throws {
    try inFolder { folder in
      let below = "\(folder)/below"
      try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
      let file = try GrowingFile(path: "\(below)/f", overwriting: false)
      try FileManager.default.removeItem(atPath: below)
      file.replace("x".utf8, tail: "".utf8)
      guard case .unwritable("\(below)/f", _) = file.failure else {
        Issue.record("\(String(describing: file.failure))")
        return
      }
      try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
      file.replace("x".utf8, tail: "".utf8)
      #expect(text("\(below)/f") == nil)
    }
  }

  @Test func `an empty new file is removed`() throws {
    try inFolder { folder in
      let path = "\(folder)/f"
      try GrowingFile(path: path, overwriting: false).discardIfEmpty()
      #expect(text(path) == nil)
    }
  }
}
