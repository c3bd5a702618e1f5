import Foundation
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Thumbnails of attached pictures in an entry.
@MainActor
@Suite(.bounded) struct EntryThumbnailTests {
  /// An entry with an attached picture.
  private func attached(_ setting: (ReaderSettings) -> Void = { _ in }, rows: Int = 24) async throws -> Bench {
    let bench = try Bench(rows: rows)
    bench.api.answer("POST /api/v2/media") { _ in
      let picture = Attachment(id: "5", kind: .image, url: "https://\(ScriptedAPI.host)/media/5.png")
      return .json(WireEncoder.attachment(picture))
    }
    let path = "\(bench.folder.path)-quay.png"
    let bytes = try PictureFiles.gradient()
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
    let settings = ReaderSettings()
    setting(settings)
    let entry = EntryViewController(purpose: .new, account: bench.account, drafts: nil, keymap: bench.keymap)
    entry.takeFiles(below: nil, PictureFiles(bytes).shelf(for: bench), settings)
    let below = ViewController()
    await bench.show(below)
    below.present(entry)
    await bench.settle()
    entry.attachments.add(path)
    try await bench.wait(for: "the file") { bench.lines.contains { $0.contains("+ ") && $0.contains("quay.png") } }
    return bench
  }

  @Test func `an attached picture has a thumbnail next to its name`() async throws {
    let bench = try await attached()
    try await bench.wait(for: "the picture") { bench.text.blockCount > 12 }
    let row = try #require(bench.lines.first { $0.contains("+ ") && $0.contains("quay.png") })
    let name = try #require(row.firstRange(of: "+ "))
    #expect(row[..<name.lowerBound].blockCount > 3, "\(bench.text)")
  }

  @Test func `only the file name is shown when pictures are off`() async throws {
    let bench = try await attached { $0.pictures = .off }
    await bench.settle()
    #expect(bench.text.blockCount == 0 && bench.text.contains("quay.png"), "\(bench.text)")
  }

  @Test func `an attached file is listed in a short window`() async throws {
    let bench = try await attached(rows: 8)
    await bench.settle()
    #expect(bench.text.contains("quay.png"), "\(bench.text)")
  }
}
