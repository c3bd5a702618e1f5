import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Replies, edits and private messages, driven by keys.
@MainActor
@Suite(.bounded) struct EntryPurposeTests {
  private let erin = Qwinker.sample("erin", displayName: "Erin")
  private let bob = Qwinker(id: "bob", userName: "bob", handle: "bob@example.org", displayName: "Bob")

  /// A qwink by Erin to Bob and to the user.
  private func trains(_ visibility: Visibility = .public, warning: String = "") -> Qwink {
    var qwink = Qwink.sample(
      id: "70", text: "@mara The trains were on time, all three of them.", author: erin, at: ScriptedTimeline.start)
    qwink.mentions = [Qwinker.sample("mara"), bob].map {
      .init(id: $0.id, userName: $0.userName, handle: $0.handle)
    }
    qwink.visibility = visibility
    qwink.contentWarning = warning
    return qwink
  }

  private func own(_ text: String = "The boat leaves at ten.") -> Qwink {
    Qwink.sample(id: "80", text: text, author: .sample("mara"), at: ScriptedTimeline.start)
  }

  // MARK: Replying

  @Test func `a reply starts with the mentions and is sent with the id of its parent`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.reply(to: trains()))
    await screen.settle()
    #expect(screen.sheetTitle == EntryWords.title(of: .reply(to: trains()), me: nil))
    #expect(screen.text.contains("Erin · now   @mara The trains were on time, all three of them."))
    screen.type("Three out of three?")
    await screen.press("^D")
    let posted = try #require(screen.server.posted.first)
    #expect(posted.text == "@erin @bob@example.org Three out of three?")
    #expect(posted.parent == "70")
    #expect(screen.server.posted.count == 1)
    #expect(screen.drafts.keys.isEmpty)
  }

  @Test func `a reply with only mentions is neither posted nor saved`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.reply(to: trains()))
    await screen.press("^D")
    #expect(screen.text.contains(EntryProblem.empty.sentence))
    await screen.press("Esc")
    #expect(screen.server.posted.isEmpty)
    #expect(screen.drafts.keys.isEmpty)
  }

  @Test func `the text of a parent with a warning is not shown`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.reply(to: trains(warning: "Trains")))
    await screen.settle()
    #expect(screen.text.contains("Erin · now   \(EntryWords.warningLabel)  Trains"))
    #expect(!screen.text.contains("on time"))
    #expect(screen.text.contains("\(EntryWords.warningLabel)  re: Trains"))
    screen.type("So they were.")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.warning) == ["re: Trains"])
  }

  @Test func `^T cycles through the visibilities that a reply may have`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.reply(to: trains(.unlisted)))
    await screen.settle()
    #expect(screen.text.contains("\(EntryWords.name(of: .unlisted)),"))
    screen.strike("^T")
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    screen.strike("^T")
    #expect(screen.text.contains(EntryWords.directOnly(to: "@")))
    screen.strike("^T")
    #expect(screen.text.contains("\(EntryWords.name(of: .unlisted)),"))
    await screen.press("Esc")
    try screen.write(.reply(to: trains(.private)))
    await screen.settle()
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    screen.strike("^T", "^T")
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    await screen.press("Esc")
    try screen.write(.reply(to: trains(.direct)))
    await screen.settle()
    #expect(!screen.text.contains("^T"))
    screen.strike("^T")
    #expect(screen.text.contains(EntryWords.directOnly(to: "@")))
  }

  @Test func `a reply drops the user's own mention when the account is loaded`() async throws {
    let server = ScriptedTimeline([1])
    let gate = Gate()
    server.handle(.get, "/api/v1/accounts/verify_credentials") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
    }
    let screen = try Screen(server)
    try screen.write(.reply(to: trains()))
    await screen.turn()
    #expect(screen.text.contains("@erin @mara @bob@example.org"))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("@erin @bob@example.org"))
  }

  // MARK: Direct messages

  @Test func `a private message shows its recipients and is sent only to them`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.message(to: bob))
    await screen.settle()
    #expect(screen.sheetTitle == EntryWords.title(of: .message(to: bob), me: nil))
    #expect(screen.text.contains(EntryWords.directOnly(to: "@bob@example.org")))
    #expect(screen.text.contains("^D \(EntryWords.sending(.message(to: bob)))"))
    screen.type("and @erin: nine.")
    #expect(screen.text.contains(EntryWords.directOnly(to: "@bob@example.org, @erin")))
    screen.strike("^T")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.visibility) == ["direct"])
    #expect(screen.server.posted.map(\.text) == ["@bob@example.org and @erin: nine."])
  }

  @Test func `a private message without a mention is not sent`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.message(to: bob))
    screen.strike("^U")
    screen.type("Nine it is.")
    await screen.settle()
    #expect(screen.text.contains(EntryWords.mentionsNobody))
    await screen.press("^D")
    #expect(screen.text.contains(EntryProblem.namesNobody.sentence))
    #expect(screen.server.posted.isEmpty)
    screen.type(" @erin")
    await screen.press("^D")
    #expect(screen.server.posted.count == 1)
  }

  @Test func `a restored edit is announced and ^X k returns to the original text`() async throws {
    let qwink = own()
    let (screen, _) = try await editing(qwink, on: ScriptedTimeline([1]))
    try screen.write(.edit(qwink))
    await screen.settle()
    let original = screen.text
    screen.type("Late again. ")
    await screen.press("Esc")
    try screen.write(.edit(qwink))
    await screen.settle()
    let restored = withKeys(EntryWords.restored(isEdit: true, others: 0))
    #expect(screen.unwrapped.contains(restored), "\(screen.text)")
    #expect(screen.text.contains("Late again."))
    await screen.press("^X", "k")
    try screen.write(.edit(qwink))
    await screen.settle()
    #expect(!screen.text.contains("Late again.") && !screen.unwrapped.contains(restored))
    #expect(screen.text == original)
  }

  @Test func `a reply to a private message is private`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    try screen.write(.reply(to: trains(.direct)))
    screen.type("Yes.")
    await screen.press("^T", "^D")
    #expect(screen.server.posted.map(\.visibility) == ["direct"])
  }

  // MARK: Editing

  private func editing(
    _ qwink: Qwink, source: QwinkSource? = nil, on server: ScriptedTimeline
  ) async throws -> (Screen, EditedStatuses) {
    let edited = EditedStatuses(qwink)
    let source = source ?? QwinkSource(id: qwink.id, text: qwink.text.plainText, contentWarning: qwink.contentWarning)
    server.handle(.get, "/api/v1/statuses/80/source") { _ in .json(WireEncoder.source(source)) }
    server.handle(.put, "/api/v1/statuses/80") { try edited.answer($0) }
    server.add([qwink])
    let screen = try await Screen.settled(server)
    return (screen, edited)
  }

  @Test func `an edit starts with the source text and updates the qwink in the list`() async throws {
    var qwink = own("Come to example.org/…")
    qwink.visibility = .unlisted
    let source = QwinkSource(id: "80", text: "Come to https://example.org/kiosk", contentWarning: "trade")
    let (screen, edited) = try await editing(qwink, source: source, on: ScriptedTimeline([2, 1]))
    try screen.write(.edit(qwink))
    await screen.turn()
    #expect(screen.text.contains(EntryWords.fetching))
    await screen.settle()
    #expect(screen.sheetTitle == EntryWords.title(of: .edit(qwink), me: nil))
    #expect(screen.text.contains("Come to https://example.org/kiosk"))
    #expect(screen.text.contains("\(EntryWords.warningLabel)  trade"))
    #expect(screen.text.contains("\(EntryWords.name(of: .unlisted)),"))
    #expect(!screen.text.contains("^T"))
    screen.type(", Qwink 80")
    await screen.press("^D")
    #expect(edited.texts == ["Come to https://example.org/kiosk, Qwink 80"])
    #expect(screen.server.posted.isEmpty)
    #expect(screen.visible == [80, 2, 1])
    #expect(screen.sheetTitle == nil)
    #expect(screen.drafts.keys.isEmpty)
  }

  @Test func `an edit keeps pictures and can remove the warning`() async throws {
    var qwink = own()
    qwink.contentWarning = "boats"
    qwink.isSensitive = true
    qwink.attachments = [Attachment(id: "5", kind: .image)]
    let (screen, edited) = try await editing(qwink, on: ScriptedTimeline())
    try screen.write(.edit(qwink))
    await screen.settle()
    await screen.press("^X", "w", "^U", "^D")
    let body = try #require(edited.bodies.first)
    #expect(body.contains(#""media_ids":["5"]"#))
    #expect(body.contains(#""spoiler_text":"""#))
    #expect(body.contains(#""sensitive":true"#))
  }

  @Test func `an edit with pictures may remove all text or change only the language`() async throws {
    var qwink = own()
    qwink.language = "en"
    qwink.attachments = [Attachment(id: "5", kind: .image)]
    let (screen, edited) = try await editing(qwink, on: ScriptedTimeline())
    try screen.write(.edit(qwink))
    await screen.settle()
    await screen.press("^X", "l", "^U")
    screen.type("de")
    await screen.press("Enter", "^D")
    #expect(edited.bodies.count == 1 && edited.bodies.last?.contains(#""language":"de""#) == true)
    try screen.write(.edit(qwink))
    await screen.settle()
    await screen.press("^U", "^D")
    #expect(edited.texts == ["The boat leaves at ten.", ""])
    #expect(screen.sheetTitle == nil && screen.drafts.keys.isEmpty)
  }

  @Test func `an edit that changes nothing is not sent`() async throws {
    let (screen, edited) = try await editing(own(), on: ScriptedTimeline())
    try screen.write(.edit(own()))
    await screen.settle()
    await screen.press("^D")
    #expect(screen.text.contains(EntryProblem.unchanged.sentence))
    #expect(edited.bodies.isEmpty)
    screen.type("!")
    screen.strike("BS")
    await screen.press("^D", "Esc")
    #expect(edited.bodies.isEmpty)
    #expect(screen.drafts.keys.isEmpty)
  }

  @Test func `an edit whose source can't be fetched is reported and closed`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    let navigator = RecordingNavigator()
    let entry = try screen.write(.edit(own()))
    entry.navigator = navigator
    await screen.settle()
    #expect(screen.sheetTitle == nil)
    #expect(navigator.words.first?.hasPrefix(EntryWords.editNotFetched) == true)
    #expect(navigator.words.count == 1)
  }

  @Test func `a qwink with a poll can't be edited`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    let navigator = RecordingNavigator()
    var qwink = own()
    qwink.poll = Poll(id: "1", options: [.init(title: "Tea"), .init(title: "Coffee")])
    let entry = EntryViewController(
      purpose: .edit(qwink), account: screen.account, drafts: nil, keymap: try Screen.keymap())
    entry.navigator = navigator
    screen.main.present(entry)
    await screen.settle()
    #expect(screen.sheetTitle == nil)
    #expect(navigator.words.first == EntryWords.pollNotEditable)
    // The list has the focus again.
    screen.strike("?")
    #expect(screen.text.contains(HelpWords.title))
  }

  @Test func `an edit whose response is lost is sent again automatically`() async throws {
    let (screen, edited) = try await editing(own(), on: ScriptedTimeline())
    try screen.write(.edit(own()))
    await screen.settle()
    screen.type(" Or nine.")
    edited.failures = 1
    await screen.press("^D")
    #expect(screen.status.contains(EntryWords.queuedOffline))
    #expect(screen.drafts.load(.edit(own()))?.text == "The boat leaves at ten. Or nine.")
    await screen.pass(.seconds(10))
    #expect(edited.texts.count == 2 && Set(edited.texts).count == 1)
    #expect(screen.sheetTitle == nil)
    #expect(screen.server.posted.isEmpty)
  }

  @Test func `edits, messages and replies each have a key and a confirmation`() async throws {
    let server = ScriptedTimeline([2, 1])
    let (screen, _) = try await editing(own(), on: server)
    await screen.press("e")
    screen.type(" Or nine.")
    await screen.press("^D")
    #expect(screen.status.contains(EntryWords.editSaved))
    await screen.press("j", "p")
    screen.type("nine")
    await screen.press("^D")
    let sent = try #require(EntryWords.sent(.message(to: .sample("carol"))))
    #expect(screen.status.contains(sent))
    await screen.press("r")
    #expect(screen.sheetTitle == EntryWords.title(of: .reply(to: ScriptedTimeline.qwink(2)), me: nil))
    screen.type("ten")
    await screen.press("^D")
    #expect(screen.status.contains(EntryWords.replyPosted))
    #expect(server.posted.map(\.text) == ["@carol nine", "@carol ten"])
    #expect(server.posted.map(\.parent) == [nil, "2"])
  }

  @Test func `messages and replies are counted down but an edit is sent at once`() async throws {
    let server = ScriptedTimeline([2, 1])
    let (screen, _) = try await editing(own(), on: server)
    screen.account.pendingActions.seconds = 6
    await screen.press("e")
    screen.type(" Or nine.")
    await screen.press("^D")
    #expect(screen.status.contains(EntryWords.editSaved), "\(screen.status)")
    await screen.press("j", "p")
    screen.type("nine")
    await screen.press("^D")
    #expect(screen.status.contains(PendingWords.doing(.message(key: ""), in: 6)), "\(screen.status)")
    #expect(server.posted.isEmpty)
    await screen.pass(.seconds(6))
    #expect(server.posted.map(\.text) == ["@carol nine"])
    await screen.press("r")
    screen.type("ten")
    await screen.press("^D")
    #expect(screen.status.contains(PendingWords.doing(.post(key: ""), in: 6)), "\(screen.status)")
    #expect(server.posted.count == 1)
    await screen.pass(.seconds(6))
    #expect(server.posted.map(\.text) == ["@carol nine", "@carol ten"])
  }

  @Test(arguments: [("r", "reply"), ("p", "message"), ("c", "new")])
  func `a failure after the entry was closed shows the key that reopens it`(key: String, purpose: String) async throws {
    let server = ScriptedTimeline([2, 1])
    let gate = Gate()
    server.holdPosts(by: gate)
    server.losePosts(with: .local(reason: "No room."))
    let screen = try await Screen.settled(server, columns: 120)
    await screen.press(key)
    screen.type("nine")
    screen.strike("^D", "Esc")
    gate.open()
    await screen.settle()
    #expect(screen.status.contains(withKeys(EntryWords.wayBack(to: purpose))))
    await screen.press(key)
    #expect(screen.text.contains("nine"))
  }

  // MARK: Drafts

  @Test func `each purpose restores its draft after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([1])
    let first = try await Screen.settled(server, in: folder)
    first.strike("c")
    first.type("new one")
    first.strike("Esc")
    try first.write(.reply(to: trains()))
    first.type("an answer")
    first.strike("Esc")
    try first.write(.message(to: bob))
    first.type("a secret")
    await first.settle()
    await first.pass(.milliseconds(400))
    first.kill()
    let second = try await Screen.settled(server, in: folder)
    try second.write(.reply(to: trains()))
    await second.settle()
    #expect(second.text.contains("@erin @bob@example.org an answer"))
    await second.press("^D", "c")
    #expect(second.text.contains("new one") && !second.text.contains("an answer▏"))
    await second.press("Esc")
    try second.write(.message(to: bob))
    await second.settle()
    #expect(second.text.contains("@bob@example.org a secret"))
    #expect(second.drafts.keys == ["new", "message/bob"])
  }

  @Test func `the draft of an edit is restored without a request`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.drafts.save(Entry(text: "half changed", idempotencyKey: "k"), for: .edit(own()))
    try screen.write(.edit(own()))
    await screen.settle()
    #expect(screen.text.contains("half changed"))
    #expect(!screen.server.paths.contains { $0.hasSuffix("/source") })
  }

  // MARK: Warnings

  @Test func `^X w opens the warning and a second ^X w returns to the text`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike("c")
    screen.type("The butler.")
    screen.strike("^X")
    let hint = try Screen.hint(for: .entryWarning).dropFirst("^X ".count)
    #expect(screen.status.contains(hint) && screen.status.contains("^X …"))
    screen.strike("w")
    #expect(screen.text.contains("\(EntryWords.warningLabel)  \(EntryWords.warningPlaceholder)"))
    screen.type("Spoiler")
    #expect(screen.text.contains("\(EntryWords.warningLabel)  Spoiler"))
    #expect(screen.text.contains(" 18 / 500"))
    screen.strike("^X", "w")
    screen.type(" Really.")
    #expect(screen.text.contains("The butler. Really."))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.warning) == ["Spoiler"])
    #expect(screen.server.posted.map(\.text) == ["The butler. Really."])
  }

  @Test(arguments: ["Esc", "Enter", "Tab", "Down"]) func `other keys also return from the warning to the text`(
    key: String
  )
    async throws
  {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike("c", "^X", "w")
    screen.type("W")
    screen.strike(key)
    screen.type("Text")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.warning) == ["W"])
    #expect(screen.server.posted.map(\.text) == ["Text"])
  }

  @Test func `an empty warning is removed with its line`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike("c", "^X", "w", "Esc")
    #expect(screen.text.contains("\(EntryWords.warningLabel)  \(EntryWords.noWarning) (^X w)"))
    #expect(!screen.text.contains(EntryWords.warningPlaceholder))
    #expect(screen.sheetTitle == EntryWords.newQwink)
  }

  @Test func `an entry with only a warning is saved as a draft`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    screen.strike("c", "^X", "w")
    screen.type("Film")
    await screen.press("Esc", "Esc", "c")
    #expect(screen.text.contains("\(EntryWords.warningLabel)  Film"))
  }

  @Test func `a long warning scrolls to the cursor`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), rows: 12, columns: 40)
    screen.strike("c", "^X", "w")
    screen.type("A warning that is quite a bit longer than the line has room")
    #expect(screen.text.contains("line has room"))
    screen.strike("Home")
    #expect(screen.text.contains("\(EntryWords.warningLabel)  A warning that"))
  }
}

/// The server side of editing one qwink.
private final class EditedStatuses: Sendable {
  private struct State {
    var qwink: Qwink
    var bodies: [String] = []
    var failures = 0
  }

  private struct Body: Decodable {
    var status: String
  }

  private let state: Mutex<State>

  init(_ qwink: Qwink) {
    state = Mutex(State(qwink: qwink))
  }

  /// The request bodies received.
  var bodies: [String] { state.withLock { $0.bodies } }
  /// The texts received.
  var texts: [String] {
    bodies.compactMap { try? JSONDecoder().decode(Body.self, from: Data($0.utf8)).status }
  }
  /// The number of upcoming responses to lose.
  var failures: Int {
    get { state.withLock { $0.failures } }
    set { state.withLock { $0.failures = newValue } }
  }

  func answer(_ request: TransportRequest) throws -> TransportResponse {
    let body = try JSONDecoder().decode(Body.self, from: Data(request.body))
    return try state.withLock { state in
      state.bodies.append(String(decoding: request.body, as: UTF8.self))
      if state.failures > 0 {
        state.failures -= 1
        throw TransportError.interrupted(host: ScriptedTimeline.host)
      }
      state.qwink.text = RichText(plain: body.status)
      return .json(WireEncoder.qwink(state.qwink))
    }
  }
}
