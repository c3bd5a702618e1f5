import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The tour of the first start.
@MainActor
@Suite(.bounded) struct TourTests {
  nonisolated static let sizes = [Size(rows: 12, columns: 40), Size(rows: 24, columns: 80)]
  nonisolated static let places: [TourPlace] = [
    .account, .machine, .host(name: "anna@shared.tilde.example"), .visitor(server: "social.tilde.example"),
  ]

  private func isVisitor(_ place: TourPlace) -> Bool { if case .visitor = place { true } else { false } }

  @Test(arguments: sizes, places) func `every page of the tour is visible as a whole`(
    size: Size, place: TourPlace
  ) async throws {
    let isSignedIn = !isVisitor(place)
    let screen = try await Screen.settled(rows: size.rows, columns: size.columns, isSignedIn: isSignedIn)
    screen.main.showTour(of: place)
    await screen.settle()
    let pages = TourWords.pages(isSignedIn: isSignedIn, in: place)
    for (index, page) in pages.enumerated() {
      #expect(screen.line(of: TourWords.title).contains("\(index + 1)/\(pages.count)"), "\(screen.text)")
      // The rows below the rule, with one space between words.
      let words = screen.status.split(separator: " ").joined(separator: " ")
      for line in page { #expect(words.contains(line.words), "\(screen.text)") }
      await screen.press("Space")
    }
    #expect(!screen.text.contains(TourWords.title))
  }

  @Test func `the tour leaves half of a window to the timeline`() async throws {
    for size in Self.sizes {
      let screen = try await Screen.settled(rows: size.rows, columns: size.columns)
      screen.main.showTour(of: .host(name: String(repeating: "long.", count: 400) + "example"))
      await screen.settle()
      let rule = try #require(screen.lines.firstIndex { $0.contains(TourWords.title) })
      #expect(rule == size.rows / 2, "\(screen.text)")
    }
  }
}
