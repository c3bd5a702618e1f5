import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import OnDemandResources

@MainActor @Suite(.bounded) struct ResourceRequestTests {
  let bench = ResourceBench()

  @Test func `nothing is fetched before a request begins`() async {
    let request = bench.manager.request([bench.tag("t", ["a": 10])])
    await bench.settle()
    #expect(request.state == .idle)
    #expect(bench.fetcher.calls.isEmpty)
  }

  @Test func `beginning a request loads missing resources and reports progress`() async throws {
    let tag = bench.tag("t", ["a": 10, "b": 20])
    let gate = bench.fetcher.hold("b", at: 5)
    let request = bench.manager.request([tag])
    var told: [ResourceError?] = []
    request.begin { told.append($0) }
    #expect(request.state == .loading)
    try await bench.wait(for: "the file and a part of the other") {
      request.progress.received == 5 && request.progress.completedCount == 1
    }
    #expect(request.progress.fraction == 0.625)
    #expect(told.isEmpty)
    gate.open()
    await bench.settle()
    #expect(request.state == .inUse)
    #expect(told == [nil])
    #expect(request.progress.fraction == 1)
    #expect(await request.bytes(of: "b") == [UInt8](repeating: 7, count: 20))
    #expect(bench.manager.status(of: tag).state == .inUse(1))
  }

  @Test func `a cached resource is not fetched again`() async {
    let tag = bench.tag("t", ["a": 10])
    await bench.begun(tag).end()
    let again = await bench.begun(tag)
    #expect(again.state == .inUse)
    #expect(bench.fetcher.fetched == ["a"])
  }

  @Test func `a request for a tag without resources succeeds`() async {
    #expect(await bench.begun(ResourceTag("empty")).state == .inUse)
  }

  @Test func `beginning a request twice has no effect`() async {
    let request = await bench.begun(bench.tag("t", ["a": 10]))
    request.begin { _ in Issue.record("it was in use already") }
    await bench.settle()
    #expect(request.state == .inUse)
  }

  @Test func `conditionallyBegin succeeds if all resources are cached`() async {
    let tag = bench.tag("t", ["a": 10])
    await bench.begun(tag).end()
    let request = bench.manager.request([tag])
    var isHere: Bool?
    request.conditionallyBegin { isHere = $0 }
    await bench.settle()
    #expect(isHere == true)
    #expect(request.state == .inUse)
  }

  @Test func `conditionallyBegin fetches nothing if a resource is missing`() async {
    await bench.begun(bench.tag("t", ["a": 10])).end()
    let request = bench.manager.request([bench.tag("t", ["a": 10, "b": 10])])
    var isHere: Bool?
    request.conditionallyBegin { isHere = $0 }
    await bench.settle()
    #expect(isHere == false)
    #expect(request.state == .idle)
    #expect(bench.fetcher.fetched == ["a"])
  }

  @Test func `ending a request releases its resources but leaves them cached`() async {
    let tag = bench.tag("t", ["a": 10])
    let request = await bench.begun(tag)
    request.end()
    #expect(request.state == .ended)
    #expect(bench.manager.status(of: tag).state == .here)
    #expect(await request.bytes(of: "a") == nil)
  }

  @Test func `deallocating a request ends it`() async {
    let tag = bench.tag("t", ["a": 10])
    var request: ResourceRequest? = await bench.begun(tag)
    #expect(bench.manager.status(of: tag).state == .inUse(1))
    #expect(request != nil)
    request = nil
    await bench.settle()
    #expect(bench.manager.status(of: tag).state == .here)
  }

  @Test func `deallocating a loading request stops its transfer`() async throws {
    let tag = bench.tag("t", ["a": 10])
    _ = bench.fetcher.hold("a", at: 3)
    var request: ResourceRequest? = bench.manager.request([tag])
    request?.begin()
    try await bench.wait(for: "the transfer") { bench.fetcher.running == ["a"] }
    request = nil
    await bench.settle()
    #expect(request == nil)
    #expect(bench.fetcher.running.isEmpty)
    #expect(bench.manager.status(of: tag).state == .notHere)
  }

  @Test func `a cancelled request can begin again`() async throws {
    let request = bench.manager.request([bench.tag("t", ["a": 10])])
    _ = bench.fetcher.hold("a", at: 3)
    var told: [ResourceError?] = []
    request.begin { told.append($0) }
    try await bench.wait(for: "3 bytes") { request.progress.received == 3 }
    bench.manager.cancel(request)
    await bench.settle()
    #expect(request.state == .failed(.cancelled))
    #expect(told == [.cancelled])
    bench.fetcher.letGo("a")
    request.begin()
    await bench.settle()
    #expect(request.state == .inUse)
  }

  @Test func `a resumed request fetches only the missing bytes`() async throws {
    let request = bench.manager.request([bench.tag("t", ["a": 10])])
    _ = bench.fetcher.hold("a", at: 6)
    request.begin()
    try await bench.wait(for: "6 bytes") { request.progress.received == 6 }
    bench.manager.pause(request)
    await bench.settle()
    #expect(request.state == .paused)
    #expect(bench.fetcher.running.isEmpty)
    bench.fetcher.letGo("a")
    bench.manager.resume(request)
    #expect(request.state == .loading)
    await bench.settle()
    #expect(request.state == .inUse)
    #expect(bench.fetcher.calls.map(\.start) == [0, 6])
    #expect(await request.bytes(of: "a") == [UInt8](repeating: 7, count: 10))
  }

  @Test func `a tag is paused, resumed and cancelled for all its requests`() async throws {
    let tag = bench.tag("t", ["a": 10])
    let other = bench.tag("u", ["b": 10])
    _ = bench.fetcher.hold("a", at: 6)
    _ = bench.fetcher.hold("b", at: 6)
    let requests = [tag, tag, other].map { bench.manager.request([$0]) }
    for request in requests { request.begin() }
    try await bench.wait(for: "6 bytes of each") { requests.allSatisfy { $0.progress.received == 6 } }
    #expect(bench.manager.pause(tag))
    #expect(requests.map(\.state) == [.paused, .paused, .loading])
    #expect(bench.manager.status(of: tag).state == .paused(0.6))
    #expect(bench.manager.status(of: other).state == .loading(0.6))
    #expect(!bench.manager.pause(tag) && !bench.manager.resume(other))
    #expect(bench.manager.resume(tag))
    #expect(bench.manager.status(of: tag).state == .loading(0.6))
    #expect(bench.manager.cancel(tag) && !bench.manager.cancel(tag))
    #expect(requests.map(\.state) == [.failed(.cancelled), .failed(.cancelled), .loading])
    bench.fetcher.letGo("a")
    bench.fetcher.letGo("b")
    await bench.settle()
    #expect(bench.manager.status(of: tag).state == .notHere)
    #expect(requests[2].state == .inUse)
  }

  @Test func `a resumed request starts over if the server cannot continue`() async throws {
    let request = bench.manager.request([bench.tag("t", ["a": 10, "b": 10])])
    bench.fetcher.continues = false
    _ = bench.fetcher.hold("a", at: 6)
    let other = bench.fetcher.hold("b", at: 1)
    request.begin()
    try await bench.wait(for: "7 bytes") { request.progress.received == 7 }
    bench.manager.pause(request)
    await bench.settle()
    bench.fetcher.letGo("a")
    bench.manager.resume(request)
    try await bench.wait(for: "the file and the first byte of the other") {
      request.progress.completedCount == 1 && request.progress.received == 1
    }
    other.open()
    await bench.settle()
    #expect(bench.fetcher.calls.allSatisfy { $0.start == 0 })
    #expect(request.state == .inUse)
  }

  @Test func `a resumed request starts over if the resource has changed`() async throws {
    let request = bench.manager.request([bench.tag("t", ["a": 10])])
    _ = bench.fetcher.hold("a", at: 6)
    request.begin()
    try await bench.wait(for: "6 bytes") { request.progress.received == 6 }
    bench.manager.pause(request)
    await bench.settle()
    bench.fetcher.setFile("a", [UInt8](repeating: 9, count: 12), version: "\"2\"")
    bench.fetcher.letGo("a")
    bench.manager.resume(request)
    await bench.settle()
    #expect(await request.bytes(of: "a") == [UInt8](repeating: 9, count: 12))
  }

  @Test(arguments: [
    ResourceError.noNetwork, .gone, .refusedType, .notAllowed, .needsKey, .failed("the server answered 500"),
  ])
  func `a failed request reports the reason and uses no bytes`(error: ResourceError) async {
    // Load `a` first, or the failure may cancel its transfer.
    await bench.begun(bench.tag("earlier", ["a": 10])).end()
    let tag = bench.tag("t", ["a": 10, "b": 10])
    bench.fetcher.fail("b", with: error)
    let request = await bench.begun(tag)
    #expect(request.state == .failed(error))
    #expect(bench.manager.bytesInUse == 0)
    // A retry fetches only the resource that failed.
    bench.fetcher.fail("b", with: nil)
    request.begin()
    await bench.settle()
    #expect(request.state == .inUse)
    #expect(bench.fetcher.fetched.filter { $0 == "a" }.count == 1)
  }

  @Test func `only requests by key use a metered network`() async {
    bench.manager.isMetered = true
    let tag = bench.tag("t", ["a": 10])
    #expect(await bench.begun(tag).state == .failed(.needsKey))
    let byKey = bench.manager.request([tag], isByKey: true)
    byKey.begin()
    await bench.settle()
    #expect(byKey.state == .inUse)
    #expect(bench.fetcher.calls == [.init(address: "a", start: 0, isByKey: true)])
    // Cached resources need no network.
    #expect(await bench.begun(tag).state == .inUse)
  }

  // MARK: Shared tags

  @Test func `two requests for one tag fetch it once`() async throws {
    let tag = bench.tag("t", ["a": 10])
    let gate = bench.fetcher.hold("a", at: 2)
    let (first, second) = (bench.manager.request([tag]), bench.manager.request([tag]))
    first.begin()
    second.begin()
    try await bench.wait(for: "2 bytes") { first.progress.received == 2 }
    gate.open()
    await bench.settle()
    #expect(first.state == .inUse && second.state == .inUse)
    #expect(bench.fetcher.fetched == ["a"])
    #expect(bench.manager.status(of: tag).state == .inUse(2))
    first.end()
    #expect(bench.manager.status(of: tag).state == .inUse(1))
  }

  @Test func `a resource with two tags is fetched once and counted once`() async {
    let (one, two) = (bench.tag("one", ["a": 10, "b": 20]), bench.tag("two", ["b": 20, "c": 30]))
    let request = await bench.begun(one, two)
    #expect(bench.fetcher.fetched.sorted() == ["a", "b", "c"])
    #expect(request.progress.count == 3)
    #expect(bench.manager.bytesInUse == 60)
    #expect(bench.manager.bytesOnDisk == 60)
    let other = await bench.begun(two)
    #expect(bench.manager.bytesInUse == 60)
    other.end()
    #expect(bench.manager.bytesInUse == 60)
  }

  @Test func `ending one of two requests does not stop the shared transfer`() async throws {
    let tag = bench.tag("t", ["a": 10])
    let gate = bench.fetcher.hold("a", at: 2)
    let (first, second) = (bench.manager.request([tag]), bench.manager.request([tag]))
    first.begin()
    second.begin()
    try await bench.wait(for: "2 bytes") { first.progress.received == 2 }
    first.end()
    gate.open()
    await bench.settle()
    #expect(second.state == .inUse)
    #expect(bench.fetcher.fetched == ["a"])
  }

  @Test func `resuming a request succeeds at once if another has loaded its tag`() async throws {
    let tag = bench.tag("t", ["a": 10])
    let gate = bench.fetcher.hold("a", at: 2)
    let (first, second) = (bench.manager.request([tag]), bench.manager.request([tag]))
    first.begin()
    second.begin()
    try await bench.wait(for: "2 bytes") { first.progress.received == 2 }
    bench.manager.pause(first)
    gate.open()
    await bench.settle()
    #expect(first.state == .paused && second.state == .inUse)
    bench.manager.resume(first)
    #expect(first.state == .inUse)
  }

  // MARK: Restart

  @Test func `cached resources survive a restart`() async {
    let tag = bench.tag("t", ["a": 10])
    await bench.begun(tag).end()
    let manager = bench.restarted()
    let request = manager.request([tag])
    request.begin()
    await bench.settle()
    #expect(request.state == .inUse)
    #expect(bench.fetcher.fetched == ["a"])
  }

  @Test func `a resource lost from the index is fetched again`() async {
    let tag = bench.tag("t", ["a": 10])
    let request = await bench.begun(tag)
    bench.index.damage("a")
    #expect(await request.bytes(of: "a") == nil)
    request.end()
    #expect(await bench.begun(tag).state == .inUse)
    #expect(bench.fetcher.fetched == ["a", "a"])
  }
}
