import Terminal
import TerminalTesting
import Testing

@testable import PaneKit
@testable import QwinkleScreens

/// Every screen has room for what it shows, at every size class.
@MainActor
@Suite(.bounded) struct LayoutWalkTests {
  /// Goes to every screen, and looks for what is wrong with its layout.
  private func walk(rows: Int, columns: Int, _ look: (Screen, String) -> Void) async throws {
    let (screen, _) = try await ScreenTour.start(rows: rows, columns: columns)
    var visited: Set<String> = []
    for stop in ScreenTour.stops {
      while let sheet = screen.application.window.topSheet { sheet.dismiss() }
      screen.main.go(to: .public)
      screen.main.go(to: .public)
      stop.go(screen)
      await screen.settle()
      visited.formUnion(screen.controllersWithKeys)
      look(screen, "\(stop.name) at \(columns)x\(rows)")
    }
    #expect(ScreenTour.controllers.subtracting(visited).isEmpty, "some screens were never seen")
  }

  @Test(arguments: [(12, 40), (24, 80), (30, 100), (40, 120), (50, 200)])
  func `nothing is cut, covered or without the room that it needs`(rows: Int, columns: Int) async throws {
    try await walk(rows: rows, columns: columns) { screen, name in
      let root = screen.application.window.rootView
      #expect(!root.hasAmbiguousLayout, "\(name)\n\(root.layoutTrace)\n\(screen.driver.text)")
    }
  }

  @Test(arguments: [(1, 1), (3, 12), (5, 20)])
  func `in a tiny window things are left out or cut, but never covered`(rows: Int, columns: Int) async throws {
    var all: Set<LayoutIssue> = []
    try await walk(rows: rows, columns: columns) { screen, name in
      let root = screen.application.window.rootView
      let issues = Set(root.layoutIssues)
      #expect(issues.isSubset(of: [.cut, .tooSmall]), "\(name)\n\(root.layoutTrace)")
      all.formUnion(issues)
    }
    // The walk sees what there is to see.
    #expect(all == [.cut, .tooSmall])
  }
}
