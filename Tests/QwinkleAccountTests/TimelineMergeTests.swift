import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Pages that are merged in the cache while the list in memory changes, or while the file can't be used.
@MainActor
@Suite(.bounded) struct TimelineMergeTests {
  @MainActor
  private final class Run {
    let ledger = ActivityLedger()
    let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-merge-\(UUID().uuidString)"
    let cache: TimelineCache?
    let account: Account
    private(set) var changes: [ListChange] = []

    init(isCached: Bool = true) throws {
      cache = isCached ? try TimelineCache(directory: folder, ledger: ledger) : nil
      account = Account(
        service: DownloadService(
          configuration: .init(serverURL: "https://tilde.example", token: nil), ledger: ledger,
          transport: { ScriptedTransport { _ in .json(Array("[]".utf8)) } }),
        cache: cache, outgoing: nil, clock: VirtualClock(), isSignedIn: false)
      _ = timelines.timeline(.public)
    }

    isolated deinit {
      cache?.close()
      try? FileManager.default.removeItem(atPath: folder)
    }

    var timelines: Timelines { account.timelines }
    var rows: [String] {
      timelines.timeline(.public).rows.map { $0.qwink?.id.rawValue ?? "gap" }
    }

    func take(_ ids: [String], older: String? = nil, at place: PagePlace = .newest) {
      timelines.take(.sample(ids: ids, older: older), at: place, into: .public) { [weak self] in
        self?.changes.append($0)
      }
    }

    func merge(_ ids: [String], older: String? = nil, at place: PagePlace = .newest) async {
      take(ids, older: older, at: place)
      await ledger.settle()
    }
  }

  @Test func `each timeline refreshes for streamed posts whose ids have no order`() async throws {
    let run = try Run()
    for name in [TimelineName.public, .local] {
      _ = run.timelines.timeline(name)
      run.timelines.streamDidOpen(name)
      run.timelines.refresh(name)
      await run.ledger.settle()
      run.timelines.take(.sample(ids: ["10", "9"]), at: .newest, into: name) { _ in }
      await run.ledger.settle()
      run.timelines.take([.posted(.sample(id: "zz"), source: [])], of: name)
    }
    #expect(Set(run.timelines.placing.keys) == [.public, .local])
  }

  @Test(arguments: [true, false]) func `the user's own post survives two pages that lack it`(isCached: Bool)
    async throws
  {
    let run = try Run(isCached: isCached)
    await run.merge(["3", "2", "1"], older: "a")
    run.timelines.insertOwn(.sample(id: "4"), in: .public)
    for _ in 0..<2 {
      await run.merge(["3", "2", "1"], older: "a")
      #expect(run.rows == ["4", "3", "2", "1"])
    }
    await run.merge(["3", "2", "1"], older: "a")
    #expect(run.rows == ["3", "2", "1"], "the server has no such post")
  }

  @Test func `the user's own post above a gap is placed by the page that contains it`() async throws {
    let run = try Run()
    await run.merge(["3", "2", "1"], older: "a")
    run.timelines.insertOwn(.sample(id: "8"), in: .public)
    await run.merge(["7", "6"], older: "b")
    #expect(run.rows == ["8", "7", "6", "gap", "3", "2", "1"])
    await run.merge(["9", "8", "7", "6"], older: "b")
    #expect(run.rows == ["9", "8", "7", "6", "gap", "3", "2", "1"])
    await run.merge(["5", "4", "3"], older: "c", at: .at(PageCursor(url: "b")))
    #expect(run.rows == ["9", "8", "7", "6", "5", "4", "3", "2", "1"])
  }

  @Test func `changes during a merge win over the page`() async throws {
    let run = try Run()
    await run.merge(["3", "2", "1"], older: "a")
    run.take(["4", "3", "2", "1"], older: "a")
    var newer = Qwink.sample(id: "2")
    newer.favouritesCount = 7
    run.timelines.merge(newer)
    run.timelines.remove("1")
    run.timelines.insertOwn(.sample(id: "5"), in: .public)
    await run.ledger.settle()
    #expect(run.rows == ["5", "4", "3", "2"])
    #expect(run.timelines.timeline(.public)[newer.rowID]?.favouritesCount == 7)
    #expect(run.changes.last?.inserted.isEmpty == false)
  }

  @Test func `a page brings newer states of known rows in the same change`() async throws {
    let run = try Run()
    let (first, second) = (Qwink.sample(id: "1"), Qwink.sample(id: "2"))
    run.timelines.take(Page(items: [second, first]), at: .newest, into: .public) { _ in }
    await run.ledger.settle()
    var newer = first
    newer.favouritesCount = 7
    run.timelines.take(Page(items: [.sample(id: "3"), second, newer]), at: .newest, into: .public) { change in
      #expect(change == ListChange(inserted: [0..<1], changed: [2]))
    }
    await run.ledger.settle()
    #expect(run.timelines.timeline(.public)[newer.rowID]?.favouritesCount == 7)
  }

  @Test func `pages that were requested one after the other are merged in this order`() async throws {
    let run = try Run()
    run.take(["3", "2"], older: "a")
    run.take(["5", "4", "3", "2"], older: "a")
    run.take(["1"], older: nil, at: .at(PageCursor(url: "a")))
    await run.ledger.settle()
    #expect(run.rows == ["5", "4", "3", "2", "1"] && run.changes.count == 3)
    #expect(run.timelines.timeline(.public).older == nil)
  }

  @Test(arguments: [true, false]) func `without a usable file, pages are merged in memory`(isCached: Bool) async throws
  {
    let run = try Run(isCached: isCached)
    await run.merge(["3", "2", "1"], older: "a")
    run.cache?.close()
    await run.merge(["6", "5", "4", "3"], older: "b")
    await run.merge(["0"], older: nil, at: .at(PageCursor(url: "a")))
    #expect(run.rows == ["6", "5", "4", "3", "2", "1", "0"] && run.changes.count == 3)
    await run.merge(["9", "8"], older: "c")
    #expect(run.rows == ["9", "8", "gap", "6", "5", "4", "3", "2", "1", "0"])
  }

  @Test func `a list far from the top ignores newer rows that can't be saved`() async throws {
    let run = try Run()
    let ids = (1...60).reversed().map(String.init)
    await run.merge(ids, older: "a")
    _ = run.timelines.entries[.public]?.timeline.trim(above: 20, below: 20)
    run.cache?.close()
    await run.merge(["99", "98"], older: "b")
    #expect(run.rows == Array(ids[20..<40]) && run.changes.last?.isEmpty == true)
    #expect(run.timelines.hasMoreAbove(.public) && run.timelines.hasMoreCached(.public))
  }

  @Test func `a reader far from the top keeps all rows if a page proves one of them deleted`() async throws {
    let run = try Run()
    await run.merge((1...40).reversed().map(String.init), older: "a")
    _ = run.timelines.entries[.public]?.timeline.trim(above: 8, below: 16)
    #expect(run.rows.first == "32" && run.rows.last == "17")
    await run.merge((1...45).reversed().filter { $0 != 25 }.map(String.init), older: "a")
    #expect(run.rows == (17...32).reversed().filter { $0 != 25 }.map(String.init))
  }

  @Test func `a qwink changed while the first page of a timeline is saved doesn't hide the page`() async throws {
    let run = try Run()
    run.take(["3", "2", "1"], older: "a")
    run.timelines.merge(.sample(id: "77"))
    await run.ledger.settle()
    #expect(run.rows == ["3", "2", "1"] && run.timelines.timeline(.public).older == PageCursor(url: "a"))
  }

  @Test func `a page from below that repeats a post fills no gap and ends`() async throws {
    let run = try Run()
    await run.merge(["3", "2", "1"], older: "a")
    await run.merge(["9", "8"], older: "b")
    await run.merge(["5", "4", "5", "3"], at: .above(PageCursor(url: "b")))
    #expect(run.rows == ["9", "8", "gap", "3", "2", "1"] && run.changes.count == 3)
    await run.merge(["5", "4", "3"], at: .above(PageCursor(url: "b")))
    #expect(run.rows == ["9", "8", "gap", "5", "4", "3", "2", "1"])
  }

  @Test func `an empty list shows the rows of its first page and none of them is new twice`() async throws {
    let run = try Run()
    await run.merge([])
    await run.merge((1...40).reversed().map(String.init), older: "a")
    #expect(run.rows.count == 40 && run.changes.last?.new.count == 40)
    await run.merge((2...41).reversed().map(String.init), older: "b")
    #expect(run.rows.count == 41 && run.changes.last?.new == [0])
  }
}
