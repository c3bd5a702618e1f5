import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// A qwink may have any number of links: the time to show it must grow linearly, not quadratically.
@MainActor
@Suite(.bounded) struct ManyLinksTests {
  @Test(arguments: ["", " "]) func `a qwink with many links is laid out in linear time`(space: String) {
    let growth = Effort.growth(from: 500) { count in
      let spans = (0..<count).flatMap { number in
        [
          RichText.Span("link\(number)", kind: .link(url: "https://example.org/\(number)")),
          RichText.Span("and" + space),
        ]
      }
      var qwink = Qwink.sample(id: "1", text: "")
      qwink.text = RichText([.init(spans)])
      return qwink
    } _: { qwink in
      let data = QwinkCellData(qwink, isRevealed: true, now: Date(timeIntervalSince1970: 0), zone: .gmt)
      _ = QwinkCellLayout(data, columns: 80)
    }
    #expect(growth < 9)
  }
}
