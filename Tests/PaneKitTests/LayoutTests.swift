import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// A layout computes frames from a size.
@MainActor
@Suite struct LayoutTests {
  private let first = Sized(rows: 2, columns: 5)
  private let second = Sized(rows: 3, columns: 7)
  private let third = View()

  /// A view with a settable intrinsic size.
  private final class Sized: View {
    var wanted: Size {
      didSet { invalidateIntrinsicSize() }
    }

    init(rows: Int, columns: Int) {
      wanted = Size(rows: rows, columns: columns)
      super.init()
    }

    override func intrinsicSize(in room: Size) -> Size { wanted }
  }

  /// A view arranged by a closure.
  private final class Arranged: View {
    let arrangement: (Size) -> Layout?

    init(_ subviews: [View], _ arrangement: @escaping (Size) -> Layout?) {
      self.arrangement = arrangement
      super.init()
      for subview in subviews { addSubview(subview) }
    }

    override func layout(in size: Size) -> Layout? { arrangement(size) }
  }

  private func rows(_ parts: Layout.Parts, in rows: Int) -> [Range<Int>] {
    Layout.rows(parts).placements(in: Size(rows: rows, columns: 10)).map(\.frame.rows)
  }

  // MARK: Lengths

  @Test func `rows are stacked and share the remaining space`() {
    #expect(rows([.fixed(1): first, .fill: second, .intrinsic: third], in: 30) == [0..<1, 1..<1, 1..<30])
    #expect(rows([.fixed(1): first, .fill: third, .intrinsic: second], in: 10) == [0..<1, 1..<7, 7..<10])
    #expect(rows([.fill: first, .fixed(1): nil, .fill: second], in: 10) == [0..<5, 6..<10])
    #expect(rows([.fraction(0.25): first, .fill: second], in: 10) == [0..<2, 2..<10])
    #expect(rows([.minimum(2): first, .fill: second], in: 10) == [0..<6, 6..<10])
    #expect(rows([.minimum(1, atMost: 3): first, .fill: second], in: 10) == [0..<3, 3..<10])
    #expect(rows([.minimum(1, atMost: 3): first, .fixed(2): second], in: 10) == [0..<3, 3..<5])
    #expect(rows([.intrinsic(atMost: 2): second, .fill: first], in: 10) == [0..<2, 2..<10])
  }

  @Test func `columns fill the height and layouts can be nested`() {
    let line = Layout.columns([.fixed(3): first, .fill: second, .intrinsic: first])
    let layout = Layout.rows([.fill: third, .fixed(1): line])
    let frames = layout.placements(in: Size(rows: 4, columns: 20)).map(\.frame)
    #expect(
      frames == [
        Rect(row: 0, column: 0, rows: 3, columns: 20), Rect(row: 3, column: 0, rows: 1, columns: 3),
        Rect(row: 3, column: 3, rows: 1, columns: 12), Rect(row: 3, column: 15, rows: 1, columns: 5),
      ])
    #expect(layout.frame(of: second, in: Size(rows: 4, columns: 20)) == frames[2])
    #expect(layout.frame(of: View(), in: Size(rows: 4, columns: 20)) == .zero)
  }

  @Test func `layers share the same area`() {
    let layout = Layout.layers([first, Layout.rows([.fill: nil, .fixed(2): second])])
    let frames = layout.placements(in: Size(rows: 5, columns: 8)).map(\.frame)
    #expect(
      frames == [Rect(row: 0, column: 0, rows: 5, columns: 8), Rect(row: 3, column: 0, rows: 2, columns: 8)])
  }

  @Test func `gaps collapse first, then intrinsic parts, then fixed parts`() {
    let parts: Layout.Parts = [
      .intrinsic: first, .fixed(2): second, .fixed(1): nil, .minimum(1): third, .fixed(1): View(),
    ]
    #expect(rows(parts, in: 7).map(\.count) == [2, 2, 1, 1])
    #expect(rows(parts, in: 6).map(\.count) == [2, 2, 1, 1])
    #expect(rows(parts, in: 5).map(\.count) == [1, 2, 1, 1])
    #expect(rows(parts, in: 4).map(\.count) == [0, 2, 1, 1])
    #expect(rows(parts, in: 3).map(\.count) == [0, 2, 1, 0])
    #expect(rows(parts, in: 1).map(\.count) == [0, 0, 1, 0])
    #expect(rows(parts, in: 0).map(\.count) == [0, 0, 0, 0])
  }

  @Test(arguments: [Soak.seed])
  func `frames of random layouts stay in order and in bounds`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func length() -> LayoutLength {
      let count = Int.random(in: 0...6, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .fixed(count)
      case 1: return .fraction(Double(count) / 6)
      case 2: return .intrinsic(atMost: count)
      case 3: return .minimum(count, atMost: count + 3)
      default: return .fill
      }
    }
    for _ in 0..<Soak.runs(300) {
      let parts: Layout.Parts = [
        length(): first, length(): second, length(): nil, length(): third, length(): Layout.layers([View()]),
      ]
      let size = Int.random(in: 0...20, using: &random)
      let places = rows(parts, in: size)
      #expect(places.count == 4 && places.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= size })
      #expect(zip(places, places.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
  }

  @Test func `the intrinsic size of a layout is computed from its parts`() {
    let line = Layout.columns([.fixed(1): nil, .intrinsic: first, .fill: second])
    #expect(line.intrinsicSize(in: Size(rows: 9, columns: 40)) == Size(rows: 3, columns: 6))
    let all = Layout.rows([.fixed(1): third, .intrinsic: line])
    #expect(all.intrinsicSize(in: Size(rows: 9, columns: 40)).rows == 4)
  }

  // MARK: Views

  private func launch(_ view: View, rows: Int = 10, columns: Int = 40) throws -> (Application, MemoryDriver) {
    let driver = MemoryDriver(rows: rows, columns: columns)
    let application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    application.window.rootViewController = ViewController(view: view)
    try application.launch()
    return (application, driver)
  }

  @Test func `a view missing from the layout has an empty frame`() throws {
    let (first, second, third) = (first, second, third)
    let view = Arranged([first, second, third]) { size in
      size.columns < 60 ? .rows([.fill: first]) : .columns([.fill: first, .fixed(1): second, .fill: third])
    }
    let (application, driver) = try launch(view)
    #expect(first.frame == view.bounds && second.frame == .zero && third.frame == .zero)
    driver.resize(rows: 10, columns: 61)
    #expect(second.frame == Rect(row: 0, column: 30, rows: 10, columns: 1) && third.frame.size.columns == 30)
    driver.resize(rows: 10, columns: 40)
    #expect(first.frame == view.bounds && second.frame == .zero && third.frame == .zero)
    #expect(!application.window.rootView.hasAmbiguousLayout)
  }

  @Test func `a new intrinsic size is applied through all ancestors`() throws {
    let (first, third) = (first, third)
    final class Wrapper: View {
      let content: View

      init(_ content: View) {
        self.content = content
        super.init()
        addSubview(content)
      }

      override func intrinsicSize(in room: Size) -> Size { content.intrinsicSize(in: room) }
      override func layout(in size: Size) -> Layout? { .rows([.intrinsic: content]) }
    }
    let wrapper = Wrapper(first)
    let (application, driver) = try launch(
      Arranged([third, wrapper]) { _ in .rows([.fill: third, .intrinsic: wrapper]) })
    #expect(wrapper.frame.rows == 8..<10 && first.frame.size.rows == 2)
    first.wanted = Size(rows: 4, columns: 5)
    driver.press("F9")
    #expect(wrapper.frame.rows == 6..<10 && first.frame.size.rows == 4 && third.frame.size.rows == 6)
    #expect(!application.window.rootView.hasAmbiguousLayout)
  }

  @Test func `a sheet at the bottom has its preferred height and at least one row`() throws {
    final class Sheet: ViewController {
      var rows = 3
      override func preferredSheetRows(in size: Size) -> Int { rows }
    }
    let (application, driver) = try launch(View())
    let sheet = Sheet()
    application.window.present(sheet)
    for (rows, expected) in [(3, 7..<10), (0, 9..<10), (50, 0..<10)] {
      sheet.rows = rows
      sheet.view.invalidateIntrinsicSize()
      driver.press("F9")
      #expect(sheet.view.frame.rows == expected)
    }
  }

  // MARK: Layout issues

  @Test func `a layout trace shows each problem next to its view`() throws {
    let label = Label(TextRun("Much too long", .text))
    let (first, second, third) = (first, second, third)
    let view = Arranged([first, second, label, third]) { _ in
      .rows([.fixed(2): first, .intrinsic: second, .fixed(1): Layout.columns([.fixed(5): label]), .fixed(8): third])
    }
    let (application, _) = try launch(view)
    let root = application.window.rootView
    #expect(root.hasAmbiguousLayout)
    #expect(Set(root.layoutIssues) == [.tooSmall, .cut])
    #expect(
      view.layoutTrace == """
        ViewController 40x10 at 0,0
          Sized 40x2 at 0,0
          Sized 40x0 at 2,0
          Label 5x1 at 2,0 ! cut
          View 40x7 at 3,0 ! too small
        """)
  }

  @Test func `overlapping views are reported unless the layout has layers`() throws {
    let (first, second) = (first, second)
    let layered = Arranged([first, second]) { _ in .layers([first, Layout.columns([.fixed(3): second])]) }
    #expect(try !launch(layered).0.window.rootView.hasAmbiguousLayout)
    // Manually set frames.
    let placed = Arranged([first, second]) { _ in nil }
    first.frame = Rect(row: 0, column: 0, rows: 3, columns: 10)
    second.frame = Rect(row: 2, column: 5, rows: 3, columns: 40)
    let (application, _) = try launch(placed)
    #expect(application.window.rootView.layoutIssues == [.covered(by: "Sized"), .outside])
    second.isHidden = true
    #expect(!application.window.rootView.hasAmbiguousLayout)
  }

  @Test func `a bar or rule too narrow for its text is reported as cut`() throws {
    let bar = BarView()
    bar.leading = [.init("some words", priority: 1), .init("others")]
    let rule = RuleView()
    rule.title = [TextRun("title", .strong)]
    let (application, driver) = try launch(
      Arranged([bar, rule]) { _ in .rows([.fixed(1): bar, .intrinsic: rule]) }, columns: 12)
    #expect(application.window.rootView.layoutIssues.isEmpty)
    driver.resize(rows: 2, columns: 11)
    #expect(application.window.rootView.layoutIssues == [.cut])
    driver.resize(rows: 2, columns: 6)
    #expect(application.window.rootView.layoutIssues == [.cut, .cut])
  }

  @Test func `a path too wide for its rule omits the first steps`() throws {
    let rule = RuleView()
    rule.title = ["Home › ", "alice › ", "Thread"].map { TextRun($0, .strong) }
    rule.optionalRuns = 2
    let (application, driver) = try launch(Arranged([rule]) { _ in .rows([.intrinsic: rule]) }, columns: 27)
    #expect(driver.text.hasPrefix("── Home › alice › Thread ──"))
    driver.resize(rows: 2, columns: 26)
    #expect(driver.text.hasPrefix("── … › alice › Thread ──"))
    driver.resize(rows: 2, columns: 18)
    #expect(driver.text.hasPrefix("── … › Thread ──"))
    #expect(application.window.rootView.layoutIssues.isEmpty)
    driver.resize(rows: 2, columns: 15)
    #expect(application.window.rootView.layoutIssues == [.cut])
  }
}
