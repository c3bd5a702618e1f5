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

/// Counting the missing rows of timeline gaps.
@MainActor
@Suite(.bounded) struct GapCountTests {
  /// A server with qwinks numbered from 1, four per page, that can refuse requests for older pages.
  private final class Server: Sendable {
    private let state = Mutex((newest: 3, failsPages: false))

    func set(newest: Int, failsPages: Bool = false) { state.withLock { $0 = (newest, failsPages) } }

    func transport() -> ScriptedTransport {
      ScriptedTransport { request in
        let (newest, failsPages) = self.state.withLock { $0 }
        let start = request.url.firstRange(of: "max_id=").flatMap { Int(request.url[$0.upperBound...]) }
        if start != nil, failsPages { throw TransportError.refused(host: "tilde.example") }
        let first = start.map { $0 - 1 } ?? newest
        let numbers = (max(1, first - 3)...max(1, first)).reversed()
        let link = "<https://tilde.example/api/v1/timelines/public?max_id=\(numbers.last ?? 1)>; rel=\"next\""
        var fields = HTTPFields()
        if numbers.last != 1, let name = HTTPField.Name("Link") { fields[name] = link }
        return .json(WireEncoder.qwinks(numbers.map { .sample(id: Qwink.ID("\($0)")) }), fields: fields)
      }
    }
  }

  @MainActor
  private struct Bench {
    let ledger = ActivityLedger()
    let server = Server()
    let transport: ScriptedTransport
    let account: Account

    init() {
      let transport = server.transport()
      self.transport = transport
      let service = DownloadService(
        configuration: .init(serverURL: "https://tilde.example", token: nil), ledger: ledger,
        transport: { transport })
      account = Account(service: service, cache: nil, outgoing: nil, clock: VirtualClock(), isSignedIn: false)
    }

    func refresh() async {
      account.timelines.refresh(.public)
      await ledger.settle()
    }

    var gap: PageCursor? { account.timelines.timeline(.public).rows.lazy.compactMap(\.cursor).first }

    func count() async -> MissingCount? {
      guard let gap else { return nil }
      account.timelines.countGap(gap, in: .public)
      await ledger.settle()
      return account.timelines.countMissing(at: gap, in: .public)
    }

    var pagesAsked: Int { transport.requests.count { $0.url.contains("max_id") } }
  }

  @Test func `a gap is counted once and exactly if its page reaches known rows`() async {
    let bench = Bench()
    await bench.refresh()
    bench.server.set(newest: 9)
    await bench.refresh()
    #expect(await bench.count() == MissingCount(atLeast: 2, isExact: true))
    #expect(await bench.count() == MissingCount(atLeast: 2, isExact: true))
    #expect(bench.pagesAsked == 1)
    #expect(bench.account.timelines.timeline(.public).rows.count == 8, "it is not filled yet")
  }

  @Test func `a count is a minimum if the page does not reach known rows`() async {
    let bench = Bench()
    await bench.refresh()
    bench.server.set(newest: 30)
    await bench.refresh()
    #expect(await bench.count() == MissingCount(atLeast: 4, isExact: false))
  }

  @Test func `a gap without missing rows is removed`() async {
    let bench = Bench()
    await bench.refresh()
    bench.server.set(newest: 7)
    await bench.refresh()
    #expect(bench.gap != nil)
    _ = await bench.count()
    #expect(bench.gap == nil && bench.account.timelines.timeline(.public).rows.count == 7)
  }

  @Test func `a failed count shows no error and is retried after the next refresh`() async {
    let bench = Bench()
    await bench.refresh()
    bench.server.set(newest: 9, failsPages: true)
    await bench.refresh()
    #expect(await bench.count() == nil)
    #expect(await bench.count() == nil)
    #expect(bench.pagesAsked == 1 && bench.account.timelines.state(of: .public).error == nil)
    bench.server.set(newest: 9)
    await bench.refresh()
    #expect(await bench.count() == MissingCount(atLeast: 2, isExact: true))
  }
}
