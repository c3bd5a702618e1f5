import FoundationEssentials
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Threads that only the author's server has all of.
@MainActor
@Suite(.bounded) struct WholeThreadTests {
  private static func qwink(_ id: String, url: String, parent: String? = nil) -> Qwink {
    var qwink = Qwink.sample(id: .init(id), author: .sample("ben"))
    qwink.url = url
    qwink.inReplyTo = parent.map { Qwink.ID($0) }
    return qwink
  }

  private let known = qwink("6", url: "https://third.example/@carol/6", parent: "5")

  /// A connection to tilde.example, which calls itself town.example, and what asks other servers: these answer with
  /// `script`.
  private func connections(
    _ script: @escaping ScriptedTransport.Script
  ) -> (connection: AccountConnection, others: OtherServers, asked: ScriptedTransport) {
    let own = ScriptedTransport { _ in
      .json(WireEncoder.serverInfoV2(ServerInfo(title: "Town", domain: "town.example")))
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

  @Test func `what only the author's server has joins the thread, with addresses as ids`() async throws {
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
  func `the own server's threads are whole, and nobody else is asked`(url: String?) async throws {
    let (connection, others, asked) = connections { _ in .json(WireEncoder.thread(QwinkThread())) }
    var focus = Self.qwink("5", url: "")
    focus.url = url
    let here = QwinkThread(descendants: [known])
    #expect(try await connection.whole(here, around: focus, asking: others) == here)
    #expect(asked.requests.isEmpty)
  }

  @Test(arguments: [
    "https://127.0.0.1/@anna/109", "http://social.example/@anna/109", "https://social.example/objects/ab-cd",
  ])
  func `a server nearby, without TLS or without ids in its addresses is not asked`(url: String) async throws {
    let (connection, others, asked) = connections { _ in .json(WireEncoder.thread(QwinkThread())) }
    let error = await #expect(throws: ForeignThreadError.self) {
      try await connection.whole(QwinkThread(), around: Self.qwink("5", url: url), asking: others)
    }
    let host = try #require(WebAddress(url)).hostName.words
    #expect(error == .notReadable(host: host))
    #expect(asked.requests.isEmpty)
  }

  @Test func `a server that refuses strangers, or can't be reached, is told in a sentence`() async throws {
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
