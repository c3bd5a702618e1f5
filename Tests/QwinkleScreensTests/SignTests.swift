import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Symbols next to qwinks.
@MainActor
@Suite(.bounded) struct SignTests {
  private static let draft = QwinkSign.draft.rawValue

  private func signs(_ change: (inout Qwink) -> Void, isRevealed: Bool = false, hasDraft: Bool = false) -> [String] {
    var qwink = Qwink.sample(text: "Hello there")
    change(&qwink)
    let data = QwinkCellData(qwink, isRevealed: isRevealed, hasDraft: hasDraft, now: qwink.createdAt, zone: .gmt)
    return QwinkMeta(data).flowingWithoutTime.map(\.text).filter { $0 != "  " }
  }

  @Test func `every symbol has a safe width and is explained in the help`() async throws {
    for sign in QwinkSign.allCases {
      for scalar in sign.rawValue.unicodeScalars where !scalar.isASCII {
        #expect(DisplayWidth.columns(of: String(scalar)) == 1)
        #expect(!scalar.properties.isEmojiPresentation, "\(sign)")
      }
    }
    let screen = try await Screen.settled(ScriptedTimeline([1]), rows: 480)
    await screen.press("?")
    for sign in QwinkSign.allCases {
      #expect(screen.lines.contains { $0.contains(sign.rawValue) && $0.contains(withKeys(sign.meaning)) }, "\(sign)")
    }
  }

  @Test func `each visibility except public has a symbol`() {
    #expect(signs { $0.visibility = .public } == [])
    #expect(signs { $0.visibility = .unlisted } == ["◌"])
    #expect(signs { $0.visibility = .private } == ["◍"])
    #expect(signs { $0.visibility = .direct } == ["@"])
    #expect(signs { $0.isAudienceUnclear = true } == ["◍?"])
  }

  @Test func `edits and drafts have symbols`() {
    #expect(signs { $0.editedAt = $0.createdAt } == ["✎"])
    #expect(signs({ $0.repliesCount = 2 }, hasDraft: true) == [Self.draft, "↩2"])
  }

  @Test func `pictures and polls have symbols only behind a warning`() {
    func warned(_ qwink: inout Qwink) {
      qwink.contentWarning = "Film"
      qwink.attachments = ["1", "2", "3"].map { Attachment(id: $0, kind: .image) }
      qwink.poll = Poll(id: "1", options: [.init(title: "Yes"), .init(title: "No")])
    }
    #expect(signs(warned) == ["▣ 3", "◔"])
    #expect(signs(warned, isRevealed: true) == [])
  }

  @Test func `the symbols are before the time in all densities`() {
    var qwink = Qwink.sample(text: "Hello there")
    qwink.visibility = .unlisted
    qwink.repliesCount = 2
    qwink.boostsCount = 1
    qwink.editedAt = qwink.createdAt
    let data = QwinkCellData(qwink, isRevealed: false, hasDraft: true, now: qwink.createdAt, zone: .gmt)
    func trailing(_ density: Density) -> String {
      QwinkCellLayout(data, columns: 100, density: density).lines[0].trailing.map(\.text).joined()
    }
    for density in Density.allCases {
      #expect(trailing(density) == "◌  \(Self.draft)  ✎    ↩2   ↻1       now", "\(density)")
    }
  }

  @Test func `symbols are words in linear form`() {
    var qwink = Qwink.sample(text: "Hello there")
    qwink.visibility = .direct
    qwink.contentWarning = "Film"
    qwink.attachments = [Attachment(id: "1", kind: .image)]
    qwink.editedAt = qwink.createdAt
    qwink.isBookmarked = true
    let data = QwinkCellData(qwink, isRevealed: false, hasDraft: true, now: qwink.createdAt, zone: .gmt)
    let signs = [QwinkSign.draft, .bookmark, .edited].map(\.word).joined(separator: ", ")
    for density in [Density.compact, .comfortable] {
      let words = QwinkCell(data, density: density).words(forColumns: 80)?.first
      #expect(words == "alice @alice, \(QwinkSign.direct.word), 1 attachment, \(signs), now")
    }
  }

  @Test func `an unfinished reply is marked at its qwink until it is sent`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server, in: folder)
    #expect(!screen.text.contains(Self.draft))
    await screen.press("j", "r")
    screen.type("Half a thought")
    await screen.press("Esc")
    await screen.settle()
    #expect(screen.lines.count { $0.contains(Self.draft) } == 1)
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains(Self.draft) })
    screen.account.outgoing?.close()

    let second = try await Screen.settled(server, in: folder)
    #expect(second.lines.count { $0.contains(Self.draft) } == 1)
    await second.press("j", "Enter")
    #expect(second.text.contains(Self.draft), "the thread says it too")
    await second.press("r", "^D")
    await second.settle()
    #expect(server.posted.count == 1)
    await second.press("q")
    #expect(!second.text.contains(Self.draft))
  }
}
