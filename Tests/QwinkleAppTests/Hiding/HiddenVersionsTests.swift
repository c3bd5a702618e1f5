import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Versions in the output of `qwinkle history`.
@Suite(.bounded) struct HiddenVersionsTests {
  private func text(now: String, then: String, filter: String? = nil, reveals: Bool = false) -> String {
    var qwink = Qwink.sample(text: "The boat leaves at ten.")
    qwink.contentWarning = now
    qwink.filterMatches = filter.map { [FilterMatch(id: "1", title: $0, hides: false, contexts: ["home"])] } ?? []
    let version = QwinkVersion(
      createdAt: qwink.createdAt, text: RichText(plain: "The boat leaves at nine."), contentWarning: then)
    return PlainQwink.text(
      version, of: qwink, PlainStyle(now: qwink.createdAt, zone: .gmt, reveals: reveals))
  }

  @Test(arguments: [("Now", "", "Now"), ("", "Then", "Then"), ("Now", "Then", "Then")])
  func `a version stays covered if it or the current qwink has a warning`(now: String, then: String, cover: String) {
    let covered = text(now: now, then: then)
    #expect(covered.contains("⚠ \(cover)") && !covered.contains("boat"), "\(covered)")
    let shown = text(now: now, then: then, reveals: true)
    #expect(shown.contains("boat") && shown.contains("⚠ ") == !then.isEmpty, "\(shown)")
  }

  @Test func `a filter covers a version and its warning`() {
    let words = Disclosure.Cover.filter("Boats").words
    let covered = text(now: "", then: "Then", filter: "Boats")
    #expect(covered.contains(words) && !covered.contains("boat") && !covered.contains("Then"), "\(covered)")
    let shown = text(now: "", then: "Then", filter: "Boats", reveals: true)
    #expect(shown.contains("⚠ \(words)\n⚠ Then\nThe boat"), "\(shown)")
  }
}
