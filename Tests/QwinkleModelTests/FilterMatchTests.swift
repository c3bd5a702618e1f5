import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@Suite(.bounded) struct FilterMatchTests {
  private static let now = Qwink.sample().createdAt
  private static let film = FilterMatch(id: "1", title: "Film", hides: false, contexts: ["home"])
  private static let sport = FilterMatch(id: "2", title: "Sport", hides: false, contexts: ["public"])

  private func qwink(_ matches: [FilterMatch], quote: Qwink.ID? = nil, _ quoted: [FilterMatch] = []) -> Qwink {
    var qwink = Qwink.sample()
    qwink.filterMatches = matches
    qwink.quote = quote.map { Qwink.Quote(id: $0, author: .sample("ben"), text: RichText(plain: "Quoted")) }
    qwink.quote?.filterMatches = quoted
    return qwink
  }

  private func disclosure(_ qwink: Qwink) -> Disclosure { Disclosure(of: qwink, in: .home, at: Self.now) }

  @Test func `an update preserves the filter matches of a qwink and its quote`() {
    let row = qwink([Self.film], quote: "9", [Self.film, Self.sport])
    let updated = row.updated(by: qwink([], quote: "9", [Self.sport]))
    #expect(updated?.filterMatches == [Self.film])
    #expect(updated?.quote?.filterMatches == [Self.sport, Self.film])
  }

  @Test func `filter matches of a quote are not applied to another quote`() {
    let row = qwink([], quote: "9", [Self.film])
    #expect(row.updated(by: qwink([], quote: "8"))?.quote?.filterMatches == [])
    #expect(row.updated(by: qwink([]))?.quote == nil)
  }

  @Test(arguments: [true, false])
  func `a matching filter takes precedence over the content warning`(hides: Bool) {
    var warned = qwink([FilterMatch(id: "1", title: "Film", hides: hides, contexts: ["home"])])
    warned.contentWarning = "The butler"
    let cover = disclosure(warned).cover
    #expect(cover == .filter("Film"))
    #expect(warned.warning(under: cover) == "The butler")
    warned.filterMatches = [Self.sport]
    let warning = disclosure(warned).cover
    #expect(warning == .warning("The butler"))
    #expect(warned.warning(under: warning) == nil)
  }

  @Test(
    arguments: [
      ("", "", nil), ("Now", "", .warning("Now")), ("", "Then", .warning("Then")), ("Now", "Then", .warning("Then")),
    ] as [(String, String, Disclosure.Cover?)])
  func `a version is covered by its own warning or the current one`(now: String, then: String, cover: Disclosure.Cover?)
  {
    var current = Qwink.sample()
    current.contentWarning = now
    let version = QwinkVersion(createdAt: Self.now, text: current.text, contentWarning: then)
    #expect(Disclosure(of: version, of: current, in: nil, at: Self.now).cover == cover)
    current.filterMatches = [Self.film]
    #expect(Disclosure(of: version, of: current, in: nil, at: Self.now).cover == .filter("Film"))
  }
}
