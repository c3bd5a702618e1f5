import Foundation
import QwinkleAccount
import QwinkleService
import QwinkleStore
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Errors are printed and logged as sentences, never as Swift values.
@Suite(.bounded) struct SentenceErrorTests {
  private struct Unknown: Error {
    let reason = "unknown"
  }

  @Test func `an error without a sentence names no Swift type`() {
    #expect(AppError(Unknown()).sentence == AppError.unexpected)
    let missing = CocoaError(.fileNoSuchFile)
    #expect(!AppError(missing).sentence.contains("CocoaError(") && AppError(missing) != .failed(AppError.unexpected))
  }

  @Test func `an error with a sentence is printed as that sentence`() {
    let errors: [any SentenceError] = [
      DownloadError.notFound(host: "tilde.example", message: ""), StoreError.busy(path: "/tmp/x"),
      FindingError.noQwink("7"), DownloadError.cancelled,
    ]
    for error in errors { #expect(AppError(error) == .failed(error.sentence)) }
  }

  @Test func `no message of the program interpolates an error`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/QwinkleApp")
    let enumerator = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    let files = enumerator.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 50)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains("\\(error)"), "\(file.lastPathComponent)")
    }
  }
}
