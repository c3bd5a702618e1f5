import Pictures
import Terminal
import Testing

struct PictureFitTests {
  @Test(arguments: [
    (100, 100, Size(rows: 20, columns: 40)), (200, 100, Size(rows: 10, columns: 40)),
    (100, 400, Size(rows: 20, columns: 10)), (1, 100_000, Size(rows: 20, columns: 1)),
  ])
  func `a picture keeps its proportions`(width: Int, height: Int, expected: Size) {
    #expect(PictureFit.size(width: width, height: height, in: Size(rows: 20, columns: 40)) == expected)
  }
}
