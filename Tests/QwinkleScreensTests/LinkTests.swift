import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct LinkTests {
  private let navigator = RecordingNavigator()
  private let opener = RecordingOpener()

  private func links(on screen: Screen, hasPages: Bool = true) throws -> LinkActions {
    let links = LinkActions(account: screen.account, opener: opener, keymap: try Screen.keymap(), hasPages: hasPages)
    links.navigator = navigator
    return links
  }

  private func qwink(_ spans: RichText.Span..., change: (inout Qwink) -> Void = { _ in }) -> Qwink {
    var qwink = Qwink.sample()
    qwink.text = RichText([.init(spans)])
    change(&qwink)
    return qwink
  }

  private static func link(_ text: String, _ url: String) -> RichText.Span { .init(text, kind: .link(url: url)) }

  // MARK: Links of a qwink

  @Test func `links are listed first in their numbered order and other targets follow`() {
    let qwink = qwink(
      Self.link("example.org/b", "https://example.org/b"), Self.link("the ", "https://example.org/a"),
      Self.link("kiosk", "https://example.org/a"), Self.link("write me", "mailto:x@example.org")
    ) {
      $0.card = .init(url: "https://example.org/c", title: "A card")
      $0.attachments = [.init(id: "1", kind: .image, url: "https://files.example/1.png", altText: "a kiosk at night")]
      $0.mentions = [.init(id: "7", userName: "bob", handle: "bob@example.org")]
      $0.tags = ["garden"]
      $0.url = "https://tilde.example/@alice/1"
    }
    let entries = QwinkLinks(qwink).entries
    #expect(
      entries.map(\.words) == [
        "example.org/b", "example.org/a", "mailto:x@example.org", "example.org/c",
        "▣ \(AttachmentWords.word(.image))", "@bob@example.org", "#garden", "tilde.example/@alice/1",
      ])
    #expect(entries.map(\.remark).prefix(5) == ["", "the kiosk", "write me", "A card", "a kiosk at night"])
    #expect(QwinkLinks(qwink, hasPage: false).entries.count == 7)
    #expect(QwinkLinks(qwink).only == nil)
  }

  @Test func `the number of a link is on the line where the link begins`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(1)
    let url = "https://example.org/a/map/of/every/kiosk/here"
    qwink.text = RichText([.init([Self.link("the map", url), .init(" of all")])])
    server.replace(with: [qwink])
    let screen = try await Screen.settled(server, columns: 40)
    await screen.press("Enter")
    #expect(screen.text.contains("[1] https://example.org/a/"))
  }

  // MARK: Opening at once

  @Test func `a single link opens in the browser and is named in the status`() async throws {
    let screen = try await Screen.settled()
    let qwink = qwink(Self.link("the kiosk", "https://example.org/kiosk")) {
      $0.url = "https://tilde.example/@alice/1"
    }
    try links(on: screen).open(qwink, over: screen.main)
    #expect(opener.opened == ["https://example.org/kiosk"])
    #expect(navigator.words == [LinkWords.openingInBrowser("example.org/kiosk")])
    #expect(screen.application.window.topSheet == nil)
  }

  @Test func `a link with a tag is listed by o and opened at once by O`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(1)
    qwink.text = RichText([.init([Self.link("the kiosk", "https://example.org/kiosk")])])
    qwink.tags = ["garden"]
    server.replace(with: [qwink])
    let screen = try await Screen.settled(server)
    await screen.press("o")
    #expect(screen.text.contains("1  example.org/kiosk") && screen.text.contains("2  #garden"))
    await screen.press("q", "O")
    #expect(screen.opener.opened == ["https://example.org/kiosk"])
    #expect(screen.application.window.topSheet == nil)
  }

  @Test func `O lists the links if the first one is misleading`() async throws {
    let screen = try await Screen.settled()
    let qwink = qwink(
      Self.link("bank.example", "https://evil.example/x"), Self.link("there", "https://example.org/b"))
    try links(on: screen).open(qwink, choice: .first, over: screen.main)
    await screen.turn()
    #expect(opener.opened.isEmpty && screen.text.contains("2  example.org/b"))
  }

  @Test func `a qwink without links opens its page, if any`() async throws {
    let screen = try await Screen.settled()
    let qwink = qwink(.init("Hello")) { $0.url = "https://tilde.example/@alice/1" }
    try links(on: screen).open(qwink, over: screen.main)
    #expect(opener.opened == ["https://tilde.example/@alice/1"])
    try links(on: screen, hasPages: false).open(qwink, over: screen.main)
    #expect(opener.opened.count == 1)
    #expect(navigator.words.last == LinkWords.none)
  }

  @Test func `a picture opens in the viewer and a page in the browser`() async throws {
    let screen = try await Screen.settled()
    let picture = qwink(.init("Look")) {
      $0.attachments = [.init(id: "1", kind: .image, url: "https://files.example/1.png")]
    }
    try links(on: screen, hasPages: false).open(picture, over: screen.main)
    try links(on: screen).open(qwink(.init("Hello")) { $0.url = "https://tilde.example/@alice/1" }, over: screen.main)
    #expect(opener.opened == ["https://files.example/1.png", "https://tilde.example/@alice/1"])
    #expect(opener.programs == [.viewer, .browser])
    #expect(navigator.words.first == LinkWords.opening("files.example/1.png"))
  }

  @Test(arguments: [URLOpenerError.noBrowser, .cannotStart(.browser, "firefox")])
  func `the whole address is shown if no browser can start`(failure: URLOpenerError) async throws {
    let screen = try await Screen.settled()
    opener.failure = failure
    try links(on: screen).open(qwink(Self.link("kiosk", "https://example.org/kiosk?a=b")), over: screen.main)
    #expect(navigator.words == [LinkWords.notOpened(failure.sentence, link: "https://example.org/kiosk?a=b")])
  }

  @Test func `a long address is copied if no browser can start`() async throws {
    let url = "https://example.org/" + String(repeating: "long/", count: 40) + "ö"
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(1)
    qwink.text = RichText([.init([Self.link("there", url)])])
    var mail = ScriptedTimeline.qwink(2)
    mail.text = RichText([
      .init([Self.link("write", "mailto:x@example.org?subject=" + String(repeating: "y", count: 60))])
    ])
    server.replace(with: [qwink, mail])
    let screen = try await Screen.settled(server)
    screen.opener.failure = .noBrowser
    await screen.press("o")
    #expect(screen.driver.copied == ["https://example.org/" + String(repeating: "long/", count: 40) + "%C3%B6"])
    let noBrowser = URLOpenerError.noBrowser.sentence
    #expect(screen.status.contains("\(noBrowser) \(MainWords.copied): https://example.org/long"))
    await screen.press("j", "o")
    #expect(screen.driver.copied.last?.hasPrefix("mailto:x@example.org?subject=yyy") == true)
    #expect(
      screen.status.contains("\(LinkWords.otherScheme) \(MainWords.copied): mailto:"), "\(screen.status)")
  }

  @Test func `an address with an unsupported scheme is shown but not opened`() async throws {
    let screen = try await Screen.settled()
    try links(on: screen).open(qwink(Self.link("call", "tel:+123")), over: screen.main)
    #expect(opener.opened.isEmpty)
    #expect(navigator.words.last?.contains("tel:+123") == true)
  }

  // MARK: Covered links

  @Test(arguments: [true, false])
  func `links covered by a warning or filter can't be opened before z`(isFilter: Bool) async throws {
    let screen = try await Screen.settled()
    let links = try links(on: screen)
    let qwink = qwink(Self.link("the kiosk", "https://example.org/kiosk")) {
      $0.url = "https://tilde.example/@alice/1"
      if isFilter {
        $0.filterMatches = [FilterMatch(id: "1", title: "Kiosks", hides: false, contexts: ["public"])]
      } else {
        $0.contentWarning = "Kiosks"
      }
    }
    links.open(qwink, over: screen.main)
    #expect(opener.opened.isEmpty && screen.application.window.topSheet == nil)
    #expect(navigator.words == [LinkWords.covered("z")])
    screen.account.timelines.toggleReveal(qwink)
    links.open(qwink, over: screen.main)
    #expect(opener.opened == ["https://example.org/kiosk"])
  }

  @Test(arguments: Qwink.Quote.State.allCases)
  func `a withheld quote is no link`(state: Qwink.Quote.State) {
    let quote = Qwink.Quote(id: "8", author: .sample("ben"), text: RichText(plain: "Quoted"), state: state)
    let qwink = qwink(.init("Hello")) { $0.quote = quote }
    let disclosure = QuoteDisclosure(of: quote, in: nil, at: qwink.createdAt)
    let words = QwinkLinks(qwink, quote: disclosure).entries.map(\.words)
    #expect(words == (state == .accepted ? ["❝ @ben"] : []))
  }

  // MARK: Choosing

  @Test func `several links are chosen by number or by selection`() async throws {
    let screen = try await Screen.settled()
    let links = try links(on: screen)
    let qwink = qwink(
      Self.link("example.org/a", "https://example.org/a"), Self.link("example.org/b", "https://example.org/b"))
    links.open(qwink, over: screen.main)
    await screen.turn()
    #expect(screen.text.contains("1  example.org/a") && screen.text.contains("2  example.org/b"))
    screen.strike("2")
    #expect(opener.opened == ["https://example.org/b"])
    #expect(screen.application.window.topSheet == nil)

    links.open(qwink, over: screen.main)
    screen.strike("3", "j", "k", "Enter")
    #expect(opener.opened.last == "https://example.org/a")
    links.open(qwink, over: screen.main)
    screen.strike("q")
    #expect(opener.opened.count == 2 && screen.application.window.topSheet == nil)
    links.open(qwink, over: screen.main)
    screen.strike("j", "y")
    #expect(navigator.copied == ["https://example.org/b"])
  }

  @Test func `a link whose text names another host is never opened directly`() async throws {
    let screen = try await Screen.settled()
    let links = try links(on: screen)
    links.open(qwink(Self.link("bank.example/login", "https://evil.example/x")), over: screen.main)
    await screen.turn()
    #expect(opener.opened.isEmpty)
    #expect(screen.text.contains("1  evil.example/x  \(LinkWords.misnamed)bank.example/login"))
    screen.strike("1")
    #expect(opener.opened == ["https://evil.example/x"])
  }

  @Test func `a non-ASCII host is shown with its ASCII form, which is opened`() async throws {
    let screen = try await Screen.settled()
    let links = try links(on: screen)
    let qwink = qwink(
      Self.link("bücher.example/ä", "https://bücher.example/ä"), Self.link("there", "https://example.org/ö"))
    links.open(qwink, over: screen.main)
    await screen.turn()
    #expect(screen.text.contains("1  bücher.example (xn--bcher-kva.example)/ä"))
    screen.strike("1")
    #expect(opener.opened == ["https://xn--bcher-kva.example/%C3%A4"])
    #expect(navigator.words.last?.contains("bücher.example (xn--bcher-kva.example)/ä") == true)
    links.open(qwink, over: screen.main)
    screen.strike("j", "y")
    #expect(navigator.copied == ["https://example.org/%C3%B6"])
  }

  @Test func `a link whose text ends within its host is shown before it is opened`() async throws {
    let screen = try await Screen.settled()
    try links(on: screen).open(qwink(Self.link("bank.co…", "https://bank.com.evil.example/")), over: screen.main)
    await screen.turn()
    #expect(opener.opened.isEmpty && screen.text.contains("1  bank.com.evil.example"))
  }

  @Test func `an invalid host is shown and not opened`() async throws {
    let screen = try await Screen.settled()
    let url = "https://-ü.example/x"
    try links(on: screen).open(qwink(Self.link("there", url)), over: screen.main)
    #expect(opener.opened.isEmpty)
    #expect(navigator.words.last == LinkWords.notOpened(LinkWords.badHost, link: url))
  }

  @Test func `the text of a qwink shows the host of a link that claims another one`() async throws {
    var lie = ScriptedTimeline.qwink(2)
    lie.url = "https://tilde.example/@carol/ö"
    lie.text = RichText([
      .init([.init("See "), Self.link("https://bank.example", "https://evil.example/x"), .init(" soon")])
    ])
    var foreign = ScriptedTimeline.qwink(1)
    foreign.text = RichText([.init([Self.link("bücher.example", "https://bücher.example/")])])
    let server = ScriptedTimeline()
    server.replace(with: [lie, foreign])
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains("See https://bank.example [evil.example] soon"))
    #expect(screen.text.contains("bücher.example (xn--bcher-kva.example)"))
    await screen.press("y")
    #expect(screen.driver.copied == ["https://tilde.example/@carol/%C3%B6"])
    #expect(screen.status.contains("\(MainWords.copied): https://tilde.example/@carol/%C3%B6"))
  }

  @Test func `a tag opens its timeline and a mention its profile`() async throws {
    let screen = try await Screen.settled()
    screen.server.setAnswer(WireEncoder.qwinker(.sample("bob", id: "7")), of: "/api/v1/accounts/7")
    let links = try links(on: screen)
    let qwink = qwink(.init("Hello")) {
      $0.tags = ["garden"]
      $0.mentions = [.init(id: "7", userName: "bob", handle: "bob")]
    }
    links.open(qwink, over: screen.main)
    screen.strike("2")
    #expect(navigator.places == [.timeline(.tag("garden"))])
    links.open(qwink, over: screen.main)
    await screen.press("1")
    guard case .qwinker(let bob) = navigator.places.last else { return #expect(Bool(false), "\(navigator.places)") }
    #expect(bob.id == "7" && bob.userName == "bob")
  }

  @Test func `entries beyond the visible rows and digits are reached by moving`() async throws {
    let screen = try await Screen.settled(rows: 12, columns: 40)
    let qwink = qwink(.init("Hello")) { $0.tags = (1...30).map { "tag\($0)" } }
    let links = try links(on: screen)
    links.open(qwink, over: screen.main)
    screen.strike("G", "Enter")
    #expect(navigator.places == [.timeline(.tag("tag30"))])
  }

  // MARK: Clicking

  /// Presses the mouse button on the first visible occurrence of `text`.
  private func click(_ text: String, on screen: Screen) async throws {
    let row = try #require(screen.lines.firstIndex { $0.contains(text) }, "\(screen.text)")
    let before = try #require(screen.lines[row].firstRange(of: text)).lowerBound
    screen.driver.mouse(.press, row: row, column: screen.lines[row][..<before].count + 1)
    await screen.settle()
  }

  private func clickable() async throws -> Screen {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(1)
    qwink.text = RichText([
      .init([
        .init("See "), Self.link("the map of every boat", "https://example.org/map"), .init(", "),
        .init("@dora", kind: .mention(url: "https://tilde.example/@dora")), .init(", "),
        .init("#frost", kind: .tag(name: "frost")), .init(" "), Self.link("bank.example", "https://evil.example/x"),
        .init(" end"),
      ])
    ])
    qwink.mentions = [.init(id: "7", userName: "dora", handle: "dora", url: "https://tilde.example/@dora")]
    server.replace(with: [ScriptedTimeline.qwink(2), qwink])
    server.setAnswer(WireEncoder.qwinker(.sample("dora", id: "7")), of: "/api/v1/accounts/7")
    return try await Screen.settled(server, columns: 40)
  }

  @Test func `a click on a link opens it, also in the row below`() async throws {
    let screen = try await clickable()
    try await click("See the", on: screen)
    #expect(screen.selected == nil && screen.opener.opened.isEmpty)
    try await click("the map", on: screen)
    try await click("boat", on: screen)
    #expect(screen.opener.opened == ["https://example.org/map", "https://example.org/map"])
  }

  @Test func `a click on a mention opens the profile and on a tag its timeline`() async throws {
    let screen = try await clickable()
    try await click("@dora", on: screen)
    #expect(screen.way.contains("@dora"), "\(screen.text)")
    await screen.press("q")
    try await click("#frost", on: screen)
    #expect(screen.way.contains("#frost"), "\(screen.text)")
  }

  @Test func `a click on a misleading link shows its address first`() async throws {
    let screen = try await clickable()
    try await click("bank.example", on: screen)
    #expect(screen.opener.opened.isEmpty)
    #expect(screen.text.contains("1  evil.example/x") && !screen.text.contains("1  example.org"))
    await screen.press("Enter")
    #expect(screen.opener.opened == ["https://evil.example/x"])
  }

  // MARK: The server's own addresses

  @Test func `an address on the user's server opens here if the server finds it`() async throws {
    let screen = try await Screen.settled()
    let found = Qwink.sample(id: "9", text: "Found")
    screen.server.setAnswer(WireEncoder.searchResults(SearchResults(qwinks: [found])), of: "/api/v2/search")
    let url = "https://\(ScriptedTimeline.host)/@alice/9"
    let links = try links(on: screen)
    links.open(qwink(Self.link(url, url)), over: screen.main)
    await screen.settle()
    guard case .thread(let qwink) = navigator.places.last else { return #expect(Bool(false), "\(navigator.places)") }
    #expect(qwink.id == "9" && opener.opened.isEmpty)
  }

  @Test func `an address that the user's server doesn't find opens in the browser`() async throws {
    let screen = try await Screen.settled()
    let url = "https://\(ScriptedTimeline.host)/about"
    let links = try links(on: screen)
    links.open(qwink(Self.link(url, url)), over: screen.main)
    await screen.settle()
    #expect(opener.opened == [url] && navigator.places.isEmpty)
  }

  // MARK: Copying

  @Test func `the whole address of a qwink is copied`() async throws {
    let screen = try await Screen.settled()
    let qwink = qwink(.init("Hello")) { $0.url = "https://tilde.example/@alice/1" }
    try links(on: screen).copy(qwink)
    #expect(navigator.copied == ["https://tilde.example/@alice/1"])
    try links(on: screen, hasPages: false).copy(qwink)
    #expect(navigator.copied.count == 1)
    #expect(navigator.words.last == LinkWords.qwinkWithoutAddress)
  }
}
