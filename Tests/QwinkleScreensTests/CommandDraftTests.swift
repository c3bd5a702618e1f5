import Foundation
import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// Drafts of commands that received no response. The screen completes them as the command would.
@MainActor
@Suite(.bounded) struct CommandDraftTests {
  private struct Edited: Decodable, Equatable {
    var status: String
    var spoiler_text: String?
    var sensitive: Bool?
    var language: String?
  }

  private static let text = "See the quay"

  private func bobs() -> Qwink {
    var qwink = Qwink.sample(id: "70", text: "Which font?", author: .sample("bob"), at: ScriptedTimeline.start)
    qwink.contentWarning = "fonts"
    return qwink
  }

  private func save(_ given: GivenEntry, in folder: TemporaryFolder) {
    let store = OutgoingStore(
      directory: folder.path, ledger: ActivityLedger(), clock: VirtualClock(at: ScriptedTimeline.start))
    store.keep(OutgoingEntry(given, idempotencyKey: "key")) { _ in }
    store.close()
  }

  private func screen(_ given: GivenEntry, on server: ScriptedTimeline) async throws -> Screen {
    let folder = TemporaryFolder()
    save(given, in: folder)
    return try await Screen.settled(server, columns: 120, in: folder)
  }

  @Test(arguments: [nil, "", "tides"])
  func `an edit preserves the warning and the language unless they are given`(warning: String?) async throws {
    var qwink = Qwink.sample(id: "80", text: "Old", author: .sample("mara"), at: ScriptedTimeline.start)
    (qwink.contentWarning, qwink.isSensitive, qwink.language) = ("boats", true, "en")
    let answer = WireEncoder.qwink(qwink)
    let bodies = Mutex<[Edited]>([])
    let source = WireEncoder.source(QwinkSource(id: "80", text: "Old", contentWarning: "boats"))
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/statuses/80") { _ in .json(answer) }
    server.handle(.get, "/api/v1/statuses/80/source") { _ in .json(source) }
    server.handle(.put, "/api/v1/statuses/80") { request in
      let body = try JSONDecoder().decode(Edited.self, from: Data(request.body))
      bodies.withLock { $0.append(body) }
      return .json(answer)
    }
    let screen = try await screen(GivenEntry(target: .edit("80"), text: Self.text, warning: warning), on: server)
    await screen.press("g", "d", "Enter")
    await screen.settle()
    #expect(screen.text.contains(Self.text), "\(screen.text)")
    await screen.press("^D")
    // Without a warning, a qwink without pictures isn't sensitive.
    let expected = Edited(
      status: Self.text, spoiler_text: warning ?? "boats", sensitive: warning != "", language: "en")
    #expect(bodies.withLock { $0 } == [expected])
  }

  @Test func `a draft of an edit is unchanged if the old text can't be fetched`() async throws {
    let qwink = Qwink.sample(id: "80", text: "Old", author: .sample("mara"), at: ScriptedTimeline.start)
    let answer = WireEncoder.qwink(qwink)
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/statuses/80") { _ in .json(answer) }
    server.handle(.get, "/api/v1/statuses/80/source") { _ in .json(WireEncoder.error("Oops"), status: 500) }
    let given = GivenEntry(target: .edit("80"), text: Self.text)
    let screen = try await screen(given, on: server)
    await screen.press("g", "d", "Enter")
    await screen.settle()
    #expect(screen.sheetTitle == nil && screen.unwrapped.contains(EntryWords.editNotFetched), "\(screen.text)")
    #expect(screen.drafts.all.map(\.entry.text) == [Self.text])
  }

  @Test(arguments: ["70", "https://other.example/@bob/70"], [nil, "", "type"])
  func `a reply mentions its readers and preserves the warning`(
    name: String, warning: String?
  ) async throws {
    let server = ScriptedTimeline([1])
    let answer = WireEncoder.qwink(bobs())
    let found = WireEncoder.searchResults(SearchResults(qwinks: [bobs()]))
    server.handle(.get, "/api/v1/statuses/70") { _ in .json(answer) }
    server.handle(.get, "/api/v2/search") { _ in .json(found) }
    let screen = try await screen(GivenEntry(target: .reply(name), text: Self.text, warning: warning), on: server)
    await screen.press("g", "d", "Enter")
    await screen.settle()
    #expect(screen.sheetTitle == EntryWords.title(of: .reply(to: bobs()), me: nil), "\(screen.text)")
    await screen.press("^D")
    #expect(server.posted.map(\.text) == ["@bob \(Self.text)"] && server.posted.map(\.parent) == ["70"])
    #expect(server.posted.map(\.warning) == [warning ?? "re: fonts"])
    #expect(screen.drafts.all.isEmpty)
  }

  @Test func `files of a command are attached and described when its draft opens`() async throws {
    let folder = NSTemporaryDirectory() + "qwinkle-files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    try Data(start + [UInt8](repeating: 7, count: 100)).write(to: URL(filePath: "\(folder)/quay.png"))
    let attachment = WireEncoder.attachment(
      Attachment(id: "5", kind: .image, url: "https://\(ScriptedTimeline.host)/media/5.png"))
    let described = Mutex<[String]>([])
    let server = ScriptedTimeline([1])
    var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host)
    info.limits.uploads = ServerInfo.Uploads(types: ["image/png"], bytes: 3000, pixels: 0, altTextCharacters: 20)
    let body = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(body) }
    server.handle(.post, "/api/v2/media") { _ in .json(attachment) }
    server.handle(.put, "/api/v1/media/5") { request in
      described.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      return .json(attachment)
    }
    let given = GivenEntry(
      target: .new, text: Self.text, visibility: .public,
      options: ["--attach \(folder)/quay.png", "--alt Boats at noon"])
    let screen = try await screen(given, on: server)
    screen.strike("c")
    try await screen.wait(for: "the upload") { screen.text.contains("\(EntryFileWords.uploaded)  “Boats at noon”") }
    await screen.settle()
    await screen.press("^D")
    #expect(server.posted.map(\.text) == [Self.text] && server.posted.map(\.media) == [["5"]])
    #expect(described.withLock { $0 } == [#"{"description":"Boats at noon"}"#])
  }

  @Test func `the publishing time from a command is saved with the draft`() async throws {
    let given = GivenEntry(target: .new, text: Self.text, visibility: .public, options: ["--at 2h"])
    let screen = try await screen(given, on: ScriptedTimeline([1]))
    for _ in 1...2 {
      await screen.press("c")
      #expect(screen.text.contains("\(EntryWords.timeLabel)  2h"), "\(screen.text)")
      await screen.press("Esc")
    }
  }

  @Test(arguments: [ThreadForm.plain, .numbered])
  func `a long text is posted as a thread if the command requested it`(form: ThreadForm) async throws {
    let text = (1...25).map { "This is sentence number \($0)." }.joined(separator: " ")
    let options = form == .numbered ? ["--thread", "--numbered"] : ["--thread"]
    let given = GivenEntry(target: .new, text: text, visibility: .public, options: options)
    let server = ScriptedTimeline([1])
    let screen = try await screen(given, on: server)
    await screen.press("c")
    #expect(screen.text.contains(EntryWords.parts(2, form)), "\(screen.text)")
    await screen.press("^D")
    #expect(server.posted.count == 2 && server.posted.first?.text.hasSuffix("(1/2)") == (form == .numbered))
  }
}
