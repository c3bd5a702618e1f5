import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Timelines of other servers, read without signing in there, and the user's server's copies of their qwinks.
@MainActor
@Suite(.bounded) struct RemotePagesTests {
  private static let local = "/api/v1/timelines/public?local=true"

  /// A user of tilde.example and a client for other servers.
  private struct Bench {
    let account: Account
    let own: ScriptedTransport
    let other: ScriptedTransport
    let ledger: ActivityLedger
  }

  /// - Parameters:
  ///   - server: The address of the user's server.
  ///   - copies: The results of a search on the user's server.
  private func bench(
    server: String = "https://tilde.example", copies: [Qwink] = [], searchStatus: Int = 200,
    _ script: @escaping ScriptedTransport.Script
  ) -> Bench {
    let own = ScriptedTransport { _ in
      .json(WireEncoder.searchResults(SearchResults(qwinks: copies)), status: searchStatus)
    }
    let other = ScriptedTransport(script)
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let account = Account(
      service: DownloadService(
        configuration: .init(serverURL: server, token: "secret"), ledger: ledger, transport: { own }),
      cache: nil, outgoing: nil, clock: clock, isSignedIn: true)
    account.others = OtherServers(clock: clock) { server in
      DownloadService(configuration: .init(serverURL: server), ledger: ledger, transport: { other })
    }
    return Bench(account: account, own: own, other: other, ledger: ledger)
  }

  nonisolated private static func qwink(_ id: String, by name: String = "anna") -> Qwink {
    var qwink = Qwink.sample(id: .init(id), author: .sample(name, id: .init("9\(id)")))
    qwink.url = "https://social.example/@\(name)/\(id)"
    return qwink
  }

  private func timeline(_ word: String = "social.example/local") throws -> RemoteTimeline {
    try #require(RemoteTimeline(word: word))
  }

  private func newest(_ timeline: RemoteTimeline, _ bench: Bench) async throws -> Result<Page<Qwink>, DownloadError> {
    let pages = try #require(RemotePages(of: timeline, by: bench.account.others))
    var fetch: Fetch?
    var result: Result<Page<Qwink>, DownloadError>?
    pages.fetchNewest(limit: 40) {
      fetch = $0
    } completion: {
      result = $0
    }
    await bench.ledger.settleWithMainQueue()
    withExtendedLifetime(fetch) {}
    return try #require(result)
  }

  private func older(
    _ cursor: PageCursor, of timeline: RemoteTimeline, _ bench: Bench
  ) async throws -> Result<Page<Qwink>, DownloadError> {
    let pages = try #require(RemotePages(of: timeline, by: bench.account.others))
    var result: Result<Page<Qwink>, DownloadError>?
    let fetch = pages.fetchPage(at: cursor) { result = $0 }
    await bench.ledger.settleWithMainQueue()
    withExtendedLifetime(fetch) {}
    return try #require(result)
  }

  /// A response with a page and the link to its next page.
  nonisolated private static func page(_ qwinks: [Qwink], next: String? = nil) -> TransportResponse {
    var fields = HTTPFields()
    if let next, let link = HTTPField.Name("Link") { fields[link] = "<\(next)>; rel=\"next\"" }
    return .json(WireEncoder.qwinks(qwinks), fields: fields)
  }

  @Test(arguments: [
    ("social.example/local", "timelines/public?local=true&limit=40"),
    ("social.example/public", "timelines/public?limit=40"),
    ("social.example/#garden", "timelines/tag/garden?limit=40"),
  ])
  func `another server is asked without a token and the user's server isn't asked`(
    word: String, path: String
  ) async throws {
    let bench = bench { request in
      request.url.hasSuffix("/instance")
        ? .json(WireEncoder.serverInfoV2(ServerInfo(title: "Social", domain: "social.example")))
        : Self.page([Self.qwink("5")])
    }
    let page = try await newest(timeline(word), bench).get()
    #expect(page.items.map(\.author.handle) == ["anna@social.example"])
    #expect(page.items.allSatisfy { $0.isFromOtherServer } && page.sources.isEmpty)
    let urls = bench.other.requests.map(\.url)
    #expect(urls == ["https://social.example/api/v2/instance", "https://social.example/api/v1/\(path)"])
    for request in bench.other.requests {
      #expect(request.field("Authorization") == nil && request.field("Cookie") == nil)
    }
    #expect(bench.own.requests.isEmpty)
  }

  @Test func `handles have the domain that the server names for its users`() async throws {
    let bench = bench { request in
      request.url.hasSuffix("/instance")
        ? .json(WireEncoder.serverInfoV2(ServerInfo(title: "Example", domain: "example.com")))
        : Self.page([Self.qwink("5")])
    }
    let page = try await newest(timeline("social.example.com/local"), bench).get()
    #expect(page.items.map(\.author.handle) == ["anna@example.com"])
  }

  @Test func `a server that doesn't describe itself is read anyway`() async throws {
    let bench = bench { request in
      request.url.contains("/instance") ? .json(Array("{}".utf8), status: 404) : Self.page([Self.qwink("5")])
    }
    #expect(try await newest(timeline(), bench).get().items.map(\.author.handle) == ["anna@social.example"])
  }

  @Test func `the next page is requested at the same host`() async throws {
    let bench = bench { _ in Self.page([Self.qwink("5")]) }
    let cursor = PageCursor(url: "https://social.example/api/v1/timelines/public?local=true&max_id=5")
    #expect(try await older(cursor, of: timeline(), bench).get().items.count == 1)
    #expect(bench.other.requests.map(\.url) == [cursor.url])
  }

  @Test(arguments: ["https://evil.example/api/v1/timelines/public?max_id=5", "https://tilde.example/api/v1/x"])
  func `a link to a page on another host isn't followed`(url: String) async throws {
    let bench = bench { _ in Self.page([]) }
    let result = try await older(PageCursor(url: url), of: timeline(), bench)
    guard case .failure(.unreadable(let host, _)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(host == "social.example" && bench.other.requests.isEmpty && bench.own.requests.isEmpty)
  }

  @Test(arguments: [
    "https://evil.example/steal", "https://tilde.example/api/v1/timelines/home", "http://social.example/",
  ])
  func `a redirect to another host or to plain http isn't followed`(location: String) async throws {
    let bench = bench { _ in
      TransportResponse(head: HTTPResponse(status: .found, headerFields: [.location: location]), body: [])
    }
    let result = try await newest(timeline(), bench)
    guard case .failure(.badRedirect("social.example")) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(bench.other.requests.allSatisfy { $0.head.authority == "social.example" && $0.head.scheme == "https" })
    #expect(bench.own.requests.isEmpty)
  }

  @Test(arguments: ["127.0.0.1/local", "10.0.0.7/local", "192.168.1.5:8443/public", "169.254.1.1/local", "[::1]/local"])
  func `a server on this machine or in a local network isn't asked`(word: String) throws {
    guard let timeline = RemoteTimeline(word: word) else { return #expect(word.hasPrefix("[")) }
    let bench = bench { _ in Self.page([]) }
    #expect(RemotePages(of: timeline, by: bench.account.others) == nil)
    #expect(RemotePages(of: try self.timeline(), by: nil) == nil)
  }

  @Test(arguments: [(401, true), (403, true), (404, true), (422, true), (500, false), (429, false)])
  func `a server that refuses visitors shows the timeline to its members only`(
    status: Int, isRefusal: Bool
  ) async throws {
    let bench = bench { request in
      .json(WireEncoder.error("This API requires an authenticated user"), status: status)
    }
    let timeline = try timeline()
    guard case .failure(let error) = try await newest(timeline, bench) else {
      Issue.record("no failure")
      return
    }
    let reason = RemoteTimelineError(error, of: timeline)
    #expect((reason == .membersOnly(timeline)) == isRefusal, "\(error)")
    #expect(!error.needsSignIn && !error.sentence.contains("qwinkle login"))
    let sentence = "social.example shows its local timeline to its members only."
    #expect((reason.sentence == sentence) == isRefusal, "\(reason.sentence)")
  }

  @Test func `items that are too large are skipped by the server's own ids`() async throws {
    // The list is cut in its second item, so the next request is for the items below the first.
    let large = WireEncoder.qwinks([Self.qwink("8"), Self.qwink("7")])
    let bench = bench { request in
      if request.url.contains("/instance") { return .json(Array("{}".utf8), status: 404) }
      guard !request.url.contains("max_id") else { return Self.page([Self.qwink("6")]) }
      var cut = TransportResponse.json(Array(large.dropLast(20)))
      cut.isCut = true
      return cut
    }
    let page = try await newest(timeline(), bench).get()
    let addresses = bench.other.requests.map(\.url) + [page.older?.url].compactMap(\.self)
    #expect(addresses.contains { $0.contains("max_id=8") }, "\(addresses)")
    #expect(!addresses.contains { $0.contains("elsewhere") }, "\(addresses)")
  }

  // MARK: Own copies

  private func copy(of foreign: Qwink, on bench: Bench) async -> Result<Qwink, OwnCopyError>? {
    var result: Result<Qwink, OwnCopyError>?
    let fetch = bench.account.findOwnCopy(of: foreign) { result = $0 }
    await bench.ledger.settleWithMainQueue()
    withExtendedLifetime(fetch) {}
    return result
  }

  private var foreign: Qwink { Self.qwink("77001").fromOtherServer("social.example", domain: "social.example") }

  private func own(_ id: String, by name: String = "anna", url: String? = nil) -> Qwink {
    var qwink = Qwink.sample(id: .init(id), author: .sample(name))
    qwink.author.handle = "\(name)@social.example"
    qwink.url = url ?? "https://social.example/@anna/77001"
    return qwink
  }

  @Test func `the user's server is asked for its copy by the address alone`() async throws {
    let bench = bench(copies: [own("5")]) { _ in Self.page([]) }
    let result = await copy(of: foreign, on: bench)
    #expect(try #require(result).get().id == "5")
    let asked = bench.own.requests.map(\.url)
    #expect(
      asked == [
        "https://tilde.example/api/v2/search?q=https%3A%2F%2Fsocial.example%2F%40anna%2F77001&resolve=true&limit=1"
      ]
        || asked == [
          "https://tilde.example/api/v2/search?q=https%3A%2F%2Fsocial.example%2F%40anna%2F77001&limit=1&resolve=true"
        ], "\(asked)")
    #expect(bench.other.requests.isEmpty)
  }

  @Test func `another qwink that the search finds isn't used as the copy`() async {
    let others = [own("5", url: "https://social.example/@anna/1"), own("6", by: "mallory")]
    for other in others {
      let result = await copy(of: foreign, on: bench(copies: [other]) { _ in Self.page([]) })
      #expect(result == .failure(.notFound))
    }
  }

  @Test func `a failed search reports an unknown qwink or an unreachable server`() async {
    let missing = await copy(of: foreign, on: bench(searchStatus: 404) { _ in Self.page([]) })
    #expect(missing == .failure(.notFound))
    #expect(OwnCopyError.notFound.sentence == "Your server can't find this post.")
    let failed = await copy(of: foreign, on: bench(searchStatus: 503) { _ in Self.page([]) })
    #expect(failed == .failure(.failed(.serverFailed(host: "tilde.example", status: 503))))
  }

  @Test func `the built-in service isn't asked for a copy`() async {
    let bench = bench(server: AccountConnection.embeddedURL, copies: [own("5")]) { _ in Self.page([]) }
    #expect(await copy(of: foreign, on: bench) == .failure(.noOthers))
    #expect(OwnCopyError.noOthers.sentence == "The built-in service can't reach other servers.")
    #expect(bench.own.requests.isEmpty)
  }
}
