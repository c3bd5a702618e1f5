import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// No post reaches a wider audience than its author chose.
@MainActor
@Suite(.bounded) struct AudienceTests {
  /// A server that identifies the user when `gate` opens and reports `usual` as their default visibility. If nil, it
  /// reports none.
  private func server(usual: String?, gate: Gate? = nil) -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    let own = String(decoding: WireEncoder.qwinker(.sample("mara"), ownNote: ""), as: UTF8.self)
    let body = Array(
      own.replacing(#""privacy":"public""#, with: usual.map { #""privacy":"\#($0)""# } ?? #""nothing":0"#).utf8)
    server.handle(.get, "/api/v1/accounts/verify_credentials") { _ in
      await gate?.whenOpen()
      return .json(body)
    }
    return server
  }

  @Test(arguments: ["public", "unlisted"]) func `a choice with ^T is not undone by the server's default`(
    usual: String
  ) async throws {
    let gate = Gate()
    let server = server(usual: usual, gate: gate)
    let screen = try Screen(server)
    screen.strike("c", "^T")
    await screen.turn()
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    screen.type("Among us")
    await screen.press("^D")
    #expect(server.posted.map(\.visibility) == ["private"])
  }

  @Test func `nothing is sent without a chosen visibility until the default has loaded`() async throws {
    let gate = Gate()
    let server = server(usual: "private", gate: gate)
    let screen = try Screen(server)
    screen.strike("c")
    screen.type("Among us")
    screen.strike("^D")
    await screen.turn()
    #expect(server.posted.isEmpty)
    #expect(screen.text.contains(withKeys(EntryWords.audienceOpen)))
    #expect(screen.unwrapped.contains(EntryProblem.noAudience.sentence))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    #expect(server.posted.isEmpty)
    // The refusal no longer applies. A message explains this, so that ^D doesn't seem lost.
    #expect(!screen.unwrapped.contains(EntryProblem.noAudience.sentence))
    #expect(screen.text.contains(withKeys(EntryWords.visibilityKnown(.private))))
    await screen.press("^D")
    #expect(server.posted.map(\.visibility) == ["private"])
  }

  @Test func `a failed identification requires a choice of visibility`() async throws {
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/accounts/verify_credentials") { _ in
      throw TransportError.timedOut(host: ScriptedTimeline.host)
    }
    let screen = try await Screen.settled(server)
    await screen.press("c")
    screen.type("For whom?")
    await screen.press("^D")
    #expect(server.posted.isEmpty)
    await screen.press("^T")
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    await screen.press("^D")
    #expect(server.posted.map(\.visibility) == ["private"])
    // The choice doesn't carry over to the next entry.
    await screen.press("c")
    #expect(screen.text.contains(withKeys(EntryWords.audienceOpen)))
  }

  @Test func `a server without a default visibility requires a choice`() async throws {
    let server = server(usual: nil)
    let screen = try await Screen.settled(server)
    await screen.press("c")
    screen.type("For whom?")
    await screen.press("^D")
    #expect(server.posted.isEmpty)
    await screen.press("^T", "^T", "^T", "^D")
    #expect(server.posted.map(\.visibility) == ["public"])
  }

  @Test func `a visibility that was not chosen is required after a restart too`() async throws {
    let folder = TemporaryFolder()
    let server = server(usual: nil)
    let first = try await Screen.settled(server, in: folder)
    await first.press("c")
    first.type("For whom?")
    await first.press("Esc")
    first.kill()
    let second = try await Screen.settled(server, in: folder)
    await second.press("c", "^D")
    #expect(second.text.contains("For whom?"))
    #expect(server.posted.isEmpty)
  }

  @Test func `a reply can be direct and names its readers before it is sent`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    await screen.press("r")
    screen.type("Only you.")
    await screen.press("^T", "^T", "^T")
    let author = ScriptedTimeline.qwink(1).author.handle
    #expect(screen.text.contains(EntryWords.directOnly(to: "@\(author)")), "\(screen.text)")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.visibility) == ["direct"])
    #expect(screen.server.posted.map(\.parent) == ["1"])
    #expect(screen.status.contains(EntryWords.sent), "\(screen.status)")
  }

  @Test func `a direct qwink without a mention is not sent`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    await screen.press("c")
    screen.type("For whom?")
    await screen.press("^T", "^T", "^T")
    #expect(screen.text.contains(EntryWords.mentionsNobody), "\(screen.text)")
    await screen.press("^D")
    #expect(screen.text.contains(EntryProblem.namesNobody.sentence) && screen.server.posted.isEmpty)
    screen.type(" @erin")
    #expect(screen.text.contains(EntryWords.directOnly(to: "@erin")))
    await screen.press("^T")
    #expect(screen.text.contains(EntryWords.words(for: .public)))
    await screen.press("^T", "^T", "^T", "^D")
    #expect(screen.server.posted.map(\.visibility) == ["direct"])
  }

  @Test func `a visibility chosen for one entry does not apply to the next`() async throws {
    let server = server(usual: "private")
    let screen = try await Screen.settled(server)
    await screen.press("c", "^T", "^T")
    #expect(screen.text.contains(EntryWords.words(for: .public)))
    screen.type("For all")
    await screen.press("^D", "c")
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    screen.type("For some")
    await screen.press("^D")
    #expect(server.posted.map(\.visibility) == ["public", "private"])
  }

  @Test func `a default received while an entry is open does not widen its visibility`() async throws {
    let usual = server(usual: "private")
    let screen = try await Screen.settled(usual)
    await screen.press("c")
    screen.type("Among us")
    let body = WireEncoder.qwinker(.sample("mara"), ownNote: "")
    usual.handle(.get, "/api/v1/accounts/verify_credentials") { _ in .json(body) }
    screen.account.identity.identify()
    await screen.settle()
    #expect(screen.text.contains(EntryWords.words(for: .private)))
    await screen.press("^D")
    #expect(usual.posted.map(\.visibility) == ["private"])
  }

  @Test(arguments: [(24, 80), (24, 40), (12, 40), (8, 40), (6, 60)])
  func `no error covers the line with the visibility`(rows: Int, columns: Int) async throws {
    let server = server(usual: "private")
    server.losePosts(with: .local(reason: "tilde.example has no room."))
    let screen = try await Screen.settled(server, rows: rows, columns: columns)
    await screen.press("c")
    screen.type("Among us")
    await screen.press("^D")
    #expect(screen.text.contains("tilde.example"))
    #expect(screen.text.contains(EntryWords.name(of: .private)))
    let gate = Gate()
    server.holdPosts(by: gate)
    screen.strike("^D")
    await screen.turn()
    #expect(screen.text.contains(EntryWords.name(of: .private)))
    gate.open()
    await screen.settle()
  }

  @Test func `a resumed draft never has a wider visibility than before`() {
    var parent = Qwink.sample(id: "7", text: "Hello")
    parent.visibility = .private
    let draft = Entry(text: "@alice psst", visibility: .direct, idempotencyKey: "k")
    #expect(EntryRules(.reply(to: parent), me: nil).resume(draft).visibility == .direct)
    #expect(EntryRules(.new, me: nil).resume(draft).visibility == .direct)
  }
}
