import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// A timeline of which only a part is in memory, compared with a complete timeline.
@MainActor
@Suite(.bounded) struct TimelineWindowTests {
  /// A server that records its responses.
  private final class Server: Sendable {
    struct Answer: Sendable {
      /// The requested position: a cursor or the row below. Both are nil for the newest page.
      var cursor: PageCursor?
      var rowBelow: String?
      var page: Page<Qwink>
    }

    struct State: Sendable {
      var model: ModelServer
      var size = 8
      var answers: [Answer] = []
    }

    let state: Mutex<State>

    init(_ model: ModelServer) { state = Mutex(State(model: model)) }

    private static func parameter(_ name: String, of url: String) -> String? {
      url.firstRange(of: "\(name)=").map { String(url[$0.upperBound...].prefix { $0 != "&" }) }
    }

    func transport() -> ScriptedTransport {
      ScriptedTransport { request in
        try self.state.withLock { state in
          let url = request.url
          let start = Self.parameter("max_id", of: url)
          let below = Self.parameter("min_id", of: url)
          var page = Page<ModelRow>(items: [])
          if let below {
            let id = ModelRow(.sample(id: Qwink.ID(below))).rowID
            if let answer = state.model.answer(above: id, size: state.size) { page = answer.page }
          } else {
            page = state.model.answer(from: start.map { PageCursor(url: $0) }, size: state.size).page
          }
          let host = "https://tilde.example/api/v1/timelines/public"
          var links: [String] = []
          if let older = page.older { links.append("<\(host)?max_id=\(older.url)>; rel=\"next\"") }
          if let first = page.items.first { links.append("<\(host)?min_id=\(first.rowID.number)>; rel=\"prev\"") }
          let link = links.isEmpty ? nil : links.joined(separator: ", ")
          var fields = HTTPFields()
          if let link, let name = HTTPField.Name("Link") { fields[name] = link }
          let body = WireEncoder.qwinks(page.items.map(\.qwink))
          state.answers.append(
            Answer(
              cursor: start.map { PageCursor(url: "\(host)?max_id=\($0)") }, rowBelow: below,
              page: try WireDecoder.qwinks(from: body, link: link)))
          return .json(body, fields: fields)
        }
      }
    }
  }

  /// A reader with a few visible rows that must not move.
  @MainActor
  private final class Reader: AccountObserver {
    static let height = 6
    var top = 0
    var rows: [Timeline.Row] = []
    var gone: [Qwink.RowID] = []
    /// Whether the reader is moving to another position.
    var isMoving = false
    var new: Set<Qwink.RowID> = []

    var topRow: Qwink.RowID? { rows.indices.contains(top) ? rows[top].qwink?.rowID : nil }

    func timelines(
      _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
    ) {
      let before = rows
      rows = timelines.timeline(name).rows
      guard !isMoving, !before.isEmpty else { return }
      var list = before
      for index in change.removed.sorted(by: >) { list.remove(at: index) }
      for range in change.inserted { list.insert(contentsOf: rows[range], at: range.lowerBound) }
      for index in change.changed { list[index] = rows[index] }
      if list != rows { Issue.record("the change doesn't lead to the new rows") }
      let isGone = change.removed.contains(top)
      if isGone, let row = before[top].qwink?.rowID { gone.append(row) }
      top -= change.removed.count { $0 < top }
      for range in change.inserted where range.lowerBound <= top { top += range.count }
      top = max(0, min(top, rows.count - 1))
    }

    func timelines(_ timelines: Timelines, didChange qwink: Qwink) { rows = timelines.timeline(.public).rows }

    func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) {
      new.formUnion(rows)
    }
  }

  @MainActor
  private final class Run {
    let ledger = ActivityLedger()
    let server: Server
    let folder: String
    var cache: TimelineCache
    var account: Account
    var reader = Reader()
    /// All rows, without a window.
    var oracle = Timeline()
    let seed: UInt64
    var random: SplitMix
    private var isStopped = false

    init(seed: UInt64, rows: Int) throws {
      self.seed = seed
      random = SplitMix(seed: seed)
      server = Server(ModelServer(count: rows, seed: seed))
      folder = FileManager.default.temporaryDirectory.path + "/qwinkle-window-\(UUID().uuidString)"
      cache = try TimelineCache(directory: folder, ledger: ledger)
      account = Self.account(server, cache, ledger)
      account.addObserver(reader)
    }

    private static func account(_ server: Server, _ cache: TimelineCache, _ ledger: ActivityLedger) -> Account {
      let transport = server.transport()
      let service = DownloadService(
        configuration: .init(serverURL: "https://tilde.example", token: nil), ledger: ledger,
        transport: { transport })
      let account = Account(service: service, cache: cache, outgoing: nil, clock: VirtualClock(), isSignedIn: false)
      account.timelines.limits = WindowLimits(margin: 12, slack: 6)
      return account
    }

    var timelines: Timelines { account.timelines }
    var timeline: Timeline { timelines.timeline(.public) }

    /// Restarts the program at the reader's position.
    func restart() async throws {
      await ledger.settle()
      let place = reader.topRow
      cache.close()
      cache = try TimelineCache(directory: folder, ledger: ledger)
      account = Self.account(server, cache, ledger)
      reader = Reader()
      account.addObserver(reader)
      if let place { timelines.loadCached(.public, around: [place]) }
      reader.rows = timeline.rows
      reader.top = place.flatMap { timeline.index(of: $0) } ?? 0
      await settle()
    }

    func read() {
      reader.rows = timeline.rows
      let seen = reader.rows.dropFirst(reader.top).prefix(Reader.height).compactMap(\.qwink?.rowID)
      timelines.note(reader, reads: seen, isOnScreen: true, needsAll: false, in: .public)
      if reader.top < 4 { timelines.loadNewer(.public) }
      if reader.top + Reader.height + 4 > reader.rows.count, timelines.hasMoreCached(.public) {
        timelines.loadOlder(.public)
      }
    }

    /// Waits until nothing is pending, and merges the server's responses into the oracle.
    func settle() async {
      for _ in 0..<4 {
        await ledger.settle()
        read()
      }
      await ledger.settle()
      let answers = server.state.withLock { state in
        defer { state.answers = [] }
        return state.answers
      }
      for answer in answers {
        if let below = answer.rowBelow {
          let gap = oracle.rows.lazy.compactMap(\.cursor).first {
            oracle.rowToFillUpwards($0)?.id.rawValue == below
          }
          if let gap { oracle.fillGapUpwards(gap, with: answer.page) } else { oracle.update(answer.page.items) }
        } else if let cursor = answer.cursor {
          if oracle.rows.contains(.gap(cursor)) {
            oracle.fillGap(cursor, with: answer.page)
          } else if oracle.older == cursor {
            oracle.appendOlder(answer.page)
          } else {
            oracle.update(answer.page.items)
          }
        } else {
          oracle.mergeNewest(answer.page)
        }
      }
    }

    func move(to index: Int) {
      reader.top = max(0, min(index, reader.rows.count - 1))
      read()
    }

    /// Returns the first difference between the window and the oracle's rows, if any.
    func fault() -> String? {
      let (shown, all) = (timeline.rows, oracle.rows)
      guard let first = shown.first else { return all.isEmpty ? nil : "no rows" }
      guard let start = all.firstIndex(where: { $0.id == first.id }) else { return "its first row is unknown" }
      let part = all[start...].prefix(shown.count)
      if let (one, other) = zip(shown, part).first(where: { $0.id == $1.id && $0 != $1 }) {
        return "\(Self.words([one])) has \(one.qwink?.favouritesCount ?? 0) favourites instead of "
          + "\(other.qwink?.favouritesCount ?? 0)"
      }
      if Array(part) != shown { return "\(Self.words(shown)) is no part of \(Self.words(all))" }
      if timeline.hasMoreAbove != (start > 0) { return "it takes itself for the top at \(start)" }
      if let above = timelines.rowsAbove(.public), above != start { return "\(above) rows above it, not \(start)" }
      if timeline.hasMoreCached != (part.endIndex < all.endIndex) { return "it is wrong about what is below" }
      if !timeline.hasMoreCached, timeline.older != oracle.older { return "it goes on elsewhere" }
      if shown.count > 2 * (12 + 6 + 24) + 60 { return "\(shown.count) rows are in memory" }
      for row in reader.gone where oracle.index(of: row) != nil { return "\(row) has gone from under the reader" }
      return nil
    }

    static func words(_ rows: [Timeline.Row]) -> String {
      rows.map { row in row.qwink.map { $0.id.rawValue + ($0.booster == nil ? "" : "b") } ?? "gap" }
        .joined(separator: " ")
    }

    func stop() {
      cache.close()
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  private func act(_ run: Run) async throws -> String {
    let before = run.reader.topRow
    let isKept: Bool
    var what: String
    switch Int.random(in: 0..<17, using: &run.random) {
    case 0, 1, 2:
      let count = Int.random(in: 0...20, using: &run.random)
      run.server.state.withLock { state in for _ in 0..<count { state.model.add() } }
      run.timelines.refresh(.public)
      (what, isKept) = ("refresh after \(count) new", true)
    case 3:
      run.server.state.withLock { $0.model.addLate(depth: 12) }
      run.timelines.refresh(.public)
      (what, isKept) = ("refresh after a late one", true)
    case 4, 5, 6:
      run.timelines.loadOlder(.public)
      (what, isKept) = ("older", true)
    case 7:
      let gap = run.timeline.rows.compactMap(\.cursor).randomElement(using: &run.random)
      if let gap {
        run.timelines.fillGap(gap, in: .public, upwards: Bool.random(using: &run.random))
      }
      (what, isKept) = ("fill a gap", true)
    case 8:
      let qwink = run.oracle.items.randomElement(using: &run.random)
      if var newer = qwink?.original {
        newer.favouritesCount += 1
        run.timelines.merge(newer)
        run.oracle.update(by: newer)
      }
      (what, isKept) = ("edit", true)
    case 9:
      if let id = run.oracle.items.randomElement(using: &run.random)?.originalID {
        run.server.state.withLock { $0.model.remove(Int(id.rawValue) ?? 0) }
        run.timelines.remove(id)
        run.oracle.remove(id)
      }
      (what, isKept) = ("delete", false)
    case 10, 11:
      run.move(to: run.reader.top + Int.random(in: 1...15, using: &run.random))
      (what, isKept) = ("down", false)
    case 12, 13:
      run.move(to: run.reader.top - Int.random(in: 1...15, using: &run.random))
      (what, isKept) = ("up", false)
    case 14:
      run.reader.isMoving = true
      run.timelines.showFirst(.public) { _, _ in
        run.reader.isMoving = false
        run.move(to: 0)
      }
      (what, isKept) = ("first", false)
    case 15:
      run.reader.isMoving = true
      run.timelines.showLast(.public) { _, _ in
        run.reader.isMoving = false
        run.move(to: .max)
      }
      (what, isKept) = ("last", false)
    default:
      try await run.restart()
      (what, isKept) = ("restart", true)
    }
    // Sometimes a poll begins before the action finishes.
    if Int.random(in: 0..<4, using: &run.random) == 0 {
      run.timelines.refresh(.public, cause: .poll)
      what += ", and a poll"
    }
    await run.settle()
    if isKept, let before, run.oracle.index(of: before) != nil, run.reader.topRow != before {
      what += " (the reader was at \(before), is at \(String(describing: run.reader.topRow)))"
      Issue.record("seed \(run.seed): \(what)")
    }
    return what
  }

  @Test func `a read of the cache gives up if the timeline changes during each attempt`() async throws {
    let run = try Run(seed: 1, rows: 40)
    defer { run.stop() }
    run.timelines.refresh(.public)
    await run.settle()
    var attempts = 0
    var hasEnded = false
    run.timelines.read(nil, of: .public) { _, _, then in
      attempts += 1
      run.timelines.contentRevision += 1
      then(attempts)
    } then: { (_: Int) in
      Issue.record("An outdated read was taken.")
    } orElse: {
      hasEnded = true
    }
    #expect(hasEnded && attempts == 8)
  }

  @Test func `a count of the rows above gives up if the first row changes during each attempt`() async throws {
    let run = try Run(seed: 1, rows: 40)
    defer { run.stop() }
    run.server.state.withLock { $0.size = 40 }
    run.timelines.refresh(.public)
    await run.settle()
    func trim() { _ = run.timelines.entries[.public]?.timeline.trim(above: 1, below: 0) }
    trim()
    run.timelines.entries[.public]?.window.rowsAbove = nil
    var attempts = 0
    run.timelines.countAbove(.public) { _, _, then in
      attempts += 1
      trim()
      then(attempts)
    }
    #expect(attempts == 8)
    #expect(run.timelines.rowsAbove(.public) == nil, "An outdated count was taken.")
  }

  /// A run whose first ten rows are only in the cache, and a page with these rows, of which the first has changed.
  private func unloadedRows() async throws -> (Run, Page<Qwink>, first: Qwink.RowID) {
    let run = try Run(seed: 1, rows: 40)
    run.server.state.withLock { $0.size = 40 }
    run.timelines.refresh(.public)
    await run.settle()
    // The rows are removed without a notification.
    run.reader.isMoving = true
    _ = run.timelines.entries[.public]?.timeline.trim(above: 10, below: 0)
    var items = Array(run.oracle.items.prefix(10))
    items[0].favouritesCount = 7
    return (run, Page(items: items, older: PageCursor(url: "next")), items[0].rowID)
  }

  @Test func `a page updates rows that are loaded from the cache while it is merged`() async throws {
    let (run, page, first) = try await unloadedRows()
    defer { run.stop() }
    #expect(run.timeline[first] == nil)
    run.timelines.loadNewer(.public)
    run.timelines.take(page, at: .newest, into: .public) { _ in }
    await run.ledger.settle()
    #expect(run.timeline[first]?.favouritesCount == 7)
  }

  @Test func `rows are read again if a page was merged during the read`() async throws {
    let (run, page, _) = try await unloadedRows()
    defer { run.stop() }
    var attempts: [Int] = []
    run.timelines.read(nil, of: .public) { _, _, then in
      attempts.append(attempts.count)
      guard attempts.count == 1 else { return then(attempts.count) }
      run.timelines.take(page, at: .newest, into: .public) { _ in then(1) }
    } then: {
      #expect($0 == 2)
    }
    await run.ledger.settle()
    #expect(attempts.count == 2)
  }

  @Test func `a window matches the complete timeline and the reader's position is stable`() async throws {
    for seed in Soak.seeds(5, times: 100) {
      let run = try Run(seed: seed, rows: 160)
      defer { run.stop() }
      run.timelines.refresh(.public)
      await run.settle()
      var done: [String] = []
      for _ in 0..<60 {
        done.append(try await act(run))
        if let fault = run.fault() {
          Issue.record("seed \(seed): \(fault), after \(done.suffix(8))")
          break
        }
      }
    }
  }
}
