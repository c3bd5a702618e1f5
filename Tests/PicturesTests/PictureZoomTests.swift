import Terminal
import TerminalTesting
import Testing

@testable import Pictures

@Suite(.bounded) struct PictureZoomTests {
  private static let room = Size(rows: 10, columns: 30)

  @Test func `zooming in ends at a limit and zooming out returns to the whole picture`() {
    var zoom = PictureZoom.fit
    var percents: [Int] = []
    while !zoom.isLargest {
      zoom = zoom.larger
      percents.append(zoom.percent)
    }
    #expect(percents.first == 150 && percents.last == 1600 && zoom.larger == zoom)
    zoom = zoom.moved(columns: 1, rows: 1, from: PicturePart(left: 470, top: 470, width: 60, height: 60))
    #expect(zoom.column > 500 && zoom.row > 500)
    while zoom.isLarger { zoom = zoom.smaller }
    #expect(zoom == .fit && zoom.smaller == .fit)
  }

  @Test func `panning moves by a quarter of the visible part within the picture`() {
    let part = PicturePart(left: 400, top: 0, width: 200, height: 200)
    let zoom = PictureZoom.fit.larger.larger
    #expect(zoom.moved(columns: 1, rows: 0, from: part).column == 550)
    #expect(zoom.moved(columns: -1, rows: 0, from: part).column == 450)
    #expect(zoom.moved(columns: 0, rows: -1, from: part).row == 450)
    #expect(zoom.moved(columns: 1, rows: 1, from: part).moved(columns: -1, rows: -1, from: part) == zoom)
    let edge = zoom.moved(columns: 99, rows: -99, from: part)
    #expect(edge.column == 900 && edge.row == 100)
    // The edge is nearer if more of the picture is visible.
    let wide = PicturePart(left: 400, top: 0, width: 600, height: 600)
    #expect(edge.moved(columns: -1, rows: 0, from: wide).column == 550)
  }

  @Test func `zooming enlarges a part of the picture to fill its area`() async throws {
    let decoder = SamplePictures.decoder()
    let bytes = try SamplePictures.bytes(.png)
    func picture(_ zoom: PictureZoom) async throws -> Picture {
      try await decoder.picture(from: bytes, PictureOrder(room: Self.room, zoom: zoom))
    }
    let whole = try await picture(.fit)
    #expect(whole.part == .whole && whole.size == Size(rows: 10, columns: 30))
    let twice = PictureZoom.fit.larger.larger
    let middle = try await picture(twice)
    #expect(middle.part == PicturePart(left: 250, top: 250, width: 500, height: 500))
    #expect(middle.size == Self.room && middle.cells != whole.cells)
    // Dark at the upper left, yellow at the lower right.
    func green(_ picture: Picture, _ index: Int) -> Int {
      if case .rgb(_, let green, _) = picture.cells[index].style.background { Int(green) } else { -1 }
    }
    let corner = try await picture(twice.moved(columns: -4, rows: -4, from: middle.part))
    #expect(corner.part == PicturePart(left: 0, top: 0, width: 500, height: 500))
    #expect(green(corner, 0) < 80 && green(corner, corner.cells.count - 1) < 160)
    let other = try await picture(twice.moved(columns: 4, rows: 4, from: middle.part))
    #expect(other.part == PicturePart(left: 500, top: 500, width: 500, height: 500))
    #expect(green(other, other.cells.count - 1) > 160)
  }

  @Test func `a zoomed narrow picture widens into its area`() async throws {
    let decoder = SamplePictures.decoder()
    let room = Size(rows: 4, columns: 60)
    let order = PictureOrder(room: room, zoom: .fit.larger.larger)
    let picture = try await decoder.picture(from: try SamplePictures.bytes(.jpeg), order)
    #expect(picture.size == Size(rows: 4, columns: 24))
    #expect(picture.part == PicturePart(left: 0, top: 250, width: 1000, height: 500))
  }

  @Test(arguments: [PictureOrder.Form.pixels, .file, .sixel])
  func `zooming does not increase the number of pixels`(form: PictureOrder.Form) async throws {
    var zoom = PictureZoom.fit
    while !zoom.isLargest { zoom = zoom.larger }
    let picture = try await SamplePictures.decoder().picture(
      from: try SamplePictures.bytes(.webp), PictureOrder(form, room: Self.room, zoom: zoom))
    #expect(picture.size == Self.room && picture.part.width < 70)
    let bytes = try #require(picture.pixels).bytes
    if form == .sixel {
      #expect(SixelText.size(of: bytes[...])?.width == 240)
    } else {
      #expect(PictureHeader(bytes) == PictureHeader(format: .png, width: 240, height: 160))
    }
  }

  @Test(arguments: 1...8) func `a part of a turned picture maps to the same part of its file`(value: Int) throws {
    let orientation = PictureOrientation(value)
    // The file has two columns and three rows, and each pixel is a number.
    let pixels = (0..<6).flatMap { [UInt8](repeating: $0, count: 4) }
    let (columns, rows) = orientation.swapsSides ? (3, 2) : (2, 3)
    let turned = orientation.turned(pixels, width: 2, height: 3)
    for row in 0..<rows {
      for column in 0..<columns {
        let part = orientation.source(of: PixelPart(column, row, 1, 1), width: 2, height: 3)
        #expect(part.width == 1 && part.height == 1)
        #expect(pixels[4 * (part.top * 2 + part.left)] == turned[4 * (row * columns + column)], "\(column), \(row)")
      }
    }
    let whole = orientation.source(of: PixelPart(0, 0, columns, rows), width: 2, height: 3)
    #expect(whole == PixelPart(0, 0, 2, 3))
  }
}
