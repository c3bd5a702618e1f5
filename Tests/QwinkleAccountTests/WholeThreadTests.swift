import FoundationEssentials
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import HTTPTypes
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Threads that are complete only on the author's server.
@MainActor
@Suite(.bounded) struct WholeThreadTests {
  private static func qwink(_ id: String, url: String, parent: String? = nil) -> Qwink {
    var qwink = Qwink.sample(id: .init(id), author: .sample("ben"))
    qwink.url = url
    qwink.inReplyTo = parent.map { Qwink.ID($0) }
    return qwink
  }

  private let known = qwink("6", url: "https://third.example/@carol/6", parent: "5")

  /// Returns a connection to tilde.example, whose domain is town.example, and a client for other servers, which answer
  /// with `script`.
  ///
  /// - Parameter answers: Responses of tilde.example by path without query.
  private func connections(
    own answers: [String: [UInt8]] = [:], _ script: @escaping ScriptedTransport.Script
  ) -> (connection: AccountConnection, others: OtherServers, asked: ScriptedTransport) {
    let own = ScriptedTransport { request in
      let path = String((request.head.path ?? "").prefix { $0 != "?" })
      if let answer = answers[path] { return .json(answer) }
      guard path.hasSuffix("/instance") else { return .json(Array("[]".utf8)) }
      return .json(WireEncoder.serverInfoV2(ServerInfo(title: "Town", domain: "town.example")))
    }
    let other = ScriptedTransport(script)
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger, transport: { own })
    let others = OtherServers(clock: clock) { server in
      DownloadService(configuration: .init(serverURL: server), ledger: ledger, transport: { other })
    }
    return (AccountConnection(service: service, clock: clock, isSignedIn: true), others, other)
  }

  @Test func `replies found only on the author's server are added with URLs as ids`() async throws {
    let there = QwinkThread(descendants: [
      Self.qwink("206", url: "https://third.example/@carol/6", parent: "109"),
      Self.qwink("207", url: "https://social.example/@ben/207", parent: "206"),
      Self.qwink("208", url: "https://social.example/@ben/208", parent: "207"),
    ])
    let (connection, others, asked) = connections { _ in .json(WireEncoder.thread(there)) }
    let focus = Self.qwink("5", url: "https://social.example/@anna/109")
    let thread = try await connection.whole(QwinkThread(descendants: [known]), around: focus, asking: others)
    #expect(
      thread.descendants.map(\.id) == ["6", "https://social.example/@ben/207", "https://social.example/@ben/208"])
    #expect(thread.descendants.map(\.inReplyTo) == ["5", "6", "https://social.example/@ben/207"])
    #expect(asked.requests.map(\.url) == ["https://social.example/api/v1/statuses/109/context"])
    #expect(asked.requests.allSatisfy { $0.field("Authorization") == nil }, "a stranger asks")
  }

  @Test(arguments: ["https://tilde.example/@anna/5", "https://town.example/@anna/5", nil])
  func `a thread of the user's own server needs no other server`(url: String?) async throws {
    let (connection, others, asked) = connections { _ in .json(WireEncoder.thread(QwinkThread())) }
    var focus = Self.qwink("5", url: "")
    focus.url = url
    let here = QwinkThread(descendants: [known])
    #expect(try await connection.whole(here, around: focus, asking: others) == here)
    #expect(asked.requests.isEmpty)
  }

  @Test func `replies from the author's server by muted and blocked users are left out`() async throws {
    func reply(_ id: String, by author: Qwinker, to parent: String = "109") -> Qwink {
      var qwink = Self.qwink(id, url: "https://social.example/\(id)", parent: parent)
      qwink.author = author
      return qwink
    }
    // Ids on social.example. On tilde.example, some of them belong to other accounts.
    let ben = Qwinker(id: "1", userName: "ben")
    let carol = Qwinker(id: "2", userName: "carol", handle: "carol@Third.example")
    let dora = Qwinker(id: "3", userName: "dora", handle: "dora@fourth.example")
    let erin = Qwinker(id: "4", userName: "erin", handle: "erin@third.example")
    var quoting = reply("306", by: erin)
    quoting.quote = Qwink.Quote(
      id: "9", author: ben, text: RichText(plain: "The secret"), url: "https://social.example/9", state: .accepted)
    var quotingBlocked = reply("307", by: erin)
    quotingBlocked.quote = Qwink.Quote(
      id: "10", author: carol, text: RichText(plain: "Hers"), url: "https://third.example/10", state: .accepted)
    let there = QwinkThread(
      ancestors: [reply("301", by: carol)],
      descendants: [
        reply("302", by: ben), reply("303", by: carol), reply("304", by: dora), reply("305", by: erin), quoting,
        quotingBlocked,
      ])
    let answers = [
      "/api/v1/mutes": WireEncoder.qwinkers([
        Qwinker(id: "21", userName: "ben", handle: "Ben@social.example"), Qwinker(id: "4", userName: "frank"),
      ]),
      "/api/v1/blocks": WireEncoder.qwinkers([Qwinker(id: "22", userName: "carol", handle: "carol@third.example")]),
      "/api/v1/domain_blocks": WireEncoder.strings(["FOURTH.example"]),
    ]
    let (connection, others, _) = connections(own: answers) { _ in .json(WireEncoder.thread(there)) }
    let focus = Self.qwink("5", url: "https://social.example/@anna/109")
    let thread = try await connection.whole(QwinkThread(), around: focus, asking: others)
    #expect(thread.ancestors.isEmpty)
    #expect(thread.descendants.map(\.id) == ["305", "306", "307"].map { Qwink.ID("https://social.example/\($0)") })
    #expect(thread.descendants.map { $0.quote?.state } == [nil, .mutedAccount, .blockedAccount])
  }

  @Test func `the user's own filters match replies from the author's server`() async throws {
    let filters = [
      ContentFilter(id: "3", title: "Tea", keywords: [.init(text: "tea")]),
      ContentFilter(id: "4", title: "That one", statuses: ["88"]),
    ]
    var named = Self.qwink("208", url: "https://social.example/208", parent: "109")
    named.text = RichText(plain: "Coffee")
    var tea = Self.qwink("207", url: "https://social.example/207", parent: "109")
    tea.text = RichText(plain: "Tea!")
    tea.filterMatches = [FilterMatch(id: "9", title: "Theirs", hides: true, contexts: [])]
    let there = QwinkThread(descendants: [tea, named])
    let answers = [
      "/api/v2/filters": WireEncoder.filters(filters),
      "/api/v1/statuses/88": WireEncoder.qwink(Self.qwink("88", url: "https://social.example/208")),
    ]
    let (connection, others, _) = connections(own: answers) { _ in .json(WireEncoder.thread(there)) }
    let focus = Self.qwink("5", url: "https://social.example/@anna/109")
    let thread = try await connection.whole(QwinkThread(), around: focus, asking: others)
    #expect(thread.descendants.map { $0.filterMatches.map(\.title) } == [["Tea"], ["That one"]])
  }

  @Test func `the author's server is not used if the lists of hidden users fail to load`() async throws {
    let own = ScriptedTransport { request in
      if request.head.path?.hasPrefix("/api/v1/blocks") == true { throw TransportError.timedOut(host: "tilde.example") }
      return .json(Array("[]".utf8))
    }
    let there = QwinkThread(descendants: [Self.qwink("207", url: "https://social.example/207")])
    let other = ScriptedTransport { _ in .json(WireEncoder.thread(there)) }
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger, transport: { own })
    let others = OtherServers(clock: clock) { server in
      DownloadService(configuration: .init(serverURL: server), ledger: ledger, transport: { other })
    }
    let connection = AccountConnection(service: service, clock: clock, isSignedIn: true)
    let error = await #expect(throws: ForeignThreadError.self) {
      try await connection.whole(
        QwinkThread(), around: Self.qwink("5", url: "https://social.example/@anna/109"), asking: others)
    }
    #expect(error?.sentence.contains("tilde.example") == true)
  }

  @Test(arguments: [
    "https://127.0.0.1/@anna/109", "http://social.example/@anna/109", "https://social.example/objects/ab-cd",
  ])
  func `a server that is local or has no TLS or ids in its URLs is not asked`(url: String) async throws {
    let (connection, others, asked) = connections { _ in .json(WireEncoder.thread(QwinkThread())) }
    let error = await #expect(throws: ForeignThreadError.self) {
      try await connection.whole(QwinkThread(), around: Self.qwink("5", url: url), asking: others)
    }
    let host = try #require(WebAddress(url)).hostName.words
    #expect(error == .notReadable(host: host))
    #expect(asked.requests.isEmpty)
  }

  @Test func `a server that requires sign-in or cannot be reached is reported`() async throws {
    let focus = Self.qwink("5", url: "https://social.example/@anna/109")
    let (connection, refusing, _) = connections { _ in
      .json(WireEncoder.error("This API requires an authenticated user"), status: 401)
    }
    let refused = await #expect(throws: ForeignThreadError.self) {
      try await connection.whole(QwinkThread(), around: focus, asking: refusing)
    }
    #expect(refused == .notReadable(host: "social.example"))
    let (another, silent, _) = connections { _ in throw TransportError.timedOut(host: "social.example") }
    let failed = await #expect(throws: ForeignThreadError.self) {
      try await another.whole(QwinkThread(), around: focus, asking: silent)
    }
    #expect(failed?.sentence.contains("social.example") == true && failed != refused)
  }
}
