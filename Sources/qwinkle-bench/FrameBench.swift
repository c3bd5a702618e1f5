import Terminal

/// The time to fill a screen with Chinese text or emoji, compared with ASCII text.
struct FrameBench: Bench {
  func run() {
    let ascii = fill(String(repeating: "The chard survives. ", count: 10))
    report("200x50 grid of Chinese", fill(String(repeating: "今日は天気がいいです", count: 10)), "of ASCII", ascii)
    report("200x50 grid of emoji", fill(String(repeating: "👩‍👩‍👧‍👦 ✌🏽 🇩🇪 ", count: 22)), "of ASCII", ascii)
  }

  private func fill(_ text: String) -> Double {
    var grid = CellGrid(size: Size(rows: 50, columns: 200))
    return median {
      for row in 0..<50 { grid.write(text, at: Point(row: row, column: 0), style: .plain) }
    }
  }
}
