import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct ReactionTests {
  private func counts(_ screen: Screen) -> String { screen.lines.first { $0.contains("@") && $0.hasPrefix("▌") } ?? "" }

  @Test(arguments: [("b", "↻1", "reblog"), ("f", "★1", "favourite"), ("m", "⚑", "bookmark")])
  func `a reaction shows before the response and a second key press undoes it`(
    key: String, sign: String, verb: String
  ) async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike("j", key)
    #expect(counts(screen).contains(sign))
    #expect(screen.status.contains(withKeys(ActionWords.undoable(""))))
    try await screen.wait(for: "the request") { !server.reactions.seen.isEmpty }
    screen.strike(key)
    #expect(!counts(screen).contains(sign))
    gate.open()
    await screen.settle()
    #expect(!counts(screen).contains(sign))
    #expect(server.reactions.seen == ["POST 2/\(verb)", "POST 2/un\(verb)"])
  }

  @Test(arguments: [("b", Action.boost), ("m", .bookmark)])
  func `a hint shows its key's current effect`(key: String, action: Action) async throws {
    let hint = try Screen.hint(for: action)
    let reacted = ScriptedTimeline.qwink(3).setting(.boost, to: true).setting(.bookmark, to: true)
    let undo = try #require(ActionWords.hints(for: reacted)[action])
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), columns: 110)
    #expect(screen.status.contains(hint))
    await screen.press(key)
    #expect(screen.status.contains("\(key) \(undo)"), "\(screen.status)")
    await screen.press("j")
    #expect(screen.status.contains(hint))
    await screen.press("k", key)
    #expect(screen.status.contains(hint))
  }

  @Test func `repeated keys during a request end in the last state`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike("f", "f", "f", "f", "f")
    gate.open()
    await screen.settle()
    #expect(counts(screen).contains("★1"))
    #expect(server.reactions.seen == ["POST 3/favourite"])
  }

  @Test func `u undoes the latest action first until none is left`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    await screen.press("f", "j", "m", "u", "u")
    #expect(
      server.reactions.seen == ["POST 3/favourite", "POST 2/bookmark", "POST 2/unbookmark", "POST 3/unfavourite"])
    #expect(!screen.text.contains("★"))
    #expect(!screen.text.contains("⚑"))
    await screen.press("u")
    #expect(screen.status.contains(MainWords.nothingToUndo))
    #expect(server.reactions.seen.count == 4)
  }

  @Test func `a failed reaction is reverted and u ignores it`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    server.reactions.fail(with: .local(reason: "No room."))
    await screen.press("b")
    #expect(!counts(screen).contains("↻"))
    #expect(screen.status.contains(FailureWords.failed(FailureWords.reacting(.boost, isOn: true))))
    await screen.press("u")
    #expect(server.reactions.seen == ["POST 3/reblog"])
  }

  @Test func `a failed reaction reverts only itself`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    server.reactions.fail(with: .local(reason: "No room."))
    screen.strike("b", "f", "m")
    #expect(counts(screen).contains("↻1") && counts(screen).contains("★1"))
    gate.open()
    await screen.settle()
    #expect(Set(server.reactions.seen) == ["POST 3/reblog", "POST 3/favourite", "POST 3/bookmark"])
    let signs = ["↻", "★", "⚑"].filter { counts(screen).contains($0) }
    #expect(signs.count == 2, "one failed: \(counts(screen))")
  }

  @Test(arguments: ["bfm", "bmf", "fbm", "fmb", "mbf", "mfb"])
  func `each reaction follows its own response in any order`(order: String) async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    let reactions: [Character: (verb: String, reaction: Reaction)] = [
      "b": ("reblog", .boost), "f": ("favourite", .favourite), "m": ("bookmark", .bookmark),
    ]
    var gates: [Character: Gate] = [:]
    for (key, (verb, reaction)) in reactions {
      let gate = Gate()
      gates[key] = gate
      // Each response is created before the server receives the other requests.
      server.handle(.post, "/api/v1/statuses/3/\(verb)") { _ in
        await gate.whenOpen()
        return .json(WireEncoder.qwink(ScriptedTimeline.qwink(3).setting(reaction, to: true)))
      }
    }
    screen.strike("b", "f", "m")
    for key in order {
      let waiting = screen.ledger.inProgress.count
      gates[key]?.open()
      try await screen.wait(for: "the answer to \(key)") { screen.ledger.inProgress.count != waiting }
      #expect(["↻1", "★1", "⚑"].allSatisfy { counts(screen).contains($0) }, "after \(key): \(counts(screen))")
    }
    await screen.settle()
    #expect(["↻1", "★1", "⚑"].allSatisfy { counts(screen).contains($0) }, "\(counts(screen))")
  }

  @Test func `an older response does not restore an undone reaction`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    await screen.press("b")
    let gate = Gate()
    server.handle(.post, "/api/v1/statuses/3/favourite") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwink(ScriptedTimeline.qwink(3).setting(.favourite, to: true).setting(.boost, to: true)))
    }
    screen.strike("f")
    screen.strike("b")
    try await screen.wait(for: "the other answer") { screen.ledger.inProgress.count <= 1 }
    #expect(server.reactions.seen == ["POST 3/reblog", "POST 3/unreblog"])
    gate.open()
    await screen.settle()
    #expect(!counts(screen).contains("↻") && counts(screen).contains("★1"), "\(counts(screen))")
  }

  @Test func `a page from before a reaction does not undo it on screen or in the cache`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.handle(.get, "/api/v1/timelines/public") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwinks([3, 2, 1].map(ScriptedTimeline.qwink)))
    }
    screen.strike("R")
    screen.strike("f")
    try await screen.wait(for: "the reaction's answer") { !screen.ledger.inProgress.contains("reacting") }
    gate.open()
    await screen.settle()
    #expect(counts(screen).contains("★1"), "\(counts(screen))")
    server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    let later = try Screen(server, in: screen.folder)
    #expect(counts(later).contains("★1"), "\(counts(later))")
  }

  @Test func `a response to one reaction does not hide another pending one`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.handle(.post, "/api/v1/statuses/3/favourite") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwink(ScriptedTimeline.qwink(3).setting(.favourite, to: true).setting(.boost, to: true)))
    }
    screen.strike("f", "b")
    try await screen.wait(for: "the boost's answer") {
      server.reactions.seen == ["POST 3/reblog"] && screen.ledger.inProgress.count <= 1
    }
    #expect(counts(screen).contains("↻1") && counts(screen).contains("★1"))
    gate.open()
    await screen.settle()
    #expect(counts(screen).contains("↻1") && counts(screen).contains("★1"))
  }

  @Test func `a reaction shows in the thread and in every row of its qwink`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    var boosted = ScriptedTimeline.qwink(1)
    boosted.id = "b1"
    boosted.originalID = "1"
    boosted.booster = .sample("carol")
    server.add([boosted])
    let screen = try await Screen.settled(server)
    await screen.press("f")
    // The qwink and its boost are one row on screen.
    #expect(screen.lines.count { $0.contains("★1") } == 1)
    #expect(screen.account.timelines.timeline(.public).items.count { $0.isFavourite && $0.originalID == "1" } == 2)
    #expect(server.reactions.seen == ["POST 1/favourite"])
    await screen.press("Enter")
    #expect(screen.text.contains("★ 1"))
    await screen.press("f")
    #expect(!screen.text.contains("★"))
    await screen.press("Esc")
    #expect(!screen.text.contains("★"))
  }

  @Test func `a private qwink cannot be boosted`() async throws {
    let server = ScriptedTimeline([3])
    var secret = ScriptedTimeline.qwink(2)
    secret.visibility = .direct
    var forFollowers = ScriptedTimeline.qwink(1)
    forFollowers.visibility = .private
    server.add([secret, forFollowers])
    let screen = try await Screen.settled(server, columns: 100)
    let (reply, boost) = (try Screen.hint(for: .reply), try Screen.hint(for: .boost))
    #expect(screen.status.contains(reply) && !screen.status.contains(boost))
    await screen.press("Enter")
    #expect(screen.status.contains(reply) && !screen.status.contains(boost))
    await screen.press("Esc", "b")
    #expect(screen.status.contains(ActionWords.cannotBoost(.direct)))
    await screen.press("j", "b")
    #expect(screen.status.contains(ActionWords.cannotBoost(.private)))
    #expect(server.reactions.seen.isEmpty)
  }

  @Test func `a signed-out reader is shown how to sign in`() async throws {
    let server = ScriptedTimeline([3])
    let screen = try await Screen.settled(server, isSignedIn: false)
    let sentences = [MainWords.thisNeedsAccount, MainWords.writingNeedsAccount]
    for key in ["b", "f", "m", "r", "p", "e", "d"] {
      await screen.press(key)
      #expect(sentences.contains { screen.status.contains($0) }, "\(key): \(screen.status)")
    }
    #expect(server.reactions.seen.isEmpty)
  }

  @Test func `d deletes the user's own qwink after a question and no other qwink`() async throws {
    let server = ScriptedTimeline([3])
    server.add([.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)])
    let screen = try await Screen.settled(server)
    // A key held down doesn't confirm.
    await screen.press("d", "d")
    #expect(screen.text.contains("Mine"))
    await screen.press("d", "n")
    #expect(screen.text.contains("Mine"))
    // Enter doesn't confirm either.
    await screen.press("d", "Enter")
    #expect(screen.text.contains("Mine") && server.reactions.seen.isEmpty)
    await screen.press("d")
    #expect(screen.text.contains(ActionWords.deleteQuestion(hasReplies: false)))
    await screen.press("y")
    #expect(!screen.text.contains("Mine"))
    #expect(server.reactions.seen == ["DELETE 77"])
    await screen.press("d")
    #expect(screen.status.contains(ActionWords.cannotDelete))
    #expect(server.reactions.seen == ["DELETE 77"])
  }

  private func withMine() async throws -> Screen {
    let server = ScriptedTimeline([3])
    server.add([.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)])
    return try await Screen.settled(server, columns: 120)
  }

  @Test func `a deletion whose response was lost is retried and removes the row`() async throws {
    let screen = try await withMine()
    screen.server.reactions.fail(with: .interrupted(host: ScriptedTimeline.host))
    await screen.press("d", "y")
    #expect(screen.status.contains(EntryWords.queuedOffline) && screen.text.contains("Mine"))
    let gone = TransportResponse.json(WireEncoder.error("Record not found"), status: 404)
    screen.server.handle(.delete, "/api/v1/statuses/77") { _ in gone }
    screen.server.handle(.get, "/api/v1/statuses/77") { _ in gone }
    await screen.pass(.seconds(10))
    #expect(!screen.text.contains("Mine"))
    #expect(screen.status.contains(MainWords.deleted))
  }

  @Test func `a server that cannot delete is reported and the row stays`() async throws {
    let screen = try await withMine()
    screen.server.handle(.delete, "/api/v1/statuses/77") { _ in .text("<h1>404 Not Found</h1>", status: 404) }
    screen.server.handle(.get, "/api/v1/statuses/77") { _ in
      .json(WireEncoder.qwink(.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)))
    }
    await screen.press("d", "y")
    #expect(screen.text.contains("Mine"))
    #expect(screen.status.contains(MainWords.cannotDelete))
    #expect(!screen.status.contains(DownloadError.notFound(host: ScriptedTimeline.host, message: "").advice))
  }

  @Test func `an edit that changes a qwink's ID updates its row and the cache`() async throws {
    let screen = try await withMine()
    screen.server.handle(.put, "/api/v1/statuses/77") { _ in
      var edited = Qwink.sample(id: "78", text: "Mended", author: .sample("mara"), at: ScriptedTimeline.start)
      edited.editedAt = ScriptedTimeline.start
      return .json(WireEncoder.qwink(edited))
    }
    await screen.press("m")
    screen.account.posts.edit("77", Entry(text: "Mended", idempotencyKey: "k"))
    await screen.settle()
    #expect(screen.text.contains("Mended") && !screen.text.contains("Mine"))
    screen.server.replace(with: [.sample(id: "78", text: "Mended", author: .sample("mara")), ScriptedTimeline.qwink(3)])
    await screen.press("f", "u", "m")
    #expect(
      screen.server.reactions.seen.suffix(3) == ["POST 78/favourite", "POST 78/unfavourite", "POST 78/bookmark"])
    screen.server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    let later = try Screen(screen.server, in: screen.folder)
    #expect(later.text.contains("Mended") && !later.text.contains("Mine"), "\(later.text)")
  }

  @Test func `an edited qwink already fetched under its new ID is listed once`() async throws {
    let screen = try await withMine()
    let gate = Gate()
    let edited = Qwink.sample(id: "78", text: "Mended", author: .sample("mara"), at: ScriptedTimeline.start)
    screen.server.handle(.put, "/api/v1/statuses/77") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwink(edited))
    }
    screen.account.posts.edit("77", Entry(text: "Mended", idempotencyKey: "k"))
    screen.server.replace(with: [edited, ScriptedTimeline.qwink(3)])
    screen.strike("R")
    // The page is drawn before the response to the edit arrives.
    try await screen.wait(for: "the page") { screen.text.contains("Mended") }
    gate.open()
    await screen.settle()
    let list = screen.lines.map { $0.prefix { $0 != "│" } }
    #expect(list.count { $0.contains("Mended") } == 1 && !list.contains { $0.contains("Mine") })
  }

  @Test func `a failed deletion is reported and keeps the row`() async throws {
    let server = ScriptedTimeline([3])
    server.add([.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)])
    let screen = try await Screen.settled(server)
    server.reactions.fail(with: .local(reason: "No room."))
    await screen.press("d", "y")
    #expect(screen.text.contains("Mine"))
    #expect(screen.status.contains(FailureWords.failed(FailureWords.deleting)))
  }
}
