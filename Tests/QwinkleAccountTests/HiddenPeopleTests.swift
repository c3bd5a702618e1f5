import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Accounts that the user hides: changes here and elsewhere, and lists that fail to load.
@MainActor
@Suite(.bounded) struct HiddenPeopleTests {
  /// A server with settable lists.
  private final class Lists: Sendable {
    struct State {
      var muted: [Qwinker] = []
      var blocked: [Qwinker] = []
      var hosts: [String] = []
      var relationship = Relationship(id: "77")
    }

    let state = Mutex(State())
    /// Blocks the response with the list of mutes, which has the state at the time of the request.
    let gate: Gate

    init(gate: Gate) { self.gate = gate }

    func answer(_ request: TransportRequest) async -> TransportResponse {
      let state = self.state.withLock { $0 }
      let path = String((request.head.path ?? "").prefix { $0 != "?" })
      switch (request.head.method, path) {
      case (.get, "/api/v1/mutes"):
        await gate.whenOpen()
        return .json(WireEncoder.qwinkers(state.muted))
      case (.get, "/api/v1/blocks"): return .json(WireEncoder.qwinkers(state.blocked))
      case (.get, "/api/v1/domain_blocks"): return .json(WireEncoder.strings(state.hosts))
      case (.get, "/api/v1/accounts/relationships"): return .json(WireEncoder.relationships([state.relationship]))
      case (.post, _) where path.hasPrefix("/api/v1/accounts/77/"):
        var relationship = Relationship(id: "77")
        relationship.isMuting = path.hasSuffix("/mute")
        relationship.isBlocking = path.hasSuffix("/block")
        return .json(WireEncoder.relationship(relationship))
      case (.post, _), (.delete, _): return .json(Array("{}".utf8))
      default: return .json(Array("[]".utf8))
      }
    }
  }

  private static func qwinker(_ id: String, _ name: String, _ host: String, web: String) -> Qwinker {
    Qwinker(
      id: Qwinker.ID(id), userName: name, handle: "\(name)@\(host)", url: "https://\(web)/@\(name)")
  }

  /// ben's profile is on another host than his handle. That host has users too, such as carol.
  private static let ben = qwinker("77", "ben", "social.example", web: "pages.example")
  private static let carol = qwinker("78", "carol", "pages.example", web: "pages.example")

  private func makeAccount(
    _ ledger: ActivityLedger, _ script: @escaping ScriptedTransport.Script
  ) -> (account: Account, transport: ScriptedTransport) {
    let transport = ScriptedTransport(script)
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example", token: "t"), ledger: ledger, transport: { transport })
    let account = Account(service: service, cache: nil, outgoing: nil, clock: VirtualClock(), isSignedIn: true)
    return (account, transport)
  }

  // MARK: Blocked servers

  /// The source from which the client learns that a server was blocked or unblocked.
  enum Way: CaseIterable {
    case here, relationship, lists
  }

  private func setBlocked(_ isOn: Bool, by way: Way, _ account: Account, _ lists: Lists) {
    lists.state.withLock { state in
      state.hosts = isOn ? ["Social.example"] : []
      state.relationship.isBlockingDomain = isOn
    }
    switch way {
    case .here where isOn: account.blockServer("social.example", isOn: true) {}
    case .here: account.blockServer("SOCIAL.example", isOn: false) {}
    case .relationship: account.follows.loadRelationship(to: Self.ben)
    case .lists: account.follows.loadHidden { _ in }
    }
  }

  @Test(arguments: Way.allCases, Way.allCases)
  func `a blocked server hides only its own users until it is unblocked`(block: Way, unblock: Way) async {
    let ledger = ActivityLedger()
    let gate = Gate()
    gate.open()
    let lists = Lists(gate: gate)
    let (account, _) = makeAccount(ledger) { await lists.answer($0) }
    account.follows.loadRelationships(to: [Self.ben])
    await ledger.settle()
    #expect(!account.follows.hides(Self.ben))
    setBlocked(true, by: block, account, lists)
    await ledger.settle()
    #expect(account.follows.hides(Self.ben) && account.follows.relationship(to: "77")?.isBlockingDomain == true)
    #expect(!account.follows.hides(Self.carol))
    setBlocked(false, by: unblock, account, lists)
    await ledger.settle()
    #expect(!account.follows.hides(Self.ben) && account.follows.relationship(to: "77")?.isBlockingDomain == false)
    #expect(!account.follows.hides(Self.carol))
  }

  // MARK: Concurrent changes

  /// A user action while the lists are requested.
  enum Change: CaseIterable {
    case mute, block, server
  }

  @Test(arguments: Change.allCases, [true, false])
  func `a list requested earlier does not undo a change`(change: Change, isOn: Bool) async throws {
    let ledger = ActivityLedger()
    let gate = Gate()
    let lists = Lists(gate: gate)
    let (account, transport) = makeAccount(ledger) { await lists.answer($0) }
    if !isOn {
      lists.state.withLock { state in
        switch change {
        case .mute: state.muted = [Self.ben]
        case .block: state.blocked = [Self.ben]
        case .server: state.hosts = ["social.example"]
        }
      }
    }
    account.follows.loadHidden { _ in }
    try await wait(for: "the request") { !transport.requests.isEmpty }
    switch change {
    case .mute: account.mute(Self.ben, isOn: isOn) {}
    case .block: account.block(Self.ben, isOn: isOn) {}
    case .server where isOn: account.blockServer("social.example", isOn: true) {}
    case .server: account.blockServer("social.example", isOn: false) {}
    }
    try await wait(for: "the change") {
      !account.follows.changes.users.isEmpty || !account.follows.changes.hosts.isEmpty
    }
    gate.open()
    await ledger.settle()
    #expect(account.follows.hides(Self.ben) == isOn)
  }

  @Test func `a mute that ended elsewhere ends with the next list and reloads its relationship`() async {
    let ledger = ActivityLedger()
    let gate = Gate()
    gate.open()
    let lists = Lists(gate: gate)
    let (account, transport) = makeAccount(ledger) { await lists.answer($0) }
    lists.state.withLock { $0.relationship.isMuting = true }
    account.follows.loadRelationships(to: [Self.ben])
    await ledger.settle()
    #expect(account.follows.hides(Self.ben))
    lists.state.withLock { $0.relationship.isMuting = false }
    let count = transport.requests.count
    account.follows.loadHidden { _ in }
    await ledger.settle()
    #expect(!account.follows.hides(Self.ben) && account.follows.relationship(to: "77")?.isMuting == false)
    #expect(transport.requests.dropFirst(count).contains { $0.url.contains("/relationships") })
  }

  @Test(arguments: [Way.relationship, .lists]) func `a mute expires on time without a request`(way: Way) async throws {
    let ledger = ActivityLedger()
    let gate = Gate()
    gate.open()
    let lists = Lists(gate: gate)
    let (account, transport) = makeAccount(ledger) { await lists.answer($0) }
    let clock = try #require(account.clock as? VirtualClock)
    var ben = Self.ben
    ben.muteEndsAt = clock.now.addingTimeInterval(3600)
    lists.state.withLock { [ben] state in
      state.muted = [ben]
      state.relationship.isMuting = true
      state.relationship.muteEndsAt = ben.muteEndsAt
    }
    if way == .lists { account.follows.loadHidden { _ in } } else { account.follows.loadRelationships(to: [ben]) }
    await ledger.settle()
    #expect(account.follows.hides(ben))
    let count = transport.requests.count
    clock.advance(by: .seconds(3601))
    #expect(!account.follows.hides(ben) && transport.requests.count == count)
  }

  // MARK: Incomplete lists

  nonisolated private static let paths = [
    "/api/v1/mutes", "/api/v1/blocks", "/api/v1/domain_blocks", "/api/v2/filters",
  ]

  private func page(of path: String, next number: Int?) -> TransportResponse {
    let body = path.hasSuffix("domain_blocks") ? WireEncoder.strings(["a.example"]) : WireEncoder.qwinkers([Self.ben])
    var fields = HTTPFields()
    if let number, let name = HTTPField.Name("Link") {
      fields[name] = "<https://tilde.example\(path)?max_id=\(number)>; rel=\"next\""
    }
    return .json(body, fields: fields)
  }

  private func lists(_ script: @escaping ScriptedTransport.Script) async -> DownloadError? {
    let (account, _) = makeAccount(ActivityLedger(), script)
    do throws(DownloadError) {
      _ = try await account.connection.hiddenLists()
      return nil
    } catch {
      return error
    }
  }

  /// Statuses of a response, and whether each means that the server has no such list.
  nonisolated private static let failures: [(status: Int, isNone: Bool)] = [
    (404, true), (405, true), (501, true), (403, false), (422, false), (200, false), (418, false),
  ]

  @Test(arguments: paths, failures)
  func `a list is empty only if the server has none`(path: String, failure: (status: Int, isNone: Bool)) async {
    let error = await lists { request in
      let asked = String((request.head.path ?? "").prefix { $0 != "?" })
      let isOfList = asked == path || path.hasSuffix("filters") && asked.hasSuffix("filters")
      guard isOfList else { return .json(Array("[]".utf8)) }
      return failure.status == 200
        ? .text("<h1>Welcome</h1>") : .json(WireEncoder.error("No"), status: failure.status)
    }
    #expect((error == nil) == failure.isNone, "\(String(describing: error))")
  }

  @Test(arguments: paths.dropLast(), failures)
  func `a list is rejected if one of its pages fails`(
    path: String, failure: (status: Int, isNone: Bool)
  ) async {
    let first = page(of: path, next: 1)
    let error = await lists { request in
      let asked = request.head.path ?? ""
      guard asked.hasPrefix(path) else { return .json(Array("[]".utf8)) }
      guard asked.contains("max_id") else { return first }
      return failure.status == 200
        ? .text("<h1>Welcome</h1>") : .json(WireEncoder.error("No"), status: failure.status)
    }
    #expect(error != nil)
  }

  @Test(arguments: paths.dropLast()) func `an endless list is rejected`(path: String) async {
    let pages = (0...AccountConnection.mostHiddenPages).map { page(of: path, next: $0 + 1) }
    let count = Mutex(0)
    let error = await lists { request in
      guard request.head.path?.hasPrefix(path) == true else { return .json(Array("[]".utf8)) }
      let number = count.withLock { count in
        count += 1
        return count - 1
      }
      return pages[min(number, pages.count - 1)]
    }
    guard case .unreadable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
