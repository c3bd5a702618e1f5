import Foundation
import QwinkleModel
import QwinkleStore
import Timekeeping

/// The time to open a cache of 10,000 rows and read the first screen, compared with a cache of 100 rows. The program
/// must not start more slowly if its cache is larger.
struct CacheBench: Bench {
  func run() {
    let large = start(rows: 10_000)
    report("first rows of 10,000 cached", large, "of 100 cached", start(rows: 100))
  }

  private func start(rows: Int) -> Double {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-bench-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    do {
      let cache = try TimelineCache(directory: directory, ledger: ActivityLedger())
      cache.replace(BenchQwinks.make(rows).map { TimelineCache.Row(.qwink($0)) }, of: .public, older: nil)
      cache.close()
    } catch {
      print("cache: \(error)")
      return 0
    }
    return median(20) {
      guard let cache = try? TimelineCache(directory: directory, ledger: ActivityLedger()) else { return }
      _ = cache.load(.public, limit: 60)
      cache.close()
    }
  }
}
