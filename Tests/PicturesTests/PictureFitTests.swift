import Pictures
import Terminal
import Testing

struct PictureFitTests {
  @Test(arguments: [
    (100, 100, Size(rows: 20, columns: 40)), (200, 100, Size(rows: 10, columns: 40)),
    (100, 400, Size(rows: 20, columns: 10)), (1, 100_000, Size(rows: 20, columns: 1)),
  ])
  func `a picture preserves its aspect ratio`(width: Int, height: Int, expected: Size) {
    #expect(PictureFit.size(width: width, height: height, in: Size(rows: 20, columns: 40)) == expected)
  }

  @Test(arguments: [(8, 16, 40), (10, 20, 40), (16, 16, 20), (10, 15, 30), (7, 21, 60)])
  func `the aspect ratio is preserved for every cell size`(width: Int, height: Int, columns: Int) throws {
    let cell = try #require(CellSize(width: width, height: height))
    let size = PictureFit.size(width: 300, height: 300, in: Size(rows: 20, columns: 100), cell: cell)
    #expect(size == Size(rows: 20, columns: columns))
  }

  @Test(arguments: [(9, 18), (8, 16), (7, 21), (10, 15)])
  func `fitting a picture to its own size preserves its width`(width: Int, height: Int) throws {
    let cell = try #require(CellSize(width: width, height: height))
    for columns in [4, 15, 21, 31, 64] {
      for (width, height) in [(4, 3), (3, 4), (16, 9), (9, 16), (1600, 1067), (5, 1), (1, 6), (300, 299)] {
        let room = Size(rows: 8, columns: columns)
        let first = PictureFit.size(width: width, height: height, in: room, cell: cell)
        let second = PictureFit.size(width: width, height: height, in: first, cell: cell)
        #expect(second.columns == first.columns, "\(width) x \(height) in \(columns) columns")
      }
    }
  }

  @Test func `an impossible cell size is rejected`() {
    #expect(CellSize(width: 0, height: 0) == nil && CellSize(width: 9000, height: 16) == nil)
    let screen = Size(rows: 24, columns: 80)
    #expect(CellSize(of: screen, inWidth: 725, height: 440) == CellSize(width: 9, height: 18))
    #expect(CellSize(of: .zero, inWidth: 725, height: 440) == nil)
  }
}
