import QwinkleReplay
import Terminal
import Testing

@Suite struct SVGAnimationTests {
  private func frame(_ rows: [String], at time: Duration) -> SVGAnimation.Frame {
    let columns = rows.map(\.count).max() ?? 0
    let cells = rows.map { row in
      row.padding(to: columns).map { SnapshotCell(text: String($0), attributes: [], foreground: -1) }
    }
    return SVGAnimation.Frame(
      time: time, snapshot: Snapshot(size: Size(rows: rows.count, columns: columns), cells: cells, cursor: nil))
  }

  private func styles(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix(".v") }
  }

  @Test func `a row that never changes is drawn once and not animated`() {
    let text = SVGAnimation([frame(["title", "one"], at: .zero), frame(["title", "two"], at: .seconds(2))]).text
    #expect(text.components(separatedBy: ">title<") == 2)
    #expect(styles(text).count == 2)
    #expect(text.contains("<g>\n<text"))
  }

  @Test func `a row's contents are visible during their spans`() {
    // 7 seconds: the last screen at 4, and a rest of 3.
    let frames = [
      frame(["a"], at: .zero), frame(["b"], at: .seconds(2)), frame(["a"], at: .seconds(4)),
    ]
    let styles = styles(SVGAnimation(frames).text)
    #expect(styles.count == 2)
    #expect(
      styles.first?.contains(
        "{0.000%{visibility:visible}28.571%{visibility:hidden}57.143%{visibility:visible}}") == true)
    #expect(
      styles.last?.hasSuffix("{0%{visibility:hidden}28.571%{visibility:visible}57.143%{visibility:hidden}}") == true)
    // Viewers who prefer reduced motion see the last screen.
    #expect(styles.first?.contains("prefers-reduced-motion") == true)
    #expect(styles.last?.contains("prefers-reduced-motion") == false)
  }

  @Test(arguments: [false, true])
  func `screens of several sizes are drawn in a picture with room for each`(grows: Bool) {
    let small = ["short"]
    let large = ["a long first row", "second row"]
    let frames = [
      frame(grows ? small : large, at: .zero), frame(grows ? large : small, at: .seconds(2)),
    ]
    let text = SVGAnimation(frames).text
    for row in small + large { #expect(text.contains(">\(row)<"), "\(row)") }
    let size = SVGAnimation([frame(large, at: .zero)]).text.split(separator: "\n")[1]
    #expect(text.split(separator: "\n").contains(size), "\(size)")
  }

  @Test func `an animation has no script and the same bytes each time`() {
    let frames = [frame(["<x>"], at: .zero), frame(["y"], at: .milliseconds(500))]
    let text = SVGAnimation(frames, title: "Qwinkle").text
    #expect(text == SVGAnimation(frames, title: "Qwinkle").text)
    #expect(!text.contains("script") && !text.contains("href") && text.contains("<title>Qwinkle</title>"))
    #expect(SVGAnimation([]).text.isEmpty)
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }

  fileprivate func components(separatedBy separator: String) -> Int {
    split(separator: separator, omittingEmptySubsequences: false).count
  }
}
