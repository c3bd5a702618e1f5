import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// The question before files without a description are posted, on every path that sends an entry.
@MainActor
@Suite(.bounded) struct AltReminderTests {
  private let server = ScriptedTimeline([1])
  private let folder = UploadFolder()
  private let uploads: SlowUploads
  private let text = "See the quay"
  private let question = EntryFileWords.undescribed(1)

  init() {
    uploads = SlowUploads(on: server)
  }

  private func screen(reminds: Bool = true) async throws -> Screen {
    let screen = try await Screen.settled(server, columns: 120)
    screen.main.factory.settings.put(.altReminder, .flag(reminds))
    return screen
  }

  private func writing(_ purpose: EntryPurpose = .new, reminds: Bool = true) async throws -> Screen {
    let screen = try await screen(reminds: reminds)
    screen.main.write(purpose)
    await screen.settle()
    screen.type(text)
    return screen
  }

  /// Attaches a file, and describes it unless `altText` is nil.
  private func attach(_ name: String = "quay", altText: String? = nil, to screen: Screen) async throws {
    uploads.letAllArrive()
    let path = try folder.write("\(name).png", mark: name)
    screen.strike("^X", "a")
    screen.type(path)
    screen.strike("Enter")
    try await screen.wait(for: "the line for the description") {
      screen.text.contains(EntryFileWords.altPlaceholder("\(name).png"))
    }
    if let altText {
      screen.type(altText)
      screen.strike("Enter")
    } else {
      screen.strike("Esc")
    }
    await screen.settle()
  }

  private var media: [[String]] { server.posted.map(\.media) }
  private func asks(_ screen: Screen) -> Bool { screen.application.window.topSheet is ConfirmViewController }

  /// The path that sends an entry.
  enum Path: String, CaseIterable, CustomTestStringConvertible {
    case post, reply, held, thread, scheduled, redraft

    var testDescription: String { rawValue }
  }

  /// Returns a screen with an entry that has an undescribed file, ready to be sent by `path`.
  private func ready(_ path: Path) async throws -> Screen {
    var screen: Screen
    switch path {
    case .post: screen = try await writing()
    case .reply: screen = try await writing(.reply(to: ScriptedTimeline.qwink(1)))
    case .held:
      screen = try await writing()
      screen.account.pendingActions.seconds = 6
    case .thread:
      server.limitCharacters(to: 40)
      screen = try await writing()
      screen.type(". The first part says this much. The second part says as much.")
      await screen.press("^X", "s")
    case .scheduled:
      server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
      screen = try await writing()
      screen.strike("^X", "t")
      screen.type("2h")
      await screen.press("Enter")
    case .redraft:
      var mine = Qwink.sample(id: "77", text: text, author: .sample("mara"), at: ScriptedTimeline.start)
      mine.attachments = [Attachment(id: "quay", kind: .image)]
      server.add([mine])
      let (source, qwink) = (QwinkSource(id: "77", text: text, contentWarning: ""), mine)
      server.handle(.get, "/api/v1/statuses/77/source") { _ in .json(WireEncoder.source(source)) }
      server.handle(.get, "/api/v1/statuses/77") { _ in .json(WireEncoder.qwink(qwink)) }
      screen = try await self.screen()
      await screen.press("D", "y")
      return screen
    }
    try await attach(to: screen)
    return screen
  }

  /// Counts requests that create a post. Doesn't change the answers, except for a scheduled post.
  private func counting(_ path: Path) -> @Sendable () -> Int {
    let shared = Counter()
    server.handle(.post, "/api/v1/statuses") { [server] request in
      shared.add()
      guard path == .scheduled else { return try await server.accept(request) }
      return .json(
        Array(
          #"{"id":"9","scheduled_at":"2026-01-01T02:00:00.000Z","params":{"text":"Later"},"media_attachments":[]}"#.utf8
        ))
    }
    return { shared.value }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  @Test(arguments: Path.allCases)
  func `nothing is sent before the answer, and yes sends once`(path: Path) async throws {
    let sent = counting(path)
    let screen = try await ready(path)
    await screen.press("^D")
    #expect(asks(screen) && screen.text.contains(question), "\(screen.text)")
    await screen.press("^D")
    await screen.pass(.seconds(10))
    #expect(sent() == 0)
    await screen.press("Esc")
    #expect(!asks(screen) && screen.text.contains(text), "\(screen.text)")
    await screen.pass(.seconds(10))
    #expect(sent() == 0 && !screen.drafts.all.isEmpty)
    await screen.press("^D", "y")
    await screen.pass(.seconds(10))
    #expect(sent() == (path == .thread ? 2 : 1), "\(screen.text)")
    #expect(screen.sheetTitle == nil && screen.drafts.all.isEmpty)
    if path != .scheduled { #expect(media.first == ["quay"]) }
  }

  @Test func `a key leads to the description and the described file is posted without a question`() async throws {
    let screen = try await writing()
    try await attach(to: screen)
    await screen.press("^D", "d")
    #expect(!asks(screen) && screen.text.contains(EntryFileWords.altPlaceholder("quay.png")), "\(screen.text)")
    screen.type("Boats at noon")
    await screen.press("Enter", "^D")
    #expect(media == [["quay"]] && uploads.descriptions["quay"]?.contains("Boats at noon") == true)
  }

  @Test func `other keys neither post nor close the question`() async throws {
    let screen = try await writing()
    try await attach(to: screen)
    await screen.press("^D", "Enter", "x", "Space")
    #expect(asks(screen) && media.isEmpty)
    await screen.press("n")
    #expect(!asks(screen) && media.isEmpty && screen.text.contains("+ quay.png"))
  }

  @Test func `files are asked about once, and again after another one is attached`() async throws {
    let failures = Counter()
    server.handle(.post, "/api/v1/statuses") { [server] request in
      failures.add()
      return failures.value < 3 ? .json(WireEncoder.error("Not now"), status: 422) : try await server.accept(request)
    }
    let screen = try await writing()
    try await attach(to: screen)
    await screen.press("^D", "y")
    #expect(failures.value == 1 && screen.text.contains(text), "\(screen.text)")
    // The user has agreed already.
    await screen.press("^D")
    #expect(!asks(screen) && failures.value == 2)
    try await attach("pier", to: screen)
    await screen.press("^D")
    #expect(asks(screen) && screen.text.contains(EntryFileWords.undescribed(2)), "\(screen.text)")
    await screen.press("y")
    #expect(media == [["quay", "pier"]])
  }

  @Test func `a post that waited for its upload asks before it is sent`() async throws {
    let screen = try await writing()
    let path = try folder.write("quay.png", mark: "quay")
    screen.strike("^X", "a")
    screen.type(path)
    screen.strike("Enter")
    try await screen.wait(for: "the line for the description") {
      uploads.waitingCount == 1 && screen.text.contains(EntryFileWords.altPlaceholder("quay.png"))
    }
    screen.strike("Esc", "^D")
    #expect(!asks(screen))
    uploads.letAllArrive()
    try await screen.wait(for: "the question") { asks(screen) }
    #expect(media.isEmpty)
    await screen.press("y")
    #expect(media == [["quay"]])
  }

  @Test func `described files are posted without a question`() async throws {
    let screen = try await writing()
    try await attach(altText: "Boats at noon", to: screen)
    await screen.press("^D")
    #expect(!asks(screen) && media == [["quay"]])
  }

  @Test func `a direct message is sent without a question`() async throws {
    let screen = try await writing(.message(to: .sample("bob")))
    try await attach(to: screen)
    await screen.press("^D")
    #expect(!asks(screen), "\(screen.text)")
    #expect(media + server.messages.posted.map(\.media) == [["quay"]])
  }

  @Test func `without the option nothing is asked`() async throws {
    let screen = try await writing(reminds: false)
    try await attach(to: screen)
    await screen.press("^D")
    #expect(!asks(screen) && media == [["quay"]])
  }

  @Test func `an edit of a post with undescribed files is saved without a question`() async throws {
    var mine = Qwink.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
    mine.attachments = [Attachment(id: "quay", kind: .image)]
    server.add([mine])
    let (source, qwink) = (QwinkSource(id: "77", text: "Mine", contentWarning: ""), mine)
    let edits = Counter()
    server.handle(.get, "/api/v1/statuses/77/source") { _ in .json(WireEncoder.source(source)) }
    server.handle(.get, "/api/v1/statuses/77") { _ in .json(WireEncoder.qwink(qwink)) }
    server.handle(.put, "/api/v1/statuses/77") { _ in
      edits.add()
      return .json(WireEncoder.qwink(qwink))
    }
    let screen = try await writing(.edit(mine))
    await screen.press("^D")
    #expect(!asks(screen) && edits.value == 1, "\(screen.text)")
  }

  @Test func `closing the entry while the question is open keeps the draft with its file`() async throws {
    let screen = try await writing()
    try await attach(to: screen)
    await screen.press("^D", "Esc", "Esc")
    #expect(screen.sheetTitle == nil && media.isEmpty)
    #expect(screen.drafts.all.map(\.entry.text) == [text] && screen.drafts.all.first?.entry.attachmentIDs == ["quay"])
  }
}
