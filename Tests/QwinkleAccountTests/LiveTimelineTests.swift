import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// A home timeline that is updated by an unreliable stream.
@MainActor
@Suite(.bounded) struct LiveTimelineTests {
  /// A reader whose selected row must not move.
  private final class Reader: AccountObserver {
    var rows: [Timeline.Row] = []
    var selected = 0
    var faults: [String] = []
    var causes: [Timelines.Cause] = []

    var row: Qwink.RowID? { rows.indices.contains(selected) ? rows[selected].qwink?.rowID : nil }

    func timelines(
      _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
    ) {
      guard name == .home else { return }
      causes.append(cause)
      var list = rows
      rows = timelines.timeline(.home).rows
      for index in change.removed.sorted(by: >) { list.remove(at: index) }
      for range in change.inserted { list.insert(contentsOf: rows[range], at: range.lowerBound) }
      for index in change.changed { list[index] = rows[index] }
      if list.map(\.id) != rows.map(\.id) { faults.append("a change doesn't lead to the new rows") }
      selected -= change.removed.count { $0 < selected }
      for range in change.inserted where range.lowerBound <= selected { selected += range.count }
    }
  }

  @MainActor
  private final class Run: LiveWorld {
    let clock = VirtualClock()
    let ledger = ActivityLedger()
    let server = LiveServer()
    let reader = Reader()
    let account: Account
    let cache: TimelineCache?
    private let folder: String?

    init(isKept: Bool = false, hasSockets: Bool = true, answersPings: Bool = false) throws {
      let transport = server.transport()
      let configuration = DownloadService.Configuration(serverURL: "https://tilde.example", token: "t")
      let service = DownloadService(configuration: configuration, ledger: ledger, transport: { transport })
      let streaming = StreamingService(
        configuration: .init(serverURL: "https://tilde.example", token: "t"), clock: clock, ledger: ledger,
        transport: server.streams(hasSockets: hasSockets, answersPings: answersPings))
      streaming.jitter = { 1 }
      let folder = isKept ? FileManager.default.temporaryDirectory.path + "/qwinkle-live-\(UUID().uuidString)" : nil
      self.folder = folder
      var cache: TimelineCache?
      if let folder { cache = try TimelineCache(directory: folder, ledger: ledger, clock: clock) }
      self.cache = cache
      account = Account(
        service: service, cache: cache, outgoing: nil, clock: clock, isSignedIn: true, streaming: streaming)
      account.addObserver(reader)
    }

    var timelines: Timelines { account.timelines }
    var shown: [Timeline.Row] { timelines.timeline(.home).rows }

    func pass(_ time: Duration) async {
      await ledger.settle()
      await clock.advance(by: time) { await self.ledger.settle() }
    }

    func sleep(_ time: Duration) async {
      clock.jump(by: time)
      account.live.checkAlive()
    }

    func suspend(for time: Duration) async {
      account.live.suspend()
      server.cut()
      for _ in 0..<3 { server.post() }
      await pass(time)
      account.live.resume()
    }

    func refresh() async { timelines.refresh(.home) }

    func loadOlder() async { timelines.loadOlder(.home) }

    func begin() async {
      timelines.refresh(.home)
      timelines.note(reader, reads: [], isOnScreen: true, needsAll: false, in: .home)
      account.live.follow(.home, for: reader)
      account.identity.identify()
      await pass(.seconds(10))
    }

    /// Returns the first difference between the newest rows and the server's, if any.
    func fault(newest count: Int = 40) -> String? {
      let all = server.qwinks
      // If the server has no rows below a gap, the page there is empty, which proves nothing about known rows below it:
      // servers also return an empty page at the end of a home timeline of limited length.
      let aboveGap = shown.prefix { $0.cursor == nil }
      let rows = aboveGap.count >= all.count ? Array(aboveGap) : shown
      let (is_, should) = (
        rows.prefix(count).map { $0.qwink?.id.rawValue ?? "gap" }, all.prefix(count).map(\.id.rawValue)
      )
      if is_ != should { return "\(is_) is not \(should)" }
      for (row, qwink) in zip(rows, all.prefix(count)) where row.qwink?.text != qwink.text {
        return "\(qwink.id) is out of date"
      }
      if Set(rows.map(\.id)).count != rows.count { return "a row stands twice" }
      if let kept = cache?.load(.home, limit: count).rows, kept.map(\.id) != shown.prefix(count).map(\.id) {
        return "the file has \(kept.map { $0.qwink?.id.rawValue ?? "gap" })"
      }
      return reader.faults.first
    }

    func stop() {
      cache?.close()
      if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }
  }

  @Test func `streamed events are shown without a request`() async throws {
    let run = try Run()
    for _ in 0..<60 { run.server.post() }
    await run.begin()
    #expect(run.timelines.isLive(.home))
    run.reader.causes = []
    run.server.post()
    run.server.post(times: 2)
    run.server.edit(1110)
    run.server.delete(1112, times: 2)
    run.server.tellNonsense()
    await run.pass(.seconds(1))
    #expect(run.fault(newest: 38) == nil)
    #expect(!run.reader.causes.isEmpty && run.reader.causes.allSatisfy { $0 == .stream })
  }

  @Test func `a late row is inserted in the server's order and the selected row stays`() async throws {
    let run = try Run(isKept: true)
    defer { run.stop() }
    for _ in 0..<60 { run.server.post() }
    await run.begin()
    run.reader.selected = 15
    let row = try #require(run.reader.row)
    run.server.post(isLate: true)
    run.server.post()
    await run.pass(.seconds(1))
    #expect(run.fault() == nil)
    #expect(run.reader.row == row && run.reader.selected == 17)
  }

  @Test func `an older edit that arrives after a newer one changes no cached row`() async throws {
    let run = try Run(isKept: true)
    defer { run.stop() }
    for _ in 0..<60 { run.server.post() }
    await run.begin()
    // The home timeline has 40 rows in memory, so this one is only in the cache.
    let qwink = run.server.qwinks[50]
    let id = try #require(Int(qwink.id.rawValue))
    run.cache?.replace([.init(.qwink(qwink))], of: .public, older: nil)
    run.server.outOfOrder {
      run.server.edit(id)
      run.server.edit(id)
    }
    await run.pass(.seconds(1))
    #expect(run.cache?.load(.public, limit: 1).rows.first?.qwink?.text.plainText == "Qwink \(id), edit 2")
  }

  @Test func `all rows posted while disconnected are fetched`() async throws {
    let run = try Run(isKept: true)
    defer { run.stop() }
    for _ in 0..<60 { run.server.post() }
    await run.begin()
    run.server.state.withLock { $0.isUp = false }
    run.server.cut()
    await run.pass(.seconds(5))
    #expect(!run.timelines.isLive(.home))
    for _ in 0..<130 { run.server.post() }
    await run.pass(.seconds(3600))
    run.server.state.withLock { $0.isUp = true }
    await run.pass(.seconds(400))
    #expect(run.timelines.isLive(.home))
    #expect(run.fault(newest: 150) == nil)
  }

  @Test func `rows streamed while a page is loading are in the right place`() async throws {
    let run = try Run()
    for _ in 0..<60 { run.server.post() }
    await run.begin()
    run.timelines.refresh(.home)
    run.server.post()
    run.timelines.loadOlder(.home)
    run.server.post(isLate: true)
    await run.pass(.seconds(1))
    #expect(run.fault() == nil)
  }

  @Test func `the timeline matches the server after random events, cuts, silences and sleeps`() async throws {
    var tally = LiveTally()
    let seeds = Soak.seeds(25, times: 4000)
    for seed in seeds {
      var random = SplitMix(seed: seed)
      let run = try Run(isKept: seed % 16 == 0, hasSockets: seed % 4 != 1, answersPings: seed % 4 != 2)
      defer { run.stop() }
      for _ in 0..<Int.random(in: 0...90, using: &random) { run.server.post() }
      await run.begin()
      var done: [String] = []
      for number in 0..<10 {
        // Consecutive seeds begin with different actions, so that a few seeds cover all of them.
        let act = number == 0 ? LiveAct.allCases[Int(seed % UInt64(LiveAct.allCases.count))] : LiveAct.random(&random)
        tally.note(act)
        done.append(act.rawValue)
        await act.perform(in: run, &random)
        if Bool.random(using: &random) {
          await run.pass(.milliseconds(Int.random(in: 0...60_000, using: &random)))
        }
        if run.reader.faults.first != nil { break }
      }
      run.server.state.withLock { $0.isUp = true }
      // Longer than the longest retry and the timeout of a silent connection.
      await run.pass(.seconds(400))
      run.server.post()
      // A connection to a server that never answers pings is replaced every 76 seconds, perhaps just now.
      for _ in 0..<4 where !run.timelines.isLive(.home) || run.fault(newest: 30) != nil {
        // A late row may be below the last row.
        if run.shown.count < 30 { await run.loadOlder() }
        await run.pass(.seconds(5))
      }
      #expect(run.timelines.isLive(.home), "seed \(seed)")
      if let fault = run.fault(newest: 30) { Issue.record("seed \(seed): \(fault), after \(done)") }
    }
    print("live timelines: \(seeds.count) schedules, \(tally.words)")
    #expect(seeds.count < LiveAct.allCases.count || tally.missing.isEmpty, "\(tally.missing) did not happen")
  }
}
