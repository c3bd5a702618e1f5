import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Catching up with the home timeline.
@MainActor
@Suite(.bounded) struct CatchUpTests {
  @MainActor
  private final class Bench: AccountObserver {
    let ledger = ActivityLedger()
    let clock = VirtualClock()
    let server: HomeServer
    let cache: TimelineCache?
    let account: Account
    /// Largest number of the timeline's rows in memory.
    private(set) var mostInMemory = 0
    /// Numbers of items after each change.
    private(set) var counts: [Int] = []

    init(_ server: HomeServer, cachedIn folder: String? = nil) throws {
      self.server = server
      cache = try folder.map { [ledger, clock] in try TimelineCache(directory: $0, ledger: ledger, clock: clock) }
      let service = DownloadService(
        configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger,
        transport: { server.transport() })
      account = Account(service: service, cache: cache, outgoing: nil, clock: clock, isSignedIn: true)
      account.addObserver(self)
    }

    var catchUp: CatchUp { account.catchUp }
    /// Numbers of the posts, newest first.
    var numbers: [Int] { catchUp.items.compactMap { Int($0.statusID.rawValue) } }

    func load(_ span: CatchUp.Span = .hours(1000)) async {
      catchUp.start(span)
      await ledger.settle()
    }

    func timelines(
      _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
    ) {
      mostInMemory = max(mostInMemory, timelines.timeline(.home).knownRows.count)
    }

    func catchUpDidChangeRows(_ catchUp: CatchUp) { counts.append(catchUp.items.count) }
  }

  private static func row(_ number: Int, boostedBy booster: Qwinker.ID? = nil) -> Qwink.RowID {
    Qwink.RowID(status: Qwink.ID("\(number)"), booster: booster)
  }

  /// Starts to load 300 posts, of which the fifth page waits for the gate.
  private func halfway() async throws -> (bench: Bench, gate: Gate) {
    let server = HomeServer(newest: 300)
    let gate = Gate()
    server.set { $0.gate = (160, gate) }
    let bench = try Bench(server)
    bench.catchUp.start(.hours(1000))
    try await wait(for: "four pages") { bench.catchUp.items.count == 160 && server.pagesAsked == 4 }
    return (bench, gate)
  }

  // MARK: Loading

  @Test func `3,000 missed posts are loaded in pages, each once, and few rows of the timeline stay in memory`()
    async throws
  {
    let bench = try Bench(HomeServer(newest: 3100, marker: 100))
    await bench.load(.sinceRead)
    #expect(bench.catchUp.state == .finished(.complete))
    #expect(bench.numbers == Array((101...3100).reversed()))
    #expect(bench.catchUp.progress.posts == 3000 && bench.catchUp.progress.pages == bench.server.pagesAsked)
    #expect(bench.server.pagesAsked <= 76)
    #expect(bench.counts.first { $0 > 0 } == 40, "rows are available after the first page")
    // The margins and the slack around the visible rows, and a page.
    #expect(bench.mostInMemory <= 640, "\(bench.mostInMemory)")
    for view in [CatchUpView.time, .authors, .threads] {
      let rows = bench.catchUp.rows(view).compactMap { if case .qwink(let post) = $0 { post.rowID } else { nil } }
      #expect(rows.count == 3000 && Set(rows).count == 3000, "\(view)")
    }
    let oldest = try #require(bench.catchUp.rows(.time).first?.rowID)
    #expect(bench.catchUp.qwink(for: oldest)?.text.plainText == "Post 101")
  }

  @Test func `without a read position, the last 24 hours are loaded`() async throws {
    let bench = try Bench(HomeServer(newest: 1600))
    await bench.load(.sinceRead)
    #expect(bench.catchUp.state == .finished(.complete))
    #expect(bench.numbers == Array((160...1600).reversed()))
    #expect(bench.catchUp.startDate == HomeServer.now.addingTimeInterval(-86_400))
  }

  @Test func `without Link headers all posts are loaded`() async throws {
    let server = HomeServer(newest: 250)
    server.set { $0.isLinked = false }
    let bench = try Bench(server)
    await bench.load()
    #expect(bench.catchUp.state == .finished(.complete) && bench.numbers == Array((1...250).reversed()))
  }

  @Test(arguments: [true, false])
  func `endless repeated or empty pages end loading`(isRepeated: Bool) async throws {
    let server = HomeServer(newest: 250)
    server.set {
      $0.repeatsPages = isRepeated
      $0.isEmptyBelow = !isRepeated
    }
    let bench = try Bench(server)
    await bench.load()
    #expect(bench.catchUp.state == .finished(.incomplete))
    #expect(bench.numbers == Array((211...250).reversed()))
    #expect(server.pagesAsked < 10, "\(server.pagesAsked)")
  }

  @Test func `loading ends at the limit of posts`() async throws {
    let bench = try Bench(HomeServer(newest: 300))
    bench.catchUp.mostPosts = 100
    await bench.load()
    #expect(bench.catchUp.state == .finished(.limit) && bench.numbers == Array((201...300).reversed()))
  }

  @Test func `a post that arrived late is included, older posts are not`() async throws {
    let server = HomeServer(newest: 100)
    server.set { state in
      state.change = { if $0 == 95 { $1.createdAt = HomeServer.now.addingTimeInterval(-30 * 86_400) } }
    }
    let bench = try Bench(server)
    await bench.load(.hours(1))
    #expect(bench.catchUp.state == .finished(.complete) && bench.numbers == Array((40...100).reversed()))
  }

  @Test(arguments: Soak.seeds(6))
  func `the gaps of earlier refreshes are filled`(seed: UInt64) async throws {
    var dice = SplitMix(seed: seed)
    let server = HomeServer(newest: 400)
    let bench = try Bench(server)
    var newest = 0
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      newest = min(400, newest + Int.random(in: 20...150, using: &dice))
      server.set { $0.newest = newest }
      bench.account.timelines.refresh(.home)
      await bench.ledger.settle()
    }
    server.set { $0.newest = 400 }
    await bench.load()
    #expect(bench.catchUp.state == .finished(.complete))
    #expect(bench.numbers == Array((1...400).reversed()), "seed \(seed)")
    let pages = server.pagesAsked
    await bench.load()
    #expect(bench.numbers.count == 400 && server.pagesAsked == pages, "cached posts are not fetched again")
  }

  // MARK: Stopping

  @Test func `after a failure the posts remain, and resuming loads only the rest`() async throws {
    let server = HomeServer(newest: 300)
    server.set { $0.failsBelow = 150 }
    let bench = try Bench(server)
    await bench.load()
    guard case .failed = bench.catchUp.state else {
      Issue.record("\(bench.catchUp.state)")
      return
    }
    #expect(bench.numbers == Array((141...300).reversed()))
    #expect(bench.catchUp.rows(.time).count == 160)
    server.set { $0.failsBelow = 0 }
    let before = server.pagesAsked
    bench.catchUp.resume()
    await bench.ledger.settle()
    #expect(bench.catchUp.state == .finished(.complete) && bench.numbers == Array((1...300).reversed()))
    // Four pages, and perhaps an empty one at the end.
    #expect((4...5).contains(server.pagesAsked - before))
  }

  @Test func `a pause keeps the page in progress and sends no other request until it ends`() async throws {
    let (bench, gate) = try await halfway()
    bench.catchUp.pause()
    gate.open()
    await bench.ledger.settle()
    #expect(bench.catchUp.state == .paused && bench.numbers == Array((101...300).reversed()))
    #expect(bench.server.pagesAsked == 4)
    bench.catchUp.resume()
    await bench.ledger.settle()
    #expect(bench.catchUp.state == .finished(.complete) && bench.numbers == Array((1...300).reversed()))
  }

  @Test func `cancelling keeps the posts and sends no other request`() async throws {
    let (bench, gate) = try await halfway()
    bench.catchUp.cancel()
    #expect(bench.catchUp.state == .finished(.cancelled))
    gate.open()
    await bench.ledger.settle()
    #expect(bench.numbers.count == 160 && bench.server.pagesAsked == 4)
    #expect(bench.catchUp.rows(.time).count == 160)
    await bench.load()
    #expect(bench.catchUp.state == .finished(.complete) && bench.numbers.count == 300)
  }

  @Test func `cancelling all downloads of the account cancels loading`() async throws {
    let (bench, gate) = try await halfway()
    bench.account.cancelDownloads()
    gate.open()
    await bench.ledger.settle()
    #expect(bench.catchUp.state == .finished(.cancelled) && bench.numbers.count == 160)
  }

  // MARK: Changes

  @Test func `edits and deletions apply to loaded posts and to posts loaded later`() async throws {
    let (bench, gate) = try await halfway()
    var edits: [StreamEvent] = []
    for number in [50, 190] {
      var edit = bench.server.qwink(number)
      edit.text = RichText(plain: "Changed \(number)")
      edit.editedAt = HomeServer.now
      edits.append(.edited(edit))
    }
    bench.account.timelines.take(edits + [.deleted("60"), .deleted("200")], of: .home)
    #expect(bench.catchUp.rows(.time, matching: "changed").count == 1 && !bench.numbers.contains(200))
    gate.open()
    await bench.ledger.settle()
    #expect(bench.numbers == (1...300).reversed().filter { $0 != 60 && $0 != 200 })
    #expect(bench.catchUp.rows(.time, matching: "changed").map(\.rowID?.status) == ["50", "190"])
    #expect(bench.catchUp.qwink(for: Self.row(50))?.text.plainText == "Changed 50")
    #expect(bench.catchUp.qwink(for: Self.row(200)) == nil && bench.catchUp.hiddenCount == 0)
  }

  @Test func `hidden posts are counted, and are listed when their filter expires`() async throws {
    let server = HomeServer(newest: 100)
    server.set { state in
      state.change = { number, qwink in
        guard number % 10 == 0 else { return }
        qwink.filterMatches = [
          FilterMatch(
            id: "1", title: "Tens", hides: true, contexts: ["home"], expiresAt: HomeServer.now.addingTimeInterval(20))
        ]
      }
    }
    let bench = try Bench(server)
    await bench.load()
    #expect(bench.catchUp.hiddenCount == 10 && bench.numbers.count == 90 && !bench.numbers.contains(50))
    server.set { $0.newest = 105 }
    bench.account.timelines.refresh(.home)
    await bench.ledger.settle()
    await bench.clock.advance(by: .seconds(30)) { await bench.ledger.settle() }
    #expect(bench.catchUp.hiddenCount == 0)
    #expect(bench.numbers == Array((1...100).reversed()), "later posts are not added")
  }

  @Test func `cached posts are readable offline, and resuming fetches newer ones`() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-catch-up-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = HomeServer(newest: 150)
    server.set { $0.newest = 100 }
    let first = try Bench(server, cachedIn: folder)
    await first.load()
    first.cache?.close()

    server.set {
      $0.isDown = true
      $0.newest = 150
    }
    let bench = try Bench(server, cachedIn: folder)
    await bench.load()
    guard case .failed(.transport) = bench.catchUp.state else {
      Issue.record("\(bench.catchUp.state)")
      return
    }
    #expect(bench.numbers == Array((1...100).reversed()))
    #expect(bench.catchUp.qwink(for: Self.row(7))?.text.plainText == "Post 7")
    server.set { $0.isDown = false }
    bench.catchUp.resume()
    await bench.ledger.settle()
    #expect(bench.catchUp.state == .finished(.complete) && bench.numbers == Array((1...150).reversed()))
    bench.cache?.close()
  }

  // MARK: Reading

  @Test func `a post seen in one row is seen in all its rows`() async throws {
    let server = HomeServer(newest: 100)
    server.setBoost(80, of: 30)
    let bench = try Bench(server)
    await bench.load()
    #expect(bench.catchUp.items.count == 100 && bench.catchUp.rows(.time).count == 99 && bench.catchUp.left == 99)
    bench.catchUp.markSeen([Self.row(30, boostedBy: "ben-id"), Self.row(7777)])
    #expect(bench.catchUp.left == 98 && bench.catchUp.isSeen(Self.row(30)) && !bench.catchUp.isSeen(Self.row(7777)))
    bench.catchUp.markUnseen([Self.row(30)])
    #expect(bench.catchUp.left == 99)
  }

  @Test func `marking as read keeps rows that were skipped below the former position`() async throws {
    let bench = try Bench(HomeServer(newest: 100))
    await bench.load()
    let list = ReadList.timeline(.home)
    let skipped = bench.account.timelines.timeline(.home).rows.compactMap(\.qwink).filter { $0.id == "95" }
    var mark = ReadMark(id: "97")
    mark.skip(skipped.map { SkippedRow($0) })
    bench.account.readPositions.read(list, upTo: mark)
    #expect(bench.catchUp.markRead(upTo: Self.row(99)))
    #expect(bench.account.readPositions.mark(in: list)?.skipped.map(\.rowID.status) == ["95"])
  }

  @Test func `rules hide posts and count them`() async throws {
    let bench = try Bench(HomeServer(newest: 20))
    bench.catchUp.hideRules = [try ViewRule("'Post 1'")]
    await bench.load()
    #expect(!bench.numbers.contains(15) && bench.numbers.contains(9) && bench.catchUp.hiddenCount > 0)
    bench.catchUp.hideRules = []
    await bench.ledger.settle()
    #expect(bench.numbers == Array((1...20).reversed()) && bench.catchUp.hiddenCount == 0)
  }

  @Test func `a boost that a rule shows stays when its post is changed`() async throws {
    let server = HomeServer(newest: 20)
    server.setBoost(18, of: 5)
    let bench = try Bench(server)
    bench.catchUp.hideRules = [try ViewRule("'Post 5' and not boost")]
    await bench.load()
    #expect(bench.catchUp.hiddenCount == 1 && bench.numbers.contains(18) && !bench.numbers.contains(5))
    var edit = server.qwink(5)
    edit.text = RichText(plain: "Post 5 again")
    edit.editedAt = HomeServer.now
    bench.account.timelines.take([.edited(edit)], of: .home)
    await bench.ledger.settle()
    #expect(bench.catchUp.rows(.time, matching: "again").map(\.rowID) == [Self.row(5, boostedBy: "ben-id")])
    #expect(bench.catchUp.hiddenCount == 1)
  }

  @Test func `marking as read moves the read position up to the row, and never back`() async throws {
    let bench = try Bench(HomeServer(newest: 100))
    await bench.load()
    let list = ReadList.timeline(.home)
    #expect(bench.catchUp.timeAway == nil)
    #expect(bench.catchUp.markRead(upTo: Self.row(50)))
    #expect(bench.account.readPositions.mark(in: list)?.id == "50")
    #expect(!bench.catchUp.markRead(upTo: Self.row(40)) && !bench.catchUp.markRead(upTo: Self.row(7777)))
    #expect(bench.account.readPositions.mark(in: list)?.id == "50")
    #expect(bench.catchUp.markRead(upTo: Self.row(60)))
    #expect(bench.account.readPositions.mark(in: list)?.id == "60")
    let unread = bench.account.timelines.timeline(.home).rows.firstRead(by: ReadMark(id: "60"))
    #expect(unread == 40, "newer rows are unread")
    bench.clock.jump(by: .seconds(3 * 3600))
    #expect(bench.catchUp.timeAway.map { ($0 / 3600).rounded() } == 3)
    await bench.load(.sinceRead)
    #expect(bench.numbers == Array((61...100).reversed()))
  }
}
