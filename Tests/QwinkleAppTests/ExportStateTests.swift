import Foundation
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The posts of an unfinished export.
@MainActor @Suite(.bounded) struct ExportStateTests {
  private static let posts = [#"{"id":"2"}"#, #"{"id":"1"}"#].map { Array($0.utf8) }

  private func withFolder(_ body: (ArchiveFolder) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "qwinkle-export-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let archive = ArchiveFolder(path)
    try archive.make()
    try body(archive)
  }

  private func stored(_ state: ExportState) throws -> [String] {
    var posts: [String] = []
    try state.forEach { posts.append(String(decoding: $1, as: UTF8.self)) }
    return posts
  }

  @Test func `two exports can't write to one folder at once`() throws {
    try withFolder { archive in
      var state: ExportState? = try ExportState(archive, owner: "https://tilde.example/@anna")
      try state?.add(Self.posts, next: nil)
      let error = #expect(throws: AppError.self) {
        _ = try ExportState(archive, owner: "https://tilde.example/@anna")
      }
      #expect(error?.sentence.contains("Another program exports") == true, "\(String(describing: error))")
      state = nil
      let next = try ExportState(archive, owner: "https://tilde.example/@anna")
      #expect(try stored(next) == [#"{"id":"2"}"#, #"{"id":"1"}"#] && next.progress.isComplete)
    }
  }

  @Test func `posts that disappear from the file end the export`() throws {
    try withFolder { archive in
      let state = try ExportState(archive, owner: "https://tilde.example/@anna")
      try state.add(Self.posts, next: nil)
      #expect(truncate("\(archive.path)/\(ExportState.folder)/posts", 5) == 0)
      #expect(throws: AppError.self) { _ = try stored(state) }
      #expect(throws: AppError.self) { _ = try state.post(.init(offset: 0, length: 10, time: 0)) }
    }
  }
}
