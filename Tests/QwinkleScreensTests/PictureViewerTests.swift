import Foundation
import OnDemandResources
import PaneKit
import Pictures
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The pictures of one qwink, as large as the pane.
@MainActor
@Suite(.bounded) struct PictureViewerTests {
  private func title(_ number: Int, _ zoom: PictureZoom = .fit) -> String {
    PictureWords.title(number - 1, of: 2, zoom)
  }

  @Test(arguments: ["Enter", "l", nil])
  func `over a metered connection a restored viewer loads its picture only by key`(_ key: String?) async throws {
    let world = try await ViewedPictures(isRestoredMetered: true)
    await world.bench.pass(.seconds(1))
    #expect(world.files.asked.isEmpty && world.bench.text.contains(ResourceError.needsKey.sentence))
    if let key { await world.bench.press(key) } else { world.viewer.refresh() }
    await world.bench.pass(.seconds(1))
    #expect(world.files.asked.count == 1 && world.bench.text.blockCount > 150)
  }

  @Test func `plus and minus zoom, arrows pan and 0 shows the whole picture`() async throws {
    let world = try await ViewedPictures([.image, .image])
    await world.bench.press("Enter")
    let whole = world.bench.text
    #expect(world.bench.text.blockCount > 150 && whole.contains("Leek 0"))
    await world.bench.press("+", "+")
    #expect(world.viewer.title == title(1, .fit.larger.larger))
    let middle = world.bench.text
    #expect(middle != whole && world.bench.text.blockCount > 30)
    await world.bench.press("l", "j")
    #expect(world.bench.text != middle && world.viewer.title == title(1, .fit.larger.larger))
    await world.bench.press("h", "k")
    #expect(world.bench.text == middle)
    // Panning stops at the edge.
    await world.bench.press("h", "h", "h", "h", "h", "h")
    let edge = world.bench.text
    await world.bench.press("h")
    #expect(world.bench.text == edge)
    await world.bench.press("-")
    #expect(world.viewer.title == title(1, .fit.larger))
    await world.bench.press("0")
    #expect(world.bench.text == whole && world.viewer.title == title(1))
    // If the whole picture is visible, arrows change the picture. The next picture starts unzoomed.
    await world.bench.press("+", "n")
    #expect(world.viewer.title == title(2) && world.bench.text.contains("Leek 1"))
    await world.bench.press("h")
    #expect(world.viewer.title == title(1))
    // The file is fetched only once.
    #expect(world.files.asked.filter { $0.hasSuffix("large-0.png") }.count == 1)
  }

  @Test func `the previous picture stays visible while a part is drawn`() async throws {
    let world = try await ViewedPictures()
    let before = world.bench.text.blockCount
    world.bench.driver.press("+")
    #expect(world.bench.text.blockCount == before && !world.bench.text.contains(PictureWords.loading(nil)))
    await world.bench.settle()
    #expect(world.viewer.title == PictureWords.title(0, of: 1, .fit.larger))
  }

  @Test func `the saved file equals the downloaded file`() async throws {
    let world = try await ViewedPictures()
    let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-viewer-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func save() async throws {
      await world.bench.press("s")
      #expect(world.bench.text.contains(PictureWords.saveLabel) && world.bench.text.contains(".png"))
      await world.bench.press("^A", "^K")
      await world.bench.type("\(folder)/leek.png")
      await world.bench.press("Enter")
    }
    try await save()
    #expect(FileManager.default.contents(atPath: "\(folder)/leek.png").map(Array.init) == world.files.bytes)
    #expect(world.bench.navigator.words.last?.hasPrefix("\(PictureWords.savedAs) ") == true)
    try Data([1]).write(to: URL(filePath: "\(folder)/leek.png"))
    try await save()
    #expect(world.bench.navigator.questions == [PictureWords.replaceQuestion("leek.png")])
    #expect(FileManager.default.contents(atPath: "\(folder)/leek.png").map(Array.init) == world.files.bytes)
  }

  @Test func `a video can be neither saved nor zoomed`() async throws {
    let world = try await ViewedPictures([.video])
    #expect(world.bench.text.blockCount > 150)
    await world.bench.press("s")
    #expect(!world.bench.text.contains(PictureWords.saveLabel))
    #expect(world.bench.navigator.words == [PictureWords.onlyPictures])
    await world.bench.press("j", "-", "0")
    #expect(world.bench.navigator.words.suffix(3).allSatisfy { $0 == PictureWords.notZoomed })
  }
}
