import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Handles next to, or instead of, display names that are long or look like handles.
@MainActor
@Suite(.bounded) struct NameAndHandleTests {
  /// A cell with a user's name.
  enum Place: String, CaseIterable, Sendable {
    case qwink, compactQwink, whole, quoted, versions, follow, compactFollow, request, qwinker, profile, conversation
    case compactConversation
    case boost, compactBoost, wholeBoost, mention, compactMention, grouped, groupConversation, chat, compactChat
    case replyQuote

    /// Whether a handle is shown next to any name.
    var alwaysHasHandle: Bool {
      switch self {
      case .qwink, .whole, .quoted, .versions, .follow, .compactFollow, .request, .qwinker, .profile, .conversation,
        .compactConversation:
        true
      default: false
      }
    }
  }

  nonisolated private static let handle = "@mallory@evil.example"
  nonisolated private static let columns = [40, 60, 80, 120, 200]
  nonisolated private static let handleLikeNames = [
    "Anna @anna@bank.example" + String(repeating: " .", count: 120), "Anna \u{FF20}anna", "\u{FE6B}anna",
  ]
  nonisolated private static let longName = String(repeating: "Anna Berg ", count: 30) + "x"

  private func mallory(_ name: String) -> Qwinker {
    var qwinker = Qwinker.sample("mallory", displayName: name)
    qwinker.handle = String(Self.handle.dropFirst())
    qwinker.followersCount = 1204
    return qwinker
  }

  // MARK: Cells

  @Test(arguments: Place.allCases)
  func `a handle is shown whole on screen and in linear form if the name looks like one`(place: Place) throws {
    for name in Self.handleLikeNames {
      for columns in Self.columns { try expectHandle(of: mallory(name), at: place, columns: columns) }
    }
  }

  @Test(arguments: Place.allCases.filter(\.alwaysHasHandle))
  func `a long name is truncated before the handle`(place: Place) throws {
    for columns in Self.columns {
      let rows = try expectHandle(of: mallory(Self.longName), at: place, columns: columns)
      #expect(rows.contains { $0.contains("Anna") && $0.contains("…") }, "\(columns) columns: \(rows)")
    }
  }

  @Test func `a compact cell shows a plain name without its handle`() throws {
    let cell = cell(of: mallory("Anna"), at: .compactQwink, columns: 80)
    let rows = try DrawnCell(cell, columns: 80).rows
    #expect(rows.contains { $0.contains("Anna") } && !rows.joined().contains(Self.handle), "\(rows)")
  }

  @Test(
    arguments: [
      (["Anna"], 40, "↻ boosted by Anna"),
      (["Anna", "Ben"], 40, "↻ boosted by Anna and Ben"),
      (["Anna", "Ben", "Cleo"], 40, "↻ boosted by Anna and 2 more"),
      (["Anna Berg", "Benedict"], 27, "↻ boosted by An… and 1 more"),
      (["Anna Berg", "Benedict"], 34, "↻ boosted by Anna Berg and 1 more"),
      (["Anna Berg", "Benedict"], 35, "↻ boosted by Anna Berg and Benedict"),
      (["@anna@far.example", "Ben", "Cleo"], 40, "↻ @anna@far.example and 2 more"),
      (["@anna@far.example", "Ben", "Cleo"], 25, "↻ @anna@far.example"),
      (["Anna Berg"], 20, "↻ boosted by Anna B…"),
    ])
  func `boosters are named as far as they fit`(names: [String], columns: Int, line: String) {
    let text = NameAndHandle.boosted(by: names, columns: columns).map(\.text).joined()
    #expect(text == line)
  }

  @discardableResult
  private func expectHandle(of qwinker: Qwinker, at place: Place, columns: Int) throws -> [String] {
    let cell = cell(of: qwinker, at: place, columns: columns)
    let rows = try DrawnCell(cell, columns: columns).rows
    #expect(rows.contains { $0.contains(Self.handle) }, "\(columns) columns: \(rows)")
    if let words = cell.words(forColumns: columns) {
      #expect(words.contains { $0.contains(Self.handle) }, "\(columns) columns: \(words)")
    }
    return rows
  }

  private func cell(of qwinker: Qwinker, at place: Place, columns: Int) -> any ListCell {
    let written = qwink(by: qwinker)
    var boosted = qwink(by: .sample("bob", displayName: "Bob"))
    boosted.booster = qwinker
    switch place {
    case .qwink: return QwinkCell(data(written))
    case .compactQwink: return QwinkCell(data(written), density: .compact)
    case .boost: return QwinkCell(data(boosted))
    case .compactBoost: return QwinkCell(data(boosted), density: .compact)
    case .whole: return WholeQwinkCell(whole(written))
    case .wholeBoost: return WholeQwinkCell(whole(boosted))
    case .quoted:
      var quoting = qwink(by: .sample("bob", displayName: "Bob"))
      quoting.quote = Qwink.Quote(id: "9", author: qwinker, text: RichText(plain: "Quoted"))
      return WholeQwinkCell(whole(quoting))
    case .versions:
      let version = QwinkVersion(createdAt: ScriptedTimeline.start, text: RichText(plain: "Hello"))
      let paragraphs = VersionWords.paragraphs(EditHistory([version]), of: written, zone: .gmt, columns: columns - 3)
      return LinesCell { columns in
        paragraphs.flatMap { TextLayout.wrapParagraph($0, columns: columns - 3) }
          .map { CellLine(column: 1, runs: $0) }
      }
    case .follow: return notification(.follow, by: [qwinker])
    case .compactFollow: return notification(.follow, by: [qwinker], density: .compact)
    case .request: return notification(.followRequest, by: [qwinker])
    case .mention: return notification(.mention, by: [qwinker], about: written)
    case .compactMention: return notification(.mention, by: [qwinker], about: written, density: .compact)
    case .grouped:
      return notification(.favourite, by: [qwinker, .sample("bob", displayName: "Bob")], about: .sample())
    case .qwinker: return LinesCell(qwinker)
    case .profile:
      let profile = QwinkerProfileData(
        qwinker, relationship: Relationship(id: qwinker.id, isFollowing: true), me: "me", isSignedIn: true,
        isWhole: false, zone: .gmt)
      return LinesCell { QwinkerProfileLayout.lines(profile, columns: $0) }
    case .conversation: return conversation(with: [qwinker])
    case .compactConversation: return conversation(with: [qwinker], density: .compact)
    case .groupConversation: return conversation(with: [qwinker, .sample("bob", displayName: "Bob")])
    case .chat: return ChatCell(chatRow(written))
    case .compactChat: return ChatCell(chatRow(written), hasAvatars: true)
    case .replyQuote:
      let quoted = data(written)
      return LinesCell { columns in
        EntryQuote.lines(of: quoted, columns: columns - 3).map { CellLine(column: 1, runs: $0) }
      }
    }
  }

  private func qwink(by author: Qwinker) -> Qwink {
    var qwink = Qwink.sample(author: author, at: ScriptedTimeline.start)
    qwink.visibility = .private
    (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (2, 3, 12)
    return qwink
  }

  private func disclosure(_ qwink: Qwink) -> Disclosure { Disclosure(of: qwink, in: nil, at: ScriptedTimeline.start) }

  private func data(_ qwink: Qwink) -> QwinkCellData {
    QwinkCellData(qwink, disclosure(qwink), quote: nil, isRevealed: true, now: ScriptedTimeline.start, zone: .gmt)
  }

  private func whole(_ qwink: Qwink) -> WholeQwink {
    let quote = qwink.quote.map { QuoteDisclosure(of: $0, in: nil, at: ScriptedTimeline.start) }
    let facts = QwinkDescription(
      of: qwink, cover: disclosure(qwink).cover, quote: quote, at: ScriptedTimeline.start)
    return WholeQwink(facts, isRevealed: true, zone: .gmt)
  }

  private func notification(
    _ kind: AccountNotification.Kind, by qwinkers: [Qwinker], about qwink: Qwink? = nil,
    density: Density = .comfortable
  ) -> any ListCell {
    let notifications = qwinkers.enumerated().map { index, qwinker in
      AccountNotification(
        id: .init("\(index)"), kind: kind, createdAt: ScriptedTimeline.start, qwinker: qwinker, qwink: qwink)
    }
    let group = NotificationGroup.groups(of: notifications, unread: ["0"], zone: .gmt)[0]
    return LinesCell(
      NotificationCellData(group, cover: nil, isRevealed: true, me: nil, now: ScriptedTimeline.start, zone: .gmt),
      density: density)
  }

  private func conversation(with people: [Qwinker], density: Density = .comfortable) -> any ListCell {
    let conversation = Conversation(id: "1", participants: people, isUnread: true, lastQwink: qwink(by: people[0]))
    return LinesCell(
      ConversationCellData(
        conversation, cover: nil, isMine: false, me: nil, failed: nil, now: ScriptedTimeline.start, zone: .gmt),
      density: density)
  }

  private func chatRow(_ qwink: Qwink) -> ChatRow {
    let rows = ChatRows(
      conversation: Conversation(id: "1", participants: [qwink.author]), messages: [qwink], outgoing: [],
      lastRead: nil, wasUnread: false, cellData: { data($0) }, me: nil,
      isMine: { _ in false }, now: ScriptedTimeline.start, zone: .gmt)
    return rows.make()[0]
  }

  // MARK: Screens

  @Test(arguments: columns)
  func `a suggested recipient's handle is shown whole`(columns: Int) async throws {
    let server = ScriptedTimeline([1])
    let person = mallory(Self.handleLikeNames[0])
    server.handle(.get, "/api/v1/accounts/search") { _ in .json(WireEncoder.qwinkers([person])) }
    let screen = try await Screen.settled(server, rows: 24, columns: columns)
    await screen.press("3")
    await screen.press("p")
    screen.type("mal")
    await screen.press("Enter")
    #expect(screen.lines.contains { $0.contains(Self.handle) }, "\(screen.text)")
  }

  @Test func `a title's name is truncated so that the handle fits`() throws {
    let rule = RuleView()
    rule.title = [TextRun(Self.longName, .strong), TextRun("  \(Self.handle)", .dim)]
    rule.yieldingRun = 0
    for columns in Self.columns {
      let row = try DrawnCell(view: rule, columns: columns).rows[0]
      #expect(row.contains("…  \(Self.handle)"), "\(columns) columns: \(row)")
    }
  }
}

/// A cell, or another view, as drawn on a terminal of `columns` columns.
@MainActor
private final class DrawnCell: ListViewDataSource {
  private static let rowCount = 24

  private let cell: (any ListCell)?
  private let driver = MemoryDriver(rows: DrawnCell.rowCount, columns: 10)
  private let application: Application

  convenience init(_ cell: any ListCell, columns: Int) throws {
    let list = ListView()
    try self.init(cell, in: list, columns: columns) { source in
      list.dataSource = source
      list.reloadData()
    }
  }

  convenience init(view: View, columns: Int) throws {
    try self.init(nil, in: view, columns: columns) { _ in }
  }

  private init(
    _ cell: (any ListCell)?, in view: View, columns: Int, prepare: (DrawnCell) -> Void
  ) throws {
    self.cell = cell
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: .terminal)
    application.window.rootViewController = ViewController(view: view)
    prepare(self)
    try application.launch()
    driver.resize(rows: Self.rowCount, columns: columns)
  }

  var rows: [String] { (0..<Self.rowCount).map(driver.row) }

  func numberOfItems(in listView: ListView) -> Int { cell == nil ? 0 : 1 }

  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    cell ?? LinesCell { _ in [] }
  }
}
