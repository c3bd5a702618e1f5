import QwinkleModel
import QwinkleStore
import Timekeeping

/// The time to open a cache of 10,000 rows and read the first screen, compared with a cache of 100 rows. The program
/// must not start more slowly if its cache is larger.
struct CacheBench: Bench {
  func run() async {
    await withTemporaryFolder("cache") { folder in
      let large = try start("\(folder)/large", rows: 10_000)
      report("first rows of 10,000 cached", large, "of 100 cached", try start("\(folder)/small", rows: 100))
    }
  }

  private func start(_ directory: String, rows: Int) throws -> Double {
    let cache = try TimelineCache(directory: directory, ledger: ActivityLedger())
    cache.replace(BenchQwinks.make(rows).map { TimelineCache.Row(.qwink($0)) }, of: .public, older: nil)
    cache.close()
    return median(20) {
      guard let cache = try? TimelineCache(directory: directory, ledger: ActivityLedger()) else { return }
      _ = cache.load(.public, limit: 60)
      cache.close()
    }
  }
}
