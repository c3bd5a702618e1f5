import PaneKit
import Pictures
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Several pictures as thumbnails.
@MainActor
@Suite(.bounded) struct PictureGridTests {
  // MARK: Layout

  @Test func `two pictures are side by side in a wide view and in one column in a narrow view`() throws {
    let wide = try #require(PictureGrid(count: 2, in: Size(rows: 18, columns: 80)))
    #expect(wide.columnCount == 2 && wide.rects.map(\.size) == Array(repeating: Size(rows: 18, columns: 38), count: 2))
    let narrow = try #require(PictureGrid(count: 2, in: Size(rows: 18, columns: 40)))
    #expect(
      narrow.columnCount == 1 && narrow.rects.map(\.size) == Array(repeating: Size(rows: 8, columns: 38), count: 2))
  }

  @Test(arguments: [(18, 80), (44, 200), (18, 60)])
  func `four pictures are two by two`(rows: Int, columns: Int) throws {
    let grid = try #require(PictureGrid(count: 4, in: Size(rows: rows, columns: columns)))
    #expect(grid.columnCount == 2)
    #expect(Set(grid.rects.map(\.origin.row)).count == 2 && Set(grid.rects.map(\.origin.column)).count == 2)
  }

  @Test func `many pictures are in three columns in a wide window`() {
    #expect(PictureGrid(count: 6, in: Size(rows: 44, columns: 200))?.columnCount == 3)
  }

  @Test func `without room there is no grid`() {
    #expect(PictureGrid(count: 4, in: Size(rows: 6, columns: 40)) == nil)
    #expect(PictureGrid(count: 2, in: Size(rows: 2, columns: 200)) == nil)
    #expect(PictureGrid(count: 2, in: Size(rows: 40, columns: 13)) == nil)
    #expect(PictureGrid(count: 2, in: .zero) == nil)
  }

  @Test func `one picture has no grid`() {
    for count in 0...1 { #expect(PictureGrid(count: count, in: Size(rows: 44, columns: 200)) == nil) }
  }

  @Test func `pictures neither overlap nor leave the view at any size`() {
    var count = 0
    for rows in 0...60 {
      for columns in 0...200 {
        for pictures in [2, 3, 4, 5, 16] {
          guard let grid = PictureGrid(count: pictures, in: Size(rows: rows, columns: columns)) else { continue }
          count += 1
          for (index, rect) in grid.rects.enumerated() {
            // The bar of the selected picture is in the column before it.
            guard rect.origin.column >= 1, rect.origin.column + rect.size.columns <= columns,
              rect.origin.row + rect.size.rows <= rows, rect.size.rows >= PictureGrid.minimum.rows,
              rect.size.columns >= PictureGrid.minimum.columns
            else {
              Issue.record("\(pictures) in \(rows)x\(columns): \(rect)")
              return
            }
            for other in grid.rects[(index + 1)...]
            where abs(rect.origin.row - other.origin.row) < rect.size.rows + 1
              && abs(rect.origin.column - other.origin.column) < rect.size.columns + 2
            {
              Issue.record("\(pictures) in \(rows)x\(columns): \(rect) and \(other)")
              return
            }
          }
        }
      }
    }
    #expect(count > 1000)
  }

  @Test func `moves stay in the grid`() throws {
    let grid = try #require(PictureGrid(count: 3, in: Size(rows: 18, columns: 80)))
    #expect(grid.index(from: 0, columns: 1, rows: 0) == 1)
    #expect(grid.index(from: 0, columns: -1, rows: 0) == 0)
    #expect(grid.index(from: 0, columns: 0, rows: 1) == 2)
    // Below the second picture is no other.
    #expect(grid.index(from: 1, columns: 0, rows: 1) == 2)
    #expect(grid.index(from: 2, columns: 0, rows: 1) == 2)
    #expect(grid.index(from: 2, columns: 0, rows: -1) == 0)
    #expect(grid.index(from: 2, columns: 1, rows: 0) == 2)
  }

  // MARK: Keys

  @Test(arguments: [(24, 80), (50, 200)])
  func `keys select a thumbnail, Enter shows it in full and q returns`(rows: Int, columns: Int) async throws {
    let world = try await ViewedPictures([.image, .image, .image, .image], rows: rows, columns: columns)
    #expect(world.isGrid && world.viewer.title == PictureWords.thumbnails(0, of: 4))
    // Only previews are fetched.
    #expect(Set(world.files.asked) == Set((0..<4).map { "https://tilde.example/media/\($0).png" }))
    #expect(world.bench.text.contains("Leek 0") && world.bench.selected.count == world.viewer.grid?.rects[0].size.rows)
    await world.bench.press("l")
    #expect(world.index == 1 && world.bench.text.contains("Leek 1") && world.bench.selected.isEmpty)
    await world.bench.press("Down")
    #expect(world.index == 3)
    await world.bench.press("h", "k", "k")
    #expect(world.index == 0)
    await world.bench.press("n", "j")
    #expect(world.index == 3)
    await world.bench.press("Enter")
    #expect(!world.isGrid && world.viewer.title == PictureWords.title(3, of: 4))
    #expect(world.files.asked.last == "https://tilde.example/media/large-3.png")
    await world.bench.press("h")
    #expect(world.viewer.title == PictureWords.title(2, of: 4))
    await world.bench.press("q")
    #expect(world.isGrid && world.index == 2)
    // In the grid, q is a key of the main screen, which goes back to the list.
    await world.bench.press("q")
    #expect(world.isGrid && world.index == 2)
  }

  @Test func `t changes between thumbnails and one picture`() async throws {
    let world = try await ViewedPictures([.image, .image])
    #expect(world.isGrid)
    await world.bench.press("t")
    #expect(!world.isGrid && world.viewer.title == PictureWords.title(0, of: 2))
    await world.bench.press("t")
    #expect(world.isGrid)
    // Zooming needs the picture in full.
    await world.bench.press("+")
    #expect(!world.isGrid)
  }

  @Test func `a window without room shows one picture at a time`() async throws {
    let world = try await ViewedPictures([.image, .image, .image, .image], rows: 8, columns: 40)
    #expect(!world.isGrid && world.viewer.title == PictureWords.title(0, of: 4))
    await world.bench.press("t")
    #expect(world.bench.navigator.words == [PictureWords.noThumbnails])
    world.bench.driver.resize(rows: 24, columns: 80)
    await world.bench.settle()
    #expect(world.isGrid)
  }

  @Test func `a single picture is shown in full`() async throws {
    let world = try await ViewedPictures([.image])
    #expect(!world.isGrid)
    await world.bench.press("t")
    #expect(world.bench.navigator.words == [PictureWords.onlyOne])
  }

  @Test func `sensitive pictures are neither fetched nor shown as thumbnails until they are revealed`() async throws {
    let world = try await ViewedPictures([.image, .image], isSensitive: true)
    #expect(!world.isGrid && world.files.asked.isEmpty)
    await world.bench.press("t")
    #expect(!world.isGrid && world.files.asked.isEmpty)
    await world.bench.press("z")
    #expect(world.isGrid && world.files.asked.count == 2)
  }

  @Test func `without pictures the descriptions are shown one at a time`() async throws {
    let world = try await ViewedPictures([.image, .image])
    world.settings.pictures = .off
    await world.bench.settle()
    #expect(!world.isGrid && world.bench.text.contains("Leek 0"))
    await world.bench.press("n")
    #expect(world.bench.text.contains("Leek 1"))
  }

  @Test func `a file without a picture is named in the grid and a video has a mark`() async throws {
    let world = try await ViewedPictures([.video, .unknown])
    #expect(world.isGrid && world.bench.text.contains("▶ 1:24"), "\(world.bench.text)")
    #expect(world.bench.text.contains("\(AttachmentWords.word(.unknown)) 1:24"))
    await world.bench.press("s")
    #expect(world.bench.navigator.words.last == PictureWords.onlyPictures)
  }

  @Test func `w plays the selected video or sound`() async throws {
    let world = try await ViewedPictures([.video, .image, .audio])
    await world.bench.press("w")
    #expect(world.opener.opened == ["https://tilde.example/media/large-0.png"] && world.opener.programs == [.player])
    await world.bench.press("l", "w")
    #expect(world.opener.opened.count == 1 && world.bench.navigator.words.last == PictureWords.nothingToPlay)
    await world.bench.press("n", "Enter", "w")
    #expect(world.opener.opened.last == "https://tilde.example/media/large-2.png")
    // In full, Enter plays too.
    await world.bench.press("Enter")
    #expect(world.opener.opened.count == 3)
    await world.bench.press("h", "Enter")
    #expect(world.opener.opened.count == 3 && world.bench.navigator.words.last == PictureWords.inFull)
  }

  @Test func `a sensitive video isn't played before it is revealed`() async throws {
    let world = try await ViewedPictures([.video], isSensitive: true)
    await world.bench.press("w")
    #expect(world.opener.opened.isEmpty && world.bench.navigator.words == [PictureWords.sensitive])
    await world.bench.press("z", "w")
    #expect(world.opener.programs == [.player])
  }
}
