import QwinkleModel
import TerminalTesting
import Testing

@testable import OnDemandResources

/// A nearly full disk.
@MainActor @Suite(.bounded) struct ResourceDiskSpaceTests {
  /// A bench with the resources `a`, `b` and `c` of 50 bytes each, by ascending priority.
  private func bench() async -> ResourceBench {
    let bench = ResourceBench(ResourceLimits(freeSpace: 1000))
    bench.index.free = 5000
    for (name, priority) in [("c", 0.9), ("b", 0.5), ("a", 0.1)] {
      let tag = bench.tag(name, [name: 50])
      bench.manager.setPreservationPriority(priority, for: tag)
      await bench.begun(tag).end()
    }
    await bench.settle()
    return bench
  }

  @Test func `enough free space purges nothing`() async {
    let bench = await bench()
    await bench.begun(bench.tag("d", ["d": 50])).end()
    #expect(bench.index.addresses == ["a", "b", "c", "d"] && bench.dropped.isEmpty)
  }

  @Test func `low free space purges the lowest priorities first, no more than needed`() async {
    let bench = await bench()
    bench.index.free = 960
    let request = await bench.begun(bench.tag("d", ["d": 50]))
    // 40 bytes are missing for the limit, and 50 for the new resource.
    #expect(bench.index.removed == ["a", "b"])
    #expect(request.state == .inUse && bench.index.addresses == ["c", "d"])
    #expect(bench.dropped == [100] && bench.lowDiskCount == 0)
  }

  @Test func `resources in use survive low free space`() async {
    let bench = await bench()
    let held = await bench.begun(ResourceTag("a"))
    bench.index.free = 0
    await bench.begun(bench.tag("d", ["d": 50])).end()
    #expect(held.state == .inUse && bench.index.addresses == ["a", "d"])
  }

  @Test func `a request that is loading keeps its resources that have arrived`() async throws {
    let bench = await bench()
    bench.index.free = 0
    _ = bench.fetcher.hold("e", at: 10)
    let request = bench.manager.request([bench.tag("d", ["d": 50, "e": 50])])
    request.begin()
    try await bench.wait(for: "the first resource") { bench.index.addresses.contains("d") }
    bench.fetcher.letGo("e")
    await bench.settle()
    #expect(request.state == .inUse)
    #expect(bench.fetcher.calls.filter { ["d", "e"].contains($0.address) }.count == 2)
  }

  @Test func `partial downloads are dropped first`() async throws {
    let bench = await bench()
    try await bench.index.keep(PartialResource(bytes: [UInt8](repeating: 7, count: 90), validator: "1"), of: "e")
    bench.index.free = 960
    await bench.begun(bench.tag("d", ["d": 50])).end()
    #expect(bench.index.addresses == ["a", "b", "c", "d"] && bench.dropped == [90])
    #expect(await bench.index.part(of: "e") == nil)
  }

  @Test func `a nearly full disk is reported once until its space has recovered`() async {
    let bench = await bench()
    func load(_ name: String, free: Int) async {
      bench.index.free = free
      await bench.begun(bench.tag(name, [name: 50])).end()
      await bench.settle()
    }
    await load("d", free: 990)
    await load("e", free: 990)
    #expect(bench.dropped.count == 1)
    // Above the limit, but not recovered.
    await load("f", free: 1500)
    await load("g", free: 990)
    #expect(bench.dropped.count == 1)
    await load("h", free: 2000)
    await load("i", free: 990)
    #expect(bench.dropped.count == 2 && bench.lowDiskCount == 0)
  }

  @Test(arguments: [true, false])
  func `a prefetch ends on a nearly full disk instead of purging what it has fetched`(isKnown: Bool) async {
    let bench = await bench()
    if isKnown { bench.index.free = 960 } else { (bench.index.free, bench.index.room) = (nil, 150) }
    let tags = ["d", "e", "f", "g"].map { bench.tag($0, [$0: 50]) }
    for tag in tags { bench.manager.setPreservationPriority(0.7, for: tag) }
    let fetched = bench.fetcher.fetched.count
    var ends = 0
    let prefetch = ResourcePrefetch(bench.manager)
    prefetch.didFinish = { ends += 1 }
    prefetch.start(tags)
    await bench.settle()
    #expect(bench.fetcher.fetched.dropFirst(fetched) == ["d"], "\(bench.fetcher.fetched)")
    #expect(bench.index.addresses == (isKnown ? ["c", "d"] : ["d"]) && bench.dropped.count == 1)
    #expect(!prefetch.isActive && ends == 1 && prefetch.progress.count == 1 && prefetch.progress.fetchedCount == 1)
  }

  @Test func `a failed save drops resources and reports it`() async {
    let bench = await bench()
    bench.index.free = nil
    bench.index.room = 150
    #expect(await bench.begun(bench.tag("d", ["d": 50])).state == .inUse)
    #expect(bench.index.removed.first == "a" && bench.dropped.count == 1 && bench.lowDiskCount == 0)
  }
}
