import FoundationEssentials
import PaneKit
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

/// The list of drafts, driven by keys.
@MainActor
@Suite(.bounded) struct DraftsScreenTests {
  private static let start = ScriptedTimeline.start

  private func bobs(_ visibility: Visibility = .public) -> Qwink {
    var qwink = Qwink.sample(
      id: "70", text: "Which terminal font do you use, and why?", author: .sample("bob"), at: Self.start)
    qwink.visibility = visibility
    return qwink
  }

  private func entry(_ text: String, _ purpose: EntryPurpose, _ visibility: Visibility = .public) -> OutgoingEntry {
    OutgoingEntry(
      id: "id \(text)", purpose: purpose.key,
      entry: Entry(text: text, visibility: visibility, idempotencyKey: "key \(text)"), subject: purpose.subject)
  }

  /// Saves entries as an earlier process would, one hour apart.
  private func save(_ entries: [OutgoingEntry], in folder: TemporaryFolder) {
    let clock = VirtualClock(at: Self.start.addingTimeInterval(-3600 * Double(entries.count)))
    let other = OutgoingStore(directory: folder.path, ledger: ActivityLedger(), clock: clock)
    for entry in entries {
      other.keep(entry) { _ in }
      clock.advance(by: .seconds(3600))
    }
    other.close()
  }

  private func list(
    _ entries: [OutgoingEntry], on server: ScriptedTimeline = ScriptedTimeline([1]),
    in folder: TemporaryFolder = TemporaryFolder(), columns: Int = 80
  ) async throws -> Screen {
    save(entries, in: folder)
    let screen = try await Screen.settled(server, columns: columns, in: folder, hidesMessages: true)
    await screen.press("g", "d")
    return screen
  }

  private func texts(_ screen: Screen) -> [String] { screen.drafts.all.map(\.entry.text) }

  private func title(_ purpose: EntryPurpose) -> String { OutboxWords.title(of: purpose.key, purpose, me: nil) }

  private func name(_ visibility: Visibility) -> String { EntryWords.name(of: visibility) }

  /// Sheet title of a reply to bob.
  private var replyTitle: String { EntryWords.title(of: .reply(to: bobs()), me: nil) }

  // MARK: The list

  @Test func `drafts are listed with purpose, text, age and visibility`() async throws {
    let carol = EntryPurpose.conversation(Conversation(id: "c", participants: [.sample("carol")]))
    let erin = EntryPurpose.message(to: .sample("erin"))
    let edit = EntryPurpose.edit(Qwink.sample(id: "80", text: "Edited", author: .sample("mara"), at: Self.start))
    let screen = try await list([
      entry("Half a thou", .new), entry("@bob Iosevka", .reply(to: bobs()), .unlisted), entry("Edited twice", edit),
      entry("@erin Psst", erin, .direct), entry("At ten", carol, .direct),
    ])
    let shown = screen.lines.map { $0.split(separator: " ").joined(separator: " ") }
    let titles = shown.filter { $0.hasSuffix("h") && !$0.contains("──") && !$0.contains("●") }
    let expected = [
      "▌ \(title(carol)) \(name(.direct)) 1h", "\(title(erin)) \(name(.direct)) 2h",
      "\(title(edit)) \(name(.public)) 3h",
      "\(title(.reply(to: bobs()))) “Which terminal font do you use, and why?” \(name(.unlisted)) 4h",
      "\(title(.new)) \(name(.public)) 5h",
    ]
    #expect(titles == expected, "\(screen.text)")
    for words in ["At ten", "@erin Psst", "Edited twice", "@bob Iosevka", "Half a thou"] {
      #expect(shown.contains { $0.contains(words) }, "\(words)")
    }
    #expect(screen.way.contains(OutboxWords.drafts) && screen.way.contains("1/5"))
    #expect(screen.status.contains("Enter \(OutboxWords.continues)"))
    #expect(screen.status.contains("d \(OutboxWords.discards)"))
  }

  @Test func `a draft shows its number of files as the outbox does`() async throws {
    var (two, one) = (entry("Boats", .new), entry("A gull", .new, .private))
    // A file that isn't uploaded yet counts too.
    let pending = GivenFile.text(of: [GivenFile(path: "/boats.png")])
    two.entry.attachmentIDs = ["5"]
    two.fields = [EntryField.givenFiles.rawValue: pending]
    one.fields = [EntryField.givenFiles.rawValue: pending]
    let screen = try await list([two, one, entry("Nothing", .new, .unlisted)])
    let shown = screen.lines.map { $0.split(separator: " ").joined(separator: " ") }
    let new = title(.new)
    for row in [
      "\(new) 2 files \(name(.public)) 3h", "\(new) 1 file \(name(.private)) 2h", "▌ \(new) \(name(.unlisted)) 1h",
    ] {
      #expect(shown.contains { $0.hasSuffix(row) }, "\(row): \(screen.text)")
    }
    let cell = SavedEntryCellData(
      OutboxItem(two), purpose: .new, cover: nil, me: nil, now: Self.start, zone: ClockZone { _ in 0 })
    let line = SavedEntryCellLayout.lines(cell, columns: 80).first
    #expect(line?.trailing.first?.text == "2 files  ")
  }

  @Test func `an empty list shows a placeholder and c writes the first draft`() async throws {
    let screen = try await list([])
    #expect(screen.text.contains(OutboxWords.noDrafts))
    await screen.press("c")
    screen.type("Half a thou")
    await screen.press("Esc")
    #expect(screen.text.contains("Half a thou") && screen.text.contains(title(.new)))
    await screen.press("q")
    #expect(!screen.way.contains(OutboxWords.drafts))
  }

  @Test func `the drafts command doesn't open the list twice`() async throws {
    let screen = try await list([entry("Half a thou", .new)])
    await screen.press(":")
    screen.type("drafts")
    await screen.press("Enter")
    #expect(screen.way.contains(OutboxWords.drafts))
    await screen.press("q")
    #expect(!screen.way.contains(OutboxWords.drafts))
  }

  @Test func `opening the list while signed out reports that an account is needed`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), isSignedIn: false)
    await screen.press("g", "d")
    #expect(screen.status.contains(MainWords.thisNeedsAccount) && !screen.way.contains(OutboxWords.drafts))
  }

  @Test func `drafts saved by a newer version show an error`() async throws {
    let folder = TemporaryFolder()
    save([entry("Half a thou", .new)], in: folder)
    try folder.makeDraftsTooNew()
    let screen = try await Screen.settled(ScriptedTimeline([1]), in: folder)
    await screen.press("g", "d")
    #expect(screen.text.contains(OutboxWords.notRead), "\(screen.text)")
    // The path may be wrapped anywhere.
    #expect(screen.unwrapped.contains(StoreError.tooNew(path: "").sentence), "\(screen.text)")
    #expect(screen.text.contains(keyHint(PlaceholderWords.retries)))
  }

  // MARK: Opening

  @Test func `Enter opens the selected draft rather than the newest`() async throws {
    let screen = try await list([entry("The first", .new, .private), entry("The second", .new)])
    await screen.press("j", "Enter")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains(name(.private)))
    screen.type("!")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["The first!"])
    #expect(screen.server.posted.map(\.visibility) == ["private"])
    #expect(texts(screen) == ["The second"] && !screen.text.contains("The first"))
  }

  @Test func `a reply opens with the current text of its parent`() async throws {
    let server = ScriptedTimeline([1])
    var newer = bobs()
    newer.text = RichText(plain: "Which font?")
    let answer = WireEncoder.qwink(newer)
    server.api.answer("GET /api/v1/statuses/70") { _ in .json(answer) }
    let screen = try await list([entry("@bob Iosevka", .reply(to: bobs()))], on: server)
    await screen.press("Enter")
    #expect(screen.sheetTitle == replyTitle && screen.text.contains("Which font?"))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.parent) == ["70"])
  }

  @Test func `an offline reply opens with the saved text of its parent`() async throws {
    let server = ScriptedTimeline([1])
    let screen = try await list([entry("@bob Iosevka", .reply(to: bobs(.private)), .private)], on: server)
    server.setReachable(false)
    await screen.press("R", "Enter")
    await screen.settle()
    #expect(screen.sheetTitle == replyTitle && screen.text.contains("Which terminal font"))
    await screen.press("^T")
    #expect(screen.text.contains("\(EntryWords.visibilityLabel)  \(name(.direct))"))
  }

  @Test func `a reply to a deleted qwink can be posted as a new qwink`() async throws {
    let screen = try await list([entry("@bob Iosevka", .reply(to: bobs()), .unlisted)])
    await screen.press("Enter")
    #expect(screen.unwrapped.contains(OutboxWords.askToWriteAsNew(.reply(to: "70"))))
    await screen.press("n")
    #expect(texts(screen) == ["@bob Iosevka"] && screen.sheetTitle == nil)
    await screen.press("Enter", "y")
    #expect(screen.sheetTitle == EntryWords.newQwink && screen.text.contains("@bob Iosevka"))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.parent) == [nil])
    #expect(screen.server.posted.map(\.visibility) == ["unlisted"] && texts(screen).isEmpty)
  }

  @Test func `a chat draft opens its chat`() async throws {
    let server = ScriptedTimeline([1])
    Talk.begin(on: server)
    let conversation = Conversation(id: "bob", participants: [Talk.bob])
    let screen = try await list(
      [entry("The first", .conversation(conversation)), entry("The second", .conversation(conversation))], on: server)
    await screen.press("j", "Enter")
    #expect(screen.text.contains("› The first") && screen.text.contains("Bring coffee."))
  }

  @Test func `a draft doesn't open if the user has left while it was loading`() async throws {
    let server = ScriptedTimeline([1])
    let answer = WireEncoder.qwink(bobs())
    let gate = Gate()
    server.api.answer("GET /api/v1/statuses/70") { _ in .json(answer) }
    server.api.hold("GET /api/v1/statuses/70", by: gate)
    let screen = try await list([entry("@bob Iosevka", .reply(to: bobs()))], on: server)
    let drafts = screen.main.focus
    screen.strike("Enter")
    await screen.turn()
    screen.strike("2")
    #expect(screen.main.focus !== drafts)
    gate.open()
    await screen.settle()
    await screen.press("1")
    #expect(screen.main.focus === drafts, "\(screen.text)")
    await screen.pass(.seconds(2))
    #expect(screen.sheetTitle == nil)
  }

  // MARK: Discarding

  @Test func `d discards drafts and u restores them one by one`() async throws {
    let server = ScriptedTimeline([1])
    let answer = WireEncoder.qwink(bobs())
    server.api.answer("GET /api/v1/statuses/70") { _ in .json(answer) }
    let screen = try await list([entry("The first", .new), entry("@bob Iosevka", .reply(to: bobs()))], on: server)
    await screen.press("d")
    let discarded = withKeys(ActionWords.undoable(EntryWords.draftDiscarded))
    #expect(screen.status.contains(discarded) && texts(screen) == ["The first"])
    await screen.press("d")
    #expect(texts(screen).isEmpty && screen.text.contains(OutboxWords.noDrafts))
    await screen.press("u")
    #expect(texts(screen) == ["The first"] && screen.text.contains("The first"))
    await screen.press("u")
    #expect(Set(texts(screen)) == ["The first", "@bob Iosevka"])
    #expect(screen.account.drafts.hasReply(to: bobs()))
    await screen.press("g", "g", "Enter")
    #expect(screen.sheetTitle == replyTitle && screen.text.contains("@bob Iosevka"), "\(screen.text)")
  }

  // MARK: Two programs

  @Test func `a draft open in another process can be neither opened nor discarded`() async throws {
    let folder = TemporaryFolder()
    let one = try await list([entry("of one", .new)], in: folder)
    await one.press("Enter")
    let two = try await Screen.settled(ScriptedTimeline([1]), in: folder)
    await two.press("g", "d")
    #expect(two.text.contains("of one") && two.text.contains(OutboxWords.openElsewhere))
    await two.press("Enter")
    #expect(two.sheetTitle == nil && two.status.contains(OutboxWords.cannotOpenElsewhere))
    await two.press("d")
    #expect(texts(two) == ["of one"])
    await one.press("Esc")
    await two.press("R", "Enter")
    #expect(two.sheetTitle == EntryWords.newQwink && two.text.contains("of one"))
  }

  @Test func `a draft that could not be saved is listed with a warning`() async throws {
    let screen = try await list([])
    await screen.press("c")
    screen.type("Half a thou")
    screen.account.outgoing?.setReadOnly(true)
    await screen.press("Esc")
    #expect(screen.text.contains("Half a thou") && screen.text.contains(OutboxWords.notSaved))
    await screen.press("d")
    #expect(!screen.text.contains("Half a thou"))
    await screen.press("u")
    #expect(screen.text.contains("Half a thou"))
  }

  // MARK: Sizes

  @Test(arguments: [40, 60, 80, 120])
  func `rows fit the window and end with the age of the draft`(columns: Int) async throws {
    let screen = try await list(
      [entry("@bob " + String(repeating: "long text ", count: 60), .reply(to: bobs()), .private)], columns: columns)
    let row = try #require(screen.lines.first { $0.contains(title(.reply(to: bobs()))) })
    #expect(row.hasSuffix(" 1h") && row.count == columns - 1, "\(screen.text)")
    #expect(row.contains("“Which") == (columns >= 60))
    #expect(screen.text.contains("“Which terminal font"))
  }
}
