import OnDemandResources
import TerminalTesting
import Testing

/// Order and number of concurrent transfers, and prefetching.
@MainActor @Suite(.bounded) struct ResourcePriorityTests {
  private static func address(_ number: Int, host: String = "one.example") -> String { "https://\(host)/\(number)" }

  @Test func `at most four transfers run per server`() async throws {
    let bench = ResourceBench()
    let all = Dictionary(uniqueKeysWithValues: (0..<10).map { (Self.address($0), 10) })
    let tag = bench.tag("t", all)
    for address in all.keys { _ = bench.fetcher.hold(address, at: 1) }
    let request = bench.manager.request([tag])
    request.begin()
    try await bench.wait(for: "4 transfers") { bench.fetcher.running.count == 4 }
    for address in all.keys { bench.fetcher.letGo(address) }
    await bench.settle()
    #expect(request.state == .inUse)
    #expect(bench.fetcher.mostRunning == 4)
  }

  @Test func `each server has its own transfer limit`() async throws {
    let bench = ResourceBench()
    let hosts = ["one.example", "two.example"]
    let all = Dictionary(
      uniqueKeysWithValues: hosts.flatMap { host in (0..<4).map { (Self.address($0, host: host), 10) } })
    let tag = bench.tag("t", all)
    for address in all.keys { _ = bench.fetcher.hold(address, at: 1) }
    let request = bench.manager.request([tag])
    request.begin()
    try await bench.wait(for: "8 transfers") { bench.fetcher.running.count == 8 }
    for address in all.keys { bench.fetcher.letGo(address) }
    await bench.settle()
    #expect(request.state == .inUse)
  }

  @Test func `a higher priority loads first even if raised while loading`() async throws {
    let bench = ResourceBench(ResourceLimits(transfersPerServer: 1))
    let tags = (0..<4).map { bench.tag("\($0)", [Self.address($0): 10]) }
    _ = bench.fetcher.hold(Self.address(0), at: 1)
    let requests = tags.enumerated().map { index, tag in
      bench.manager.request([tag], loadingPriority: [0.5, 0.1, 0.2, 0.3][index])
    }
    for request in requests { request.begin() }
    try await bench.wait(for: "a transfer") { bench.fetcher.running.count == 1 }
    requests[1].loadingPriority = 0.9
    bench.fetcher.letGo(Self.address(0))
    await bench.settle()
    #expect(bench.fetcher.fetched == [0, 1, 3, 2].map { Self.address($0) })
  }

  @Test func `an urgent request pauses other transfers until it finishes`() async throws {
    let bench = ResourceBench()
    let slow = bench.tag("slow", [Self.address(0): 10, Self.address(1): 10])
    for number in 0...1 { _ = bench.fetcher.hold(Self.address(number), at: 4) }
    let other = bench.manager.request([slow])
    other.begin()
    try await bench.wait(for: "8 bytes") { other.progress.received == 8 }
    _ = bench.fetcher.hold(Self.address(2), at: 1)
    let urgent = bench.manager.request(
      [bench.tag("looked at", [Self.address(2): 10])], loadingPriority: ResourceRequest.urgent, isByKey: true)
    urgent.begin()
    try await bench.wait(for: "only the urgent transfer") { bench.fetcher.running == [Self.address(2)] }
    #expect(other.state == .loading)
    for number in 0...2 { bench.fetcher.letGo(Self.address(number)) }
    await bench.settle()
    #expect(urgent.state == .inUse && other.state == .inUse)
    // The paused transfers resumed at their offsets.
    #expect(bench.fetcher.calls.suffix(2).map(\.start) == [4, 4])
  }

  // MARK: Prefetching

  @Test func `prefetching loads tags in order and one at a time`() async {
    let bench = ResourceBench()
    let tags = (0..<3).map { bench.tag("\($0)", [Self.address($0): 10]) }
    let prefetch = ResourcePrefetch(bench.manager)
    prefetch.start([tags[2], tags[0], tags[1]])
    await bench.settle()
    #expect(bench.fetcher.fetched == [2, 0, 1].map { Self.address($0) })
    #expect(bench.fetcher.mostRunning == 1)
    #expect(bench.manager.bytesInUse == 0 && bench.manager.bytesOnDisk == 30)
  }

  @Test func `stopping a prefetch cancels its transfers`() async throws {
    let bench = ResourceBench()
    let tags = (0..<3).map { bench.tag("\($0)", [Self.address($0): 10]) }
    _ = bench.fetcher.hold(Self.address(0), at: 1)
    let prefetch = ResourcePrefetch(bench.manager)
    prefetch.start(tags)
    try await bench.wait(for: "a transfer") { bench.fetcher.running.count == 1 }
    prefetch.stop()
    await bench.settle()
    #expect(!prefetch.isActive)
    #expect(bench.fetcher.fetched == [Self.address(0)])
    #expect(bench.fetcher.running.isEmpty)
  }
}
