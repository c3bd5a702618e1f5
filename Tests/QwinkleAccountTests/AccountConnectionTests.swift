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

@MainActor
@Suite(.bounded) struct AccountConnectionTests {
  /// Records observer calls.
  private final class Observer: AccountObserver {
    var states: [(needsSignIn: Bool, progress: AccountConnection.Progress?)] = []
    var redirects: [String] = []
    var writeCount = 0
    var inProgress: [[WriteKind]] = []

    func connectionDidChangeState(_ connection: AccountConnection) {
      states.append((connection.needsSignIn, connection.progress))
    }
    func connection(_ connection: AccountConnection, didFollowRedirectTo url: String) { redirects.append(url) }
    func connectionDidWrite(_ connection: AccountConnection) { writeCount += 1 }
    func connectionDidChangeInProgress(_ connection: AccountConnection) { inProgress.append(connection.inProgress) }
  }

  @MainActor
  private struct Bench {
    let ledger = ActivityLedger()
    let account: Account
    let observer = Observer()

    init(isSignedIn: Bool = true, _ transport: any Transport, clock: VirtualClock = VirtualClock()) {
      let service = DownloadService(
        configuration: .init(serverURL: "https://tilde.example", token: isSignedIn ? "secret" : nil), ledger: ledger,
        transport: { transport })
      account = Account(service: service, cache: nil, outgoing: nil, clock: clock, isSignedIn: isSignedIn)
      account.addObserver(observer)
    }
  }

  private nonisolated static func page(_ id: String = "1") -> [UInt8] {
    WireEncoder.qwinks([.sample(id: Qwink.ID(id))])
  }

  @Test func `the fastest recent response determines the server's time`() async throws {
    let clock = VirtualClock()
    let bench = Bench(ScriptedTransport { _ in .json(Self.page()) }, clock: clock)
    let connection = bench.account.connection
    #expect(connection.serverDate(at: clock.now) == nil)
    // The server's clock is an hour ahead. This response took 20 seconds.
    connection.noteServerDate(clock.now.addingTimeInterval(3600 - 20))
    #expect(connection.serverDate(at: clock.now) == clock.now.addingTimeInterval(3580))
    connection.noteServerDate(clock.now.addingTimeInterval(3600))
    connection.noteServerDate(clock.now.addingTimeInterval(3600 - 20))
    #expect(connection.serverDate(at: clock.now) == clock.now.addingTimeInterval(3600))
    // The server's clock was set back.
    clock.advance(by: .seconds(121))
    connection.noteServerDate(clock.now.addingTimeInterval(60))
    #expect(connection.serverDate(at: clock.now) == clock.now.addingTimeInterval(60))
  }

  @Test func `a 401 requires sign-in until a request succeeds`() async {
    let isExpired = Gate()
    let bench = Bench(
      ScriptedTransport { _ in
        isExpired.isOpen ? .json(Self.page()) : .json(WireEncoder.error("The access token was revoked"), status: 401)
      })
    let connection = bench.account.connection
    let refused = try? await connection.answer(to: .timeline(.home, limit: 20))
    #expect(refused == nil && connection.needsSignIn)
    #expect(bench.observer.states.map(\.needsSignIn) == [true])
    isExpired.open()
    let page = try? await connection.answer(to: .timeline(.home, limit: 20))
    #expect(page?.items.count == 1 && !connection.needsSignIn)
    #expect(bench.observer.states.map(\.needsSignIn) == [true, false])
  }

  @Test func `the first success after an outage is reported even if errors precede it`() async {
    let status = Mutex<Int?>(nil)
    let bench = Bench(
      ScriptedTransport { _ in
        switch status.withLock({ $0 }) {
        case nil: throw TransportError.refused(host: "tilde.example")
        case 200: .json(Self.page())
        case let status?: .json(WireEncoder.error("Broken"), status: status)
        }
      })
    let connection = bench.account.connection
    var reports: [Bool] = []
    connection.didAnswer = { reports.append($0) }
    for next in [200, nil, 503, 404, 200, 200] {
      status.withLock { $0 = next }
      _ = try? await connection.answer(to: .timeline(.home, limit: 20))
    }
    #expect(reports == [false, true, false])
  }

  @Test func `a late response to an earlier request does not clear a rejected token`() async {
    let isLate = Gate()
    let bench = Bench(
      ScriptedTransport { request in
        guard request.url.contains("public") else {
          return .json(WireEncoder.error("The access token was revoked"), status: 401)
        }
        await isLate.whenOpen()
        return .json(Self.page())
      })
    let connection = bench.account.connection
    var answers = 0
    let early = connection.fetch(.timeline(.public, limit: 20)) { if case .success = $0 { answers += 1 } }
    _ = try? await connection.answer(to: .timeline(.home, limit: 20))
    #expect(connection.needsSignIn && answers == 0)
    isLate.open()
    await bench.ledger.settle()
    #expect(connection.needsSignIn && answers == 1)
    withExtendedLifetime(early) {}
  }

  @Test func `a 401 does not require sign-in if the account is signed out`() async {
    let bench = Bench(isSignedIn: false, ScriptedTransport { _ in .text("", status: 401) })
    let page = try? await bench.account.connection.answer(to: .timeline(.home, limit: 20))
    #expect(page == nil && !bench.account.connection.needsSignIn && bench.observer.states.isEmpty)
  }

  @Test func `a long download reports progress and a short one does not`() async {
    let bench = Bench(
      ScriptedTransport { request in
        if request.url.contains("local") {
          request.didReceive?(1000, 2000)
        } else {
          request.didReceive?(1_200_000, 4_000_000)
        }
        return .json(Self.page())
      })
    _ = try? await bench.account.connection.answer(to: .timeline(.local, limit: 20))
    #expect(bench.observer.states.isEmpty)
    _ = try? await bench.account.connection.answer(to: .timeline(.public, limit: 20))
    #expect(bench.observer.states.first?.progress == .init(received: 1_200_000, expected: 4_000_000))
    await bench.ledger.settle()
    #expect(bench.account.connection.progress == nil)
    #expect(bench.observer.states.last?.progress == nil)
  }

  @Test func `observers are notified of redirects`() async {
    let bench = Bench(
      ScriptedTransport { request in
        request.head.path == "/moved" ? .json(Self.page()) : .text("", status: 302, fields: [.location: "/moved"])
      })
    _ = try? await bench.account.connection.answer(to: .timeline(.public, limit: 20))
    #expect(bench.observer.redirects == ["https://tilde.example/moved"])
  }

  @Test func `cancelling downloads does not cancel writes`() async {
    let gate = Gate()
    let bench = Bench(
      ScriptedTransport { request in
        if request.head.method == .get { throw await request.untilCancelled() }
        await gate.whenOpen()
        return .json(WireEncoder.qwink(.sample()))
      })
    var ended: [String] = []
    let fetch = bench.account.fetch(.qwink("1")) { result in
      if case .failure(let error) = result, error.isCancelled { ended.append("fetch") }
    }
    bench.account.reactions.react(to: .sample(), with: .boost, isOn: true)
    #expect(bench.account.inProgress == [.reaction(.boost)])
    bench.account.cancelDownloads()
    #expect(ended == ["fetch"] && bench.account.inProgress == [.reaction(.boost)])
    gate.open()
    await bench.ledger.settle()
    #expect(bench.account.inProgress.isEmpty && bench.observer.writeCount == 1)
    #expect(bench.observer.inProgress.last == [])
    withExtendedLifetime(fetch) {}
  }

  @Test func `releasing a fetch cancels its download without a callback`() async {
    let asked = Gate()
    let bench = Bench(
      ScriptedTransport { request in
        if request.head.path == "/api/v1/statuses/2" { return .json(WireEncoder.qwink(.sample(id: "2"))) }
        asked.open()
        throw await request.untilCancelled()
      })
    var heard = 0
    var fetch: Fetch? = bench.account.fetch(.qwink("1")) { _ in heard += 1 }
    await asked.whenOpen()
    withExtendedLifetime(fetch) {}
    fetch = nil
    let other = try? await bench.account.connection.answer(to: .qwink("2"))
    await bench.ledger.settle()
    #expect(other?.id == "2" && heard == 0)
  }

  @Test func `identifying twice requests the server and the account once`() async {
    let transport = ScriptedTransport { request in
      switch request.head.path {
      case "/api/v2/instance":
        .json(WireEncoder.serverInfoV2(ServerInfo(title: "Tilde", domain: "tilde.example")))
      case "/api/v1/accounts/verify_credentials": .json(WireEncoder.qwinker(.sample("alice"), ownNote: ""))
      default: .text("", status: 404)
      }
    }
    let bench = Bench(transport)
    bench.account.identity.identify()
    bench.account.identity.identify()
    await bench.ledger.settle()
    #expect(transport.requests.map(\.head.path) == ["/api/v2/instance", "/api/v1/accounts/verify_credentials"])
    #expect(bench.account.identity.serverInfo?.title == "Tilde" && bench.account.identity.me?.userName == "alice")
    #expect(bench.account.identity.isKnown)
  }

  @Test func `the account is not requested if the server cannot be reached`() async {
    let transport = ScriptedTransport { _ in throw TransportError.unknownHost("tilde.example") }
    let bench = Bench(transport)
    bench.account.identity.identify()
    await bench.ledger.settle()
    #expect(transport.requests.count == 1 && !bench.account.identity.isKnown)
    #expect(bench.account.connection.offlineSince != nil)
  }

  @Test(arguments: [200, 400, 401, 403, 404, 422, 500])
  func `a stream's 401 requires sign-in only if the server rejects the token`(status: Int) async {
    let check = "/api/v1/accounts/verify_credentials"
    let isKnown = Gate()
    let transport = ScriptedTransport { request in
      let path = request.head.path ?? ""
      switch path {
      case "/api/v2/instance":
        return .json(WireEncoder.serverInfoV2(ServerInfo(title: "T", domain: "tilde.example", version: "4.3.0")))
      case check where !isKnown.isOpen || status == 200:
        isKnown.open()
        return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
      case check: return .text("No", status: status)
      default: return .json(Array("[]".utf8))
      }
    }
    let streams = ScriptedStreams { _ in }
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let url = "https://tilde.example"
    let streaming = StreamingService(
      configuration: .init(serverURL: url, token: "secret"), clock: clock, ledger: ledger, transport: streams)
    let service = DownloadService(
      configuration: .init(serverURL: url, token: "secret"), ledger: ledger, transport: { transport })
    let account = Account(
      service: service, cache: nil, outgoing: nil, clock: clock, isSignedIn: true, streaming: streaming)
    account.identity.identify()
    await ledger.settle()
    #expect(streams.connections.count == 1)
    streams.connections.first?.tell(.ended(.refused(status: 401)))
    await ledger.settle()
    await clock.advance(by: .seconds(1)) { await ledger.settle() }
    let isRejected = [400, 401, 422].contains(status)
    #expect(account.connection.needsSignIn == isRejected)
    #expect(transport.requests.count { $0.head.path == check } == 2)
    // Another transport doesn't help if the token is rejected.
    #expect(streams.connections.count == (isRejected ? 1 : 2))
  }

  @Test func `shutting down the service cancels a pending write with an error`() async {
    let asked = Gate()
    let transport = ScriptedTransport { request in
      asked.open()
      throw await request.untilCancelled()
    }
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ActivityLedger(),
      transport: { transport })
    let connection = AccountConnection(service: service, clock: VirtualClock(), isSignedIn: true)
    let answer = Task { try await connection.answer(to: .delete("1")) }
    await asked.whenOpen()
    await service.shutDown()
    await #expect(throws: DownloadError.cancelled) { try await answer.value }
  }
}
