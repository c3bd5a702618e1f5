import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Loading timelines from the cache.
@MainActor
@Suite(.bounded) struct TimelineEntryTests {
  @Test func `reading a timeline's state loads no rows from the cache`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let ledger = ActivityLedger()
    let cache = try TimelineCache(directory: path, ledger: ledger)
    cache.replace((1...50).reversed().map { .init(.qwink(.sample(id: Qwink.ID("\($0)")))) }, of: .public, older: nil)
    cache.flush()
    let clock = VirtualClock()
    let transport = ScriptedTransport { _ in throw TransportError.refused(host: "tilde.example") }
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example"), ledger: ledger, transport: { transport })
    let account = Account(service: service, cache: cache, outgoing: nil, clock: clock, isSignedIn: false)
    let timelines = account.timelines
    func row(_ id: String) -> Qwink.RowID { Qwink.RowID(status: Qwink.ID(id), booster: nil) }
    _ = (timelines.state(of: .public), timelines.rowsAbove(.public), timelines.rowsBelow(.public))
    #expect(timelines.entries.isEmpty)
    timelines.loadCached(.public, around: [row("25")])
    #expect(timelines.timeline(.public).index(of: row("26")) != nil)
    #expect(timelines.timeline(.public).index(of: row("50")) == nil)
    await ledger.settle()
    cache.close()
  }
}
