import OnDemandResources
import TerminalTesting
import Testing

@MainActor @Suite(.bounded) struct ResourcePurgingTests {
  @Test func `nothing is purged while there is room`() async {
    let bench = ResourceBench(ResourceLimits(onDisk: 100))
    for name in ["a", "b"] { await bench.begun(bench.tag(name, [name: 50])).end() }
    await bench.settle()
    #expect(bench.index.addresses == ["a", "b"])
  }

  @Test func `the least recently used resource is purged first`() async {
    let bench = ResourceBench(ResourceLimits(onDisk: 100))
    for name in ["a", "b"] { await bench.begun(bench.tag(name, [name: 50])).end() }
    await bench.begun(ResourceTag("a")).end()
    await bench.begun(bench.tag("c", ["c": 50])).end()
    await bench.settle()
    #expect(bench.index.addresses == ["a", "c"])
  }

  @Test func `a higher preservation priority outweighs recent use`() async {
    let bench = ResourceBench(ResourceLimits(onDisk: 100))
    let tag = bench.tag("a", ["a": 50])
    bench.manager.setPreservationPriority(0.9, for: tag)
    await bench.begun(tag).end()
    await bench.begun(bench.tag("b", ["b": 50])).end()
    await bench.begun(bench.tag("c", ["c": 50])).end()
    await bench.settle()
    #expect(bench.index.addresses == ["a", "c"])
  }

  @Test func `a resource has the highest preservation priority of its tags`() async {
    let bench = ResourceBench(ResourceLimits(onDisk: 100))
    let (low, high) = (bench.tag("low", ["a": 50]), bench.tag("high", ["a": 50]))
    bench.manager.setPreservationPriority(0, for: low)
    bench.manager.setPreservationPriority(1, for: high)
    await bench.begun(low).end()
    await bench.begun(bench.tag("b", ["b": 50])).end()
    await bench.begun(bench.tag("c", ["c": 50])).end()
    await bench.settle()
    #expect(bench.index.addresses == ["a", "c"])
  }

  @Test func `a resource in use is never purged`() async {
    let bench = ResourceBench(ResourceLimits(onDisk: 60))
    let held = await bench.begun(bench.tag("a", ["a": 50]))
    let other = await bench.begun(bench.tag("b", ["b": 50]))
    await bench.settle()
    #expect(bench.index.addresses == ["a", "b"])
    held.end()
    await bench.settle()
    #expect(bench.index.addresses == ["b"])
    #expect(other.state == .inUse)
  }

  @Test func `requests that end together purge only the excess`() async {
    let bench = ResourceBench(ResourceLimits(onDisk: 100))
    var held: [ResourceRequest] = []
    for name in ["a", "b", "c", "d", "e"] { held.append(await bench.begun(bench.tag(name, [name: 50]))) }
    for request in held { request.end() }
    await bench.settle()
    #expect(bench.index.addresses == ["d", "e"])
    #expect(bench.manager.bytesOnDisk == 100 && bench.manager.bytesInUse == 0)
  }

  @Test func `a request costs the same, however many resources exist`() async {
    var benches: [Int: ResourceBench] = [:]
    for count in [5000, 20_000] {
      let bench = ResourceBench()
      bench.manager.setResources((0..<count).map { "other \($0)" }, for: ResourceTag("others"))
      await bench.begun(bench.tag("t", ["a": 10])).end()
      benches[count] = bench
    }
    let growth = Effort.growth(from: 5000, below: 2, prepare: { benches[$0] }) { bench in
      for _ in 0..<100 {
        let request = bench?.manager.request([ResourceTag("t")])
        request?.conditionallyBegin { #expect($0) }
        request?.end()
      }
    }
    #expect(growth < 2)
    for bench in benches.values { await bench.settle() }
  }

  @Test func `a manual purge removes one tag or everything not in use`() async {
    let bench = ResourceBench()
    let (a, b) = (bench.tag("a", ["a": 50]), bench.tag("b", ["b": 60]))
    await bench.begun(a).end()
    await bench.begun(b).end()
    let held = await bench.begun(bench.tag("c", ["c": 70]))
    #expect(await bench.manager.purge(a) == 50)
    #expect(bench.index.addresses == ["b", "c"])
    #expect(await bench.manager.purge() == 60)
    #expect(bench.index.addresses == ["c"])
    #expect(held.state == .inUse)
    #expect(await held.bytes(of: "c")?.count == 70)
  }

  @Test func `a purged resource is fetched again on the next request`() async {
    let bench = ResourceBench()
    let tag = bench.tag("a", ["a": 50])
    await bench.begun(tag).end()
    await bench.manager.purge()
    #expect(bench.manager.status(of: tag).state == .notHere)
    #expect(await bench.begun(tag).state == .inUse)
    #expect(bench.fetcher.fetched == ["a", "a"])
  }

  // MARK: Limits

  @Test func `a request over the in-use limit succeeds once another ends`() async {
    let bench = ResourceBench(ResourceLimits(inUse: 100))
    let first = await bench.begun(bench.tag("a", ["a": 60]))
    let tag = bench.tag("b", ["b": 60])
    let second = await bench.begun(tag)
    #expect(second.state == .failed(.inUseLimit))
    #expect(bench.manager.status(of: tag).state == .here)
    var isHeld: Bool?
    second.conditionallyBegin { isHeld = $0 }
    await bench.settle()
    #expect(isHeld == false)
    first.end()
    second.begin()
    await bench.settle()
    #expect(second.state == .inUse)
    #expect(bench.fetcher.fetched == ["a", "b"])
  }

  @Test func `a resource over the size limit is not loaded`() async {
    let bench = ResourceBench(ResourceLimits(single: 100))
    #expect(await bench.begun(bench.tag("a", ["a": 101])).state == .failed(.tooLarge))
    #expect(bench.manager.bytesOnDisk == 0)
  }

  // MARK: A full disk

  @Test func `a full disk purges old resources and saves the new one`() async {
    let bench = ResourceBench()
    for name in ["a", "b"] { await bench.begun(bench.tag(name, [name: 50])).end() }
    bench.index.room = 100
    let request = await bench.begun(bench.tag("c", ["c": 50]))
    #expect(request.state == .inUse)
    #expect(bench.lowDiskCount == 0)
    #expect(bench.index.addresses.contains("c"))
    #expect(bench.index.removed.first == "a")
  }

  @Test func `a request fails if purging frees too little disk space`() async {
    let bench = ResourceBench()
    let held = await bench.begun(bench.tag("a", ["a": 50]))
    bench.index.room = 60
    #expect(await bench.begun(bench.tag("b", ["b": 50])).state == .failed(.noSpace))
    #expect(bench.lowDiskCount == 1)
    #expect(held.state == .inUse)
    #expect(bench.index.addresses == ["a"])
  }
}
