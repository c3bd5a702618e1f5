import QwinkleModel
import QwinkleService
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount

/// An account on a server that behaves like snac.
@MainActor
@Suite(.bounded) struct SnacAccountTests {
  private func run(
    _ server: SnacServer = SnacServer(), _ body: @MainActor (LoopbackAccount) async throws -> Void
  ) async throws {
    try await LoopbackAccount.run({ server.answer($0) }, body)
  }

  // MARK: Posting

  @Test func `a post whose response was lost is found on the server and not sent again`() async throws {
    let snac = SnacServer()
    snac.lose(.answer)
    try await run(snac) { run in
      run.account.identity.identify()
      await run.refresh(.home)
      let outgoing = OutgoingEntry.sample("Only once")
      run.account.posts.send(outgoing, as: outgoing.entry)
      await run.settle()
      #expect(run.account.outbox.items.map(\.state) == [.uncertain])
      await run.pass(.seconds(60))
      #expect(run.account.outbox.items.isEmpty && run.witness.posted.map(\.text.plainText) == ["Only once"])
      #expect(run.server.requests.count { $0.method == "POST" } == 1)
      #expect(run.places.contains("/api/v1/accounts/\(SnacServer.me)/statuses"))
      #expect(snac.statuses.count == 21)
      #expect(run.rows(of: .home).count { $0.text.plainText == "Only once" } == 1)
    }
  }

  @Test func `a post whose request was lost is sent again once after a search`() async throws {
    let snac = SnacServer()
    snac.lose(.request)
    try await run(snac) { run in
      run.account.identity.identify()
      await run.settle()
      let outgoing = OutgoingEntry.sample("Only once")
      run.account.posts.send(outgoing, as: outgoing.entry)
      await run.settle()
      await run.pass(.seconds(60))
      #expect(run.account.outbox.items.isEmpty && run.witness.posted.count == 1)
      #expect(run.server.requests.count { $0.method == "POST" } == 2 && snac.statuses.count == 21)
      let requests = run.server.requests.map { "\($0.method) \($0.place)" }
      let look = try #require(requests.firstIndex(of: "GET /api/v1/accounts/\(SnacServer.me)/statuses"))
      #expect(requests[look...].contains("POST /api/v1/statuses"))
    }
  }

  @Test func `an edit with a new id replaces its row and later actions use the new id`() async throws {
    let old: Qwink.ID = "1795226033a86361858aa6a4e4435198c0aa8cc0dc"
    let new: Qwink.ID = "1795300099a86361858aa6a4e4435198c0aa8cc0dc"
    try await run { run in
      run.account.identity.identify()
      await run.refresh(.home)
      let place = try #require(run.rows(of: .home).firstIndex { $0.id == old })
      let outgoing = OutgoingEntry.sample("After the edit", purpose: .edit(run.rows(of: .home)[place]))
      run.account.posts.send(outgoing, as: outgoing.entry)
      await run.settle()
      #expect(run.server.requests.last { $0.method == "PUT" }?.place == "/api/v1/statuses/\(old)")
      #expect(run.rows(of: .home).count == 20 && !run.rows(of: .home).contains { $0.id == old })
      let edited = run.rows(of: .home)[place]
      #expect(edited.id == new && edited.text.plainText == "After the edit")
      run.account.reactions.react(to: edited, with: .favourite, isOn: true)
      await run.settle()
      #expect(run.server.requests.last { $0.method == "POST" }?.place == "/api/v1/statuses/\(new)/favourite")
      #expect(run.rows(of: .home)[place].isFavourite)
      await run.refresh(.home)
      #expect(run.rows(of: .home).map(\.id).filter { $0 == new } == [new] && run.rows(of: .home).count == 20)
    }
  }

  @Test func `a status edited elsewhere is shown once under its new id`() async throws {
    let snac = SnacServer()
    try await run(snac) { run in
      await run.refresh(.home)
      let before = run.rows(of: .home).map(\.id.rawValue)
      let edit = try #require(before.firstIndex(of: "1795226033a86361858aa6a4e4435198c0aa8cc0dc"))
      snac.edit(before[edit], to: "Edited elsewhere")
      await run.refresh(.home)
      let after = run.rows(of: .home)
      #expect(after.count == 20 && after[edit].text.plainText == "Edited elsewhere")
      #expect(after.map(\.id.rawValue).enumerated().allSatisfy { $0 == edit || $1 == before[$0] })
    }
  }

  @Test func `an edit loaded by one timeline replaces the row in the others`() async throws {
    let snac = SnacServer()
    let old: Qwink.ID = "1795226033a86361858aa6a4e4435198c0aa8cc0dc"
    try await run(snac) { run in
      await run.refresh(.home)
      let place = try #require(run.rows(of: .home).firstIndex { $0.id == old })
      snac.edit(old.rawValue, to: "Edited elsewhere")
      await run.refresh(.public)
      let rows = run.rows(of: .home)
      #expect(rows[place].id == "1795300099a86361858aa6a4e4435198c0aa8cc0dc" && rows.count == 20)
      #expect(rows[place].text.plainText == "Edited elsewhere" && !rows.contains { $0.id == old })
    }
  }

  @Test func `a page with both versions of an edited status shows the later one`() async throws {
    let recorded = RecordedAnswers(of: "snac").items("timelines_home")
    let former = try #require(recorded.first { $0.id == "1795226033a86361858aa6a4e4435198c0aa8cc0dc" })
    let later = former.with([
      "id": "1795300099a86361858aa6a4e4435198c0aa8cc0dc", "edited_at": "2026-11-22T10:00:00Z",
    ])
    try await LoopbackAccount.run({ request in
      request.place == "/api/v1/timelines/home"
        ? .json(([later] + recorded).list).then(.close) : HabitServer.snac(request)
    }) { run in
      await run.refresh(.home)
      let ids = run.rows(of: .home).map(\.id.rawValue)
      #expect(ids.contains(later.id) && !ids.contains(former.id) && ids.count == recorded.count)
    }
  }

  @Test func `a status that cannot be deleted stays and the failure is reported`() async throws {
    try await run { run in
      await run.refresh(.home)
      let qwink = try #require(run.rows(of: .home).first { $0.author.id.rawValue == SnacServer.me })
      run.account.posts.delete(qwink)
      await run.settle()
      #expect(run.server.requests.contains { $0.method == "DELETE" })
      #expect(run.witness.undeletable == [qwink.originalID] && run.witness.deleted.isEmpty)
      #expect(run.rows(of: .home).contains { $0.id == qwink.id })
      // The 404 may concern this status alone.
      #expect(run.account.connection.abilities[.deletion] == nil)
    }
  }

  // MARK: Requests

  @Test func `missing streams are tried once and the server is polled every minute`() async throws {
    try await LoopbackAccount.run({ HabitServer.snac($0) }, listens: true) { run in
      run.account.start()
      await run.settle()
      #expect(run.account.identity.serverInfo?.streamingURL == "wss://\(run.server.host)")
      func tried() -> [String] {
        run.server.requests.map(\.path).filter { $0.hasPrefix("/api/v1/streaming") }
      }
      try await wait(for: "five attempts", showing: { "\(tried())" }) { tried().count == 5 }
      #expect(
        Set(tried()) == [
          "/api/v1/streaming", "/api/v1/streaming?stream=user", "/api/v1/streaming?stream=direct",
          "/api/v1/streaming/user", "/api/v1/streaming/direct",
        ])
      let asked = run.places.count { $0 == "/api/v1/notifications" }
      await run.pass(.seconds(1500))
      #expect(tried().count == 5 && !run.account.live.isOpen)
      #expect(run.places.count { $0 == "/api/v1/notifications" } >= asked + 20)
    }
  }

  @Test func `mentions distinguish direct messages from followers-only posts`()
    async throws
  {
    let recorded = RecordedAnswers(of: "snac").items("timelines_home")
    let carol = try #require(recorded.first { $0.id == "179522602186d003cce6613a13ada70648b9628bc9" })
    let post = carol.with([
      "id": "1795226099ffffffffffffffffffffffffffffffff", "content": "For my followers.<br>",
      "mentions": [String](),
    ])
    try await LoopbackAccount.run({ request in
      request.place == "/api/v1/timelines/home"
        ? .json(([post] + recorded).list).then(.close) : HabitServer.snac(request)
    }) { run in
      run.account.start()
      await run.refresh(.home)
      let inbox = run.account.inbox
      #expect(run.rows(of: .home).count { $0.visibility == .private } == 5)
      #expect(inbox.serverListsNone && inbox.conversations.count == 2)
      let people = inbox.conversations.map { Set($0.participants.map(\.userName)) }
      #expect(Set(people) == [["bob"], ["carol", "bob"]])
      #expect(inbox.conversations.allSatisfy { $0.lastQwink?.isAudienceUnclear == true })
      let row = try #require(run.rows(of: .home).first)
      #expect(row.text.plainText == "For my followers." && !inbox.isMessage(row))
    }
  }

  @Test func `the default visibility needs no request for preferences`() async throws {
    try await run { run in
      run.account.start()
      await run.refresh(.home)
      #expect(run.account.identity.usualVisibility == .public)
      #expect(!run.places.contains("/api/v1/preferences") && run.witness.failures.isEmpty)
    }
  }

  @Test func `a boost and its original are two rows that share reactions`() async throws {
    let id: Qwink.ID = "1795226000610980d41bd6c4b9986dc731235084dc"
    var items = RecordedAnswers(of: "snac").items("timelines_public")
    let boost = try #require(items.firstIndex { $0.id == id.rawValue })
    items.insert(try #require(items[boost].item("reblog")), at: boost)
    let (page, original) = (items.list, items[boost])
    try await LoopbackAccount.run({ request in
      switch request.place {
      case "/api/v1/timelines/public": .json(page).then(.close)
      case "/api/v1/statuses/\(id)/favourite": .json(original.with(["favourited": true]).body).then(.close)
      default: HabitServer.snac(request)
      }
    }) { run in
      await run.refresh(.public)
      let rows = run.rows(of: .public).filter { $0.id == id }
      #expect(rows.map(\.booster?.userName) == [nil, "carol"] && run.rows(of: .public).count == 32)
      run.account.reactions.react(to: rows[1], with: .favourite, isOn: true)
      await run.settle()
      #expect(run.rows(of: .public).filter { $0.id == id }.map(\.isFavourite) == [true, true])
      await run.refresh(.public)
      #expect(run.rows(of: .public).count == 32)
    }
  }
}
