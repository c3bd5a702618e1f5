import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) @MainActor struct ParkedDownloadTests {
  @Test func `a download that waits for a clock is parked until the clock fires`() async {
    let clock = VirtualClock()
    let link = LinkConditioner(clock: clock, condition: .loss)
    let server = ScriptedTransport { _ in .json(pageBody("1")) }
    let bench = Bench(server.conditioned(by: link))
    let identifier = bench.service.start(.publicTimeline, delegate: bench.delegate)
    #expect(bench.ledger.inProgress == ["download of public"])
    await bench.ledger.settle()
    #expect(bench.ledger.parked == ["download of public"] && link.waitingCount == 1)
    clock.advance(by: .seconds(30))
    #expect(!bench.ledger.isEmpty, "from the moment at which the clock fires it is under way again")
    await bench.ledger.settle()
    #expect(bench.ledger.parked.isEmpty)
    await bench.delegate.finished(identifier)
    #expect(server.requests.isEmpty)
  }

  @Test func `a parked download ends at once when it is cancelled`() async {
    let link = LinkConditioner(clock: VirtualClock(), condition: .dns)
    let bench = Bench(ScriptedTransport { _ in .json([]) }.conditioned(by: link))
    let identifier = bench.service.start(.publicTimeline, delegate: bench.delegate)
    await bench.ledger.settle()
    bench.service.cancel(identifier)
    #expect(!bench.ledger.isEmpty)
    await bench.ledger.settle()
    #expect(bench.ledger.parked.isEmpty && link.waitingCount == 0)
  }
}
