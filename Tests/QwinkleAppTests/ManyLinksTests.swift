import Foundation
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// The time to print a qwink with many links must grow linearly, not quadratically.
@MainActor
@Suite(.bounded) struct ManyLinksTests {
  private func qwink(_ count: Int, shows: Bool) -> Qwink {
    let spans = (0..<count).flatMap { number in
      let url = "https://example.org/page/\(number)"
      return [RichText.Span(shows ? url : "page \(number)", kind: .link(url: url)), RichText.Span(" and ")]
    }
    var qwink = Qwink.sample(id: "1", text: "")
    qwink.text = RichText([.init(spans)])
    return qwink
  }

  @Test(arguments: [true, false]) func `printing time grows linearly with the number of links`(shows: Bool) {
    let growth = Effort.growth(from: 400) {
      qwink($0, shows: shows)
    } _: { qwink in
      let text = PlainQwink.text(qwink, in: .home, PlainStyle(now: qwink.createdAt, zone: .gmt))
      _ = TerminalHyperlinks.added(to: text)
    }
    #expect(growth < 9)
  }

  @Test func `only links with hidden addresses are listed below the text`() {
    var qwink = qwink(3, shows: true)
    qwink.text.paragraphs[0].spans += [
      .init("here", kind: .link(url: "https://example.org/hidden")),
      .init("(https://example.org/shown)", kind: .link(url: "https://example.org/shown")),
      .init("part", kind: .link(url: "https://example.org/page")),
    ]
    let lines = PlainQwink.body(of: qwink, in: .home, PlainStyle(now: qwink.createdAt, zone: .gmt)).filter {
      $0.hasPrefix("→")
    }
    #expect(lines == ["→ https://example.org/hidden"])
  }
}
