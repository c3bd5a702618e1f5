import Terminal
import TerminalTesting
import Testing

@testable import PaneKit
@testable import QwinkleScreens

/// Every screen fits its content at every size class.
@MainActor
@Suite(.bounded) struct LayoutWalkTests {
  /// Opens every screen and passes it to `look`.
  private func walk(rows: Int, columns: Int, _ look: (Screen, String) -> Void) async throws {
    let (screen, _) = try await ScreenTour.start(rows: rows, columns: columns)
    var visited: Set<String> = []
    for stop in ScreenTour.stops {
      await stop.visit(screen)
      visited.formUnion(screen.controllersWithKeys)
      look(screen, "\(stop.name) at \(columns)x\(rows)")
    }
    #expect(ScreenTour.controllers.subtracting(visited).isEmpty, "some screens were never seen")
  }

  @Test(arguments: [(12, 40), (24, 80), (30, 100), (40, 120), (50, 200)])
  func `no view is cut, covered or too small`(rows: Int, columns: Int) async throws {
    try await walk(rows: rows, columns: columns) { screen, name in
      let root = screen.application.window.rootView
      #expect(!root.hasAmbiguousLayout, "\(name)\n\(root.layoutTrace)\n\(screen.driver.text)")
    }
  }

  @Test(arguments: [(1, 1), (3, 12), (5, 20)])
  func `a tiny window cuts or omits views but never covers them`(rows: Int, columns: Int) async throws {
    var all: Set<LayoutIssue> = []
    try await walk(rows: rows, columns: columns) { screen, name in
      let root = screen.application.window.rootView
      let issues = Set(root.layoutIssues)
      #expect(issues.isSubset(of: [.cut, .tooSmall]), "\(name)\n\(root.layoutTrace)")
      all.formUnion(issues)
    }
    // Confirms that the walk can find issues.
    #expect(all.contains(.cut) && all.isSubset(of: [.cut, .tooSmall]))
  }
}
