import QwinkleModel
import QwinkleStore
import Timekeeping

/// Measures searches of a cache of 100,000 rows, all of which contain most of the words, compared with 1000 rows.
struct SearchBench: Bench {
  private static let words = ["chard", "c", "#garden", "user3", "number 77", "missing"]
  private static let rows = (many: 100_000, few: 1000)

  func run() async {
    await withTemporaryFolder("search") { folder in
      let large = try await Self.times("\(folder)/large", rows: Self.rows.many)
      let small = try await Self.times("\(folder)/small", rows: Self.rows.few)
      for (word, (time, few)) in zip(Self.words, zip(large, small)) {
        report("search of 100,000 rows for “\(word)”", time, "of 1000", few)
      }
    }
  }

  /// Returns the median time of each search, in microseconds.
  private static func times(_ directory: String, rows: Int) async throws -> [Double] {
    try await WindowBench.fill(directory, rows: rows)
    let ledger = ActivityLedger()
    let cache = try TimelineCache(directory: directory, ledger: ledger)
    defer { cache.close() }
    let search = SearchCache(of: cache)
    _ = await search.findInAll("garden", limit: 20)
    var medians: [Double] = []
    for word in words {
      var times: [Double] = []
      for _ in 0..<21 {
        let clock = ContinuousClock()
        let begin = clock.now
        var query: CacheQuery?
        await withCheckedContinuation { done in query = search.find(word, limit: 20) { _ in done.resume() } }
        withExtendedLifetime(query) { times.append((clock.now - begin) / .microseconds(1)) }
      }
      medians.append(times.median)
    }
    return medians
  }
}
