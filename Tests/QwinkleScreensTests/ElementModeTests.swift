import FoundationEssentials
@testable import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The elements of the screens in ASCII, without colours, in the palette's 16 colours, and in linear form.
@MainActor
@Suite(.bounded) struct ElementModeTests {
  @Test(arguments: Element.all)
  func `an ASCII terminal gets only ASCII characters`(element: Element) async throws {
    let screen = try await element.opened(form: .ascii)
    #expect(screen.text.allSatisfy { $0.isASCII }, "\(screen.text)")
    for words in element.ascii { #expect(screen.text.contains(words), "\(words)\n\(screen.text)") }
  }

  @Test(arguments: Element.all)
  func `an element without colours differs by bold, dim, underlined or reversed text`(element: Element) async throws {
    let screen = try await element.opened(colors: 0)
    #expect(screen.colors == [.standard], "\(screen.colors)")
    expectDistinct(element, on: screen)
  }

  @Test(arguments: Element.all)
  func `a terminal with 16 colours gets only these`(element: Element) async throws {
    let screen = try await element.opened(colors: 16)
    for color in screen.colors where color != .standard {
      if case .palette(0..<16) = color { continue }
      Issue.record("\(color)")
    }
    expectDistinct(element, on: screen)
  }

  @Test(arguments: Element.all)
  func `linear form speaks an element without symbols that draw it`(element: Element) async throws {
    let screen = try await element.opened(isLinear: true)
    let drawing = Set("─━│┌┐└┘├┤┬┴┼▌█▉▊▋▍▎▏░◉○↩↻★▣")
    #expect(screen.said.allSatisfy { !drawing.contains($0) }, "\(screen.said)")
    for words in element.spoken { #expect(screen.said.contains(words), "\(words)\n\(screen.said)") }
  }

  private func expectDistinct(_ element: Element, on screen: Screen) {
    for (one, other) in element.distinct {
      let (first, last) = (screen.styles(of: one), screen.styles(of: other))
      #expect(!first.isEmpty && !last.isEmpty && first.isDisjoint(with: last), "\(one), \(other)\n\(screen.text)")
    }
    for words in element.varying { #expect(screen.styles(of: words).count > 1, "\(words)\n\(screen.text)") }
  }

  /// An element, and the steps that show it.
  struct Element: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var rows = 24
    var columns = 80
    /// The element's text in ASCII.
    var ascii: [String]
    /// Pairs of texts that differ in their style.
    var distinct: [(String, String)] = []
    /// Texts that occur in more than one style.
    var varying: [String] = []
    /// The element's text in linear form.
    var spoken: [String] = []
    var posts = [3, 2, 1].map(ScriptedTimeline.qwink)
    var keys: [String] = []
    var show: @MainActor @Sendable (Screen) async throws -> Void = { _ in }

    @MainActor
    func opened(colors: Int = 256, form: TextForm = .unicode, isLinear: Bool = false) async throws -> Screen {
      let server = ScriptedTimeline(home: [203, 202])
      server.add(posts)
      SlowUploads(on: server).letAllArrive()
      Talk.begin(on: server)
      server.setThread(
        QwinkThread(
          ancestors: [], descendants: [Self.reply(61, to: 3), Self.reply(62, to: 61), Self.reply(63, to: 3)]),
        of: 3)
      let screen = try await Screen.settled(
        server, rows: rows, columns: columns, isLinear: isLinear, colors: colors, form: form)
      await screen.press(keys: keys)
      try await show(screen)
      await screen.settle()
      return screen
    }

    private static func reply(_ number: Int, to parent: Int) -> Qwink {
      var qwink = ScriptedTimeline.qwink(number)
      qwink.inReplyTo = Qwink.ID("\(parent)")
      return qwink
    }
  }
}

extension ElementModeTests.Element {
  private static func post(_ change: (inout Qwink) -> Void) -> [Qwink] {
    var qwink = ScriptedTimeline.qwink(3)
    change(&qwink)
    return [qwink, ScriptedTimeline.qwink(2)]
  }

  private static let links = RichText([
    .init([
      .init("See "), .init(address, kind: .link(url: address)), .init(" by "),
      .init("@bob", kind: .mention(url: "https://tilde.example/@bob")), .init(" and look at it"),
    ])
  ])
  private static let address = "https://example.org/archive/2026/november/the-boats/and-the-harbour/and-the-quay/map"

  static let all: [Self] = [
    Self(
      testDescription: "selection", ascii: ["\n|     Qwink 3"], distinct: [("@dana", "@carol")],
      spoken: ["@dana", "Qwink 3"]),
    Self(
      testDescription: "panes", rows: 40, columns: 160, ascii: ["-+-- Home", "|-- Notifications", "-+-- Messages"],
      varying: ["▌"], spoken: ["Home"], keys: ["^W", "v", "^W", "s", "^W", "k"]),
    Self(
      testDescription: "conversations below", rows: 40, ascii: ["-- Messages", "Bring coffee."],
      distinct: [("•", "@dana")]),
    Self(
      testDescription: "conversations", ascii: ["Bring coffee."], distinct: [("•", "@dana")],
      spoken: ["unread: Bob"], keys: ["3"]),
    Self(testDescription: "chat", ascii: ["> "], spoken: ["Bob, 23:50: Bring coffee."], keys: ["3", "Enter"]),
    Self(
      testDescription: "files of a message", ascii: ["+ quay.png", "> See the quay"], spoken: ["quay.png"],
      keys: ["3", "Enter"],
      show: { screen in
        let folder = UploadFolder()
        let path = try folder.write("quay.png", mark: "quay")
        screen.type("See the quay")
        await screen.press("^X", "a")
        screen.type(path)
        await screen.press("Enter", "Esc")
      }),
    Self(
      testDescription: "links", ascii: ["example.org/archive/", "/~/", "@bob"],
      distinct: [("example.org", "See"), ("@bob", "look")], spoken: ["See example.org/archive/"],
      posts: post { $0.text = links }),
    Self(
      testDescription: "link card", ascii: ["> example.org . The map"], spoken: ["link: example.org · The map"],
      posts: post { $0.card = Qwink.Card(url: "https://example.org/map", title: "The map") }),
    Self(
      testDescription: "text sheet", ascii: ["line 150", "-- output --"], distinct: [("line 150", "line 149")],
      spoken: ["line 150"],
      show: { screen in
        let text = (1...200).map { "line \($0)" }.joined(separator: "\n")
        screen.main.present(OutputSheet(title: "output", text: text))
        await screen.turn()
        await screen.press("/")
        screen.type("line 150")
        await screen.press("Enter")
      }),
    Self(
      testDescription: "index", ascii: ["<2   %3   *4", "dana           < Qwink 3"], distinct: [("dana", "carol")],
      spoken: ["2 replies, 3 boosts, 4 favourites"],
      posts: post {
        $0.inReplyTo = "1"
        ($0.repliesCount, $0.boostsCount, $0.favouritesCount) = (2, 3, 4)
      }, keys: ["g", "z", "g", "z"]),
    Self(
      testDescription: "poll", ascii: ["* tmux    ##", "o zellij  ##", "..", "29 votes . ends in"],
      distinct: [("◉", "○")], spoken: ["your vote: tmux, 62 %, 18 votes", "\nzellij, 38 %, 11 votes"],
      posts: post {
        $0.poll = Poll(
          id: "1", options: [.init(title: "tmux", votesCount: 18), .init(title: "zellij", votesCount: 11)],
          expiresAt: ScriptedTimeline.start.addingTimeInterval(7300), votesCount: 29, hasVoted: true, ownVotes: [0])
      }),
    Self(
      testDescription: "thread", ascii: ["|-", "`-"], distinct: [("@bob", "@carol")],
      spoken: ["\(ThreadWords.reply(depth: 1)): ", "\(ThreadWords.reply(depth: 2)): "],
      show: { screen in
        await screen.press("Enter")
        await screen.pass(.milliseconds(300))
        await screen.press("j", "j")
      }),
  ]
}

extension Screen {
  /// The colours of the visible text and its background.
  fileprivate var colors: Set<TerminalColor> {
    Set(cells.flatMap { $0 }.flatMap { [$0.style.foreground, $0.style.background] })
  }

  private var cells: [ArraySlice<Cell>] {
    driver.frames.last.map { frame in (0..<frame.grid.size.rows).map { frame.grid.row($0) } } ?? []
  }

  /// The styles of the first characters of all occurrences of `words`.
  fileprivate func styles(of words: String) -> Set<TextStyle> {
    Set(
      cells.flatMap { row in
        let text = row.map { $0.text }.joined()
        return text.ranges(of: words).map { range in
          row[row.startIndex + text.distance(from: text.startIndex, to: range.lowerBound)].style
        }
      })
  }

  fileprivate func press(keys: [String]) async {
    for key in keys { await press(key) }
  }
}
