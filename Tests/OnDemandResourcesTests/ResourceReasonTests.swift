import TerminalTesting
import Testing

@testable import OnDemandResources

/// The reasons why resources are on disk, and the priorities that the user sets.
@MainActor @Suite(.bounded) struct ResourceReasonTests {
  private func named(_ tag: ResourceTag, _ owner: String?, in bench: ResourceBench) async -> ResourceRequest {
    let request = bench.manager.request([tag], owner: owner)
    request.begin()
    await bench.settle()
    return request
  }

  @Test func `the names of the requests that use a tag are listed once each`() async {
    let bench = ResourceBench()
    let tag = bench.tag("a", ["a": 10])
    var requests: [ResourceRequest] = []
    for owner in ["thread of @bob", "Home", "Home", nil] { requests.append(await named(tag, owner, in: bench)) }
    #expect(bench.manager.status(of: tag).owners == ["Home", "thread of @bob"])
    #expect(bench.manager.status(of: tag).state == .inUse(4))
    for request in requests { request.end() }
    #expect(bench.manager.status(of: tag).owners.isEmpty)
  }

  @Test func `a released request is no longer named`() async {
    let bench = ResourceBench()
    let tag = bench.tag("a", ["a": 10])
    var request: ResourceRequest? = await named(tag, "Home", in: bench)
    #expect(bench.manager.status(of: tag).owners == ["Home"] && request != nil)
    request = nil
    #expect(bench.manager.status(of: tag).owners.isEmpty)
  }

  @Test func `the strongest tag retains a resource, and the weakest resource goes first`() async {
    let bench = ResourceBench()
    let (post, page) = (bench.tag("post", ["a": 10]), bench.tag("bookmarks", ["a": 10]))
    bench.manager.setPreservationPriority(0.8, for: page)
    await bench.begun(post, page).end()
    await bench.begun(bench.tag("other", ["b": 10])).end()
    await bench.settle()
    let status = bench.manager.status(of: post)
    #expect(status.keptBy == page && status.keptPriority == 0.8 && !status.isNextToPurge)
    let other = bench.manager.status(of: ResourceTag("other"))
    #expect(other.keptBy == other.tag && other.isNextToPurge)
    #expect(bench.manager.statuses.filter(\.isNextToPurge).map(\.tag.name) == ["other"])
  }

  @Test func `a resource that isn't on disk has no reason`() {
    let bench = ResourceBench()
    let status = bench.manager.status(of: bench.tag("a", ["a": 10]))
    #expect(status.keptBy == nil && !status.isNextToPurge)
  }

  @Test func `a priority that the user chose survives a restart and outweighs the usual one`() async {
    let bench = ResourceBench()
    let tag = bench.tag("a", ["a": 10])
    await bench.begun(tag).end()
    bench.manager.setPreservationPriority(0.3, for: tag)
    bench.manager.choosePreservationPriority(0.7, for: tag)
    #expect(bench.manager.preservationPriority(of: tag) == 0.7)
    await bench.settle()
    let again = bench.restarted()
    await again.loaded()
    #expect(again.preservationPriority(of: tag) == 0.7)
    // Back at the usual priority, nothing is stored.
    again.choosePreservationPriority(0.5, for: tag)
    await bench.settle()
    #expect(await bench.index.priorities().isEmpty)
  }

  @Test func `a chosen priority stays between 0 and 1`() {
    let bench = ResourceBench()
    let tag = bench.tag("a", ["a": 10])
    bench.manager.choosePreservationPriority(3, for: tag)
    #expect(bench.manager.preservationPriority(of: tag) == 1)
  }

  // MARK: Prefetching

  @Test func `a prefetch counts only what is missing, and ends once`() async {
    let bench = ResourceBench()
    let cached = bench.tag("cached", ["a": 10])
    await bench.begun(cached).end()
    let tags = [cached] + ["b", "c", "d"].map { bench.tag($0, [$0: 20]) }
    bench.fetcher.fail("c", with: .needsKey)
    let prefetch = ResourcePrefetch(bench.manager, mostAtOnce: 2)
    var ends = 0
    prefetch.didFinish = { ends += 1 }
    prefetch.start(tags)
    await bench.settle()
    #expect(prefetch.progress == ResourcePrefetch.Progress(count: 2, fetchedCount: 2, byteCount: 40))
    #expect(ends == 1 && !prefetch.isActive)
    #expect(bench.reported.sorted() == ["a", "b", "d"])
  }

  @Test func `a prefetch of cached or no resources ends at once`() async {
    let bench = ResourceBench()
    let cached = bench.tag("cached", ["a": 10])
    await bench.begun(cached).end()
    for tags in [[cached], []] {
      let prefetch = ResourcePrefetch(bench.manager)
      var ends = 0
      prefetch.didFinish = { ends += 1 }
      prefetch.start(tags)
      await bench.settle()
      #expect(ends == 1 && !prefetch.isActive && bench.fetcher.fetched == ["a"])
    }
  }

  @Test func `without a network a prefetch gives up`() async {
    let bench = ResourceBench()
    let tags = ["a", "b", "c"].map { bench.tag($0, [$0: 20]) }
    bench.fetcher.fail("a", with: .noNetwork)
    let prefetch = ResourcePrefetch(bench.manager)
    prefetch.start(tags)
    await bench.settle()
    #expect(bench.fetcher.fetched == ["a"] && prefetch.progress.count == 0)
  }
}
