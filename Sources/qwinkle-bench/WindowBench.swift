import Foundation
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import Timekeeping

/// Measures the time to show the first frame at row 50,000 of a cache of 100,000 rows, compared with the top of a cache
/// of 200 rows. Also measures the growth of memory while a user pages through 20,000 rows, and the size of the cache's
/// file compared with its limit.
///
/// Memory is measured in a separate process that does nothing else.
struct WindowBench: Bench {
  /// The command that measures memory. Its argument is the cache's directory.
  static let memoryCommand = "page-through"

  private static let rows = 100_000
  private static let pagedRows = 20_000
  private static let bound = 32 << 20

  func run() async {
    await withTemporaryFolder("window") { folder in
      let (large, small) = ("\(folder)/large", "\(folder)/small")
      try await Self.fill(large, rows: Self.rows)
      try await Self.fill(small, rows: 200)
      measureMemory(large)
      let down = try await start(large, at: BenchQwinks.rowID(Self.rows / 2))
      let top = try await start(small, at: nil)
      report("start 50,000 rows down of 100,000", down, "at the top of 200", top)
      try await measureFile(large)
    }
  }

  // MARK: Start

  /// Returns the median time from opening the cache to the first frame with rows, in microseconds.
  private func start(_ directory: String, at place: Qwink.RowID?) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<21 {
      let clock = ContinuousClock()
      let begin = clock.now
      let screen = try BenchScreen(directory, at: place)
      times.append((clock.now - begin) / .microseconds(1))
      await screen.close()
    }
    return times.median
  }

  // MARK: Memory

  private func measureMemory(_ directory: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.arguments = [Self.memoryCommand, directory]
    do {
      try process.run()
      process.waitUntilExit()
    } catch {
      print("memory: \(error)")
    }
  }

  /// Pages through rows and prints the growth of memory.
  static func pageThrough(_ directory: String) async {
    do {
      let screen = try BenchScreen(directory, at: nil)
      await screen.ledger.whenEmpty()
      let before = residentMemory()
      var pages = 0
      while screen.index < pagedRows, pages < pagedRows {
        await screen.press(" ")
        pages += 1
      }
      let grown = megabytes(residentMemory() - before)
      print("memory after \(screen.index) rows in \(pages) pages: \(grown) more than at the start")
      await screen.close()
    } catch {
      print("memory: \(error)")
    }
  }

  // MARK: The file

  /// Fills a cache with rows, a thousand at a time.
  static func fill(_ directory: String, rows: Int) async throws {
    let ledger = ActivityLedger()
    let cache = try TimelineCache(directory: directory, ledger: ledger)
    for start in stride(from: 0, to: rows, by: 1000) {
      let count = min(1000, rows - start)
      let older = start + count < rows ? PageCursor(url: "\(start + count)") : nil
      let page = Page(items: BenchQwinks.make(count, from: start), older: older)
      if start == 0 {
        cache.merge(page, at: .newest, in: .public)
      } else {
        cache.merge(page, at: .at(PageCursor(url: "\(start)")), in: .public)
      }
      await ledger.whenEmpty()
    }
    cache.close()
  }

  private func measureFile(_ directory: String) async throws {
    let ledger = ActivityLedger()
    let cache = try TimelineCache(directory: directory, ledger: ledger)
    let before = cache.contentSize
    cache.prune(to: CacheLimits(size: Self.bound), sparing: [:]) { id, _ in PageCursor(url: id.rawValue) }
    await ledger.whenEmpty()
    let after = cache.contentSize
    cache.close()
    let file = try FileManager.default.attributesOfItem(atPath: directory + "/cache.sqlite")[.size] as? Int ?? 0
    let ratio = (Double(file) / Double(Self.bound) * 100).rounded() / 100
    print(
      "cache of 100,000 rows: \(megabytes(before)); pruned to \(megabytes(Self.bound)): \(megabytes(after)), "
        + "file \(megabytes(file)); ratio \(ratio)")
  }
}

/// A timeline on a 100x30 screen, without a network.
@MainActor
private final class BenchScreen {
  let ledger = ActivityLedger()
  private let driver = SilentDriver()
  private let cache: TimelineCache
  private let account: Account
  private let timeline: TimelineViewController
  private var application: Application?

  init(_ directory: String, at place: Qwink.RowID?) throws {
    cache = try TimelineCache(directory: directory, ledger: ledger)
    let service = DownloadService(
      configuration: .init(serverURL: "https://localhost"), ledger: ledger, transport: { NoNetwork() })
    account = Account(service: service, cache: cache, outgoing: nil, clock: SystemClock(), isSignedIn: false)
    timeline = TimelineViewController(name: .public, account: account)
    if let place {
      var state = RestorableState()
      state["place"] = place.status.rawValue + "\u{1F}"
      state["top"] = state["place"]
      timeline.decodeRestorableState(with: state)
    }
    let keymap = (try? Keymap(text: "list  list.page-down  Space  page: page")) ?? Keymap([])
    let application = Application(driver: driver, clock: SystemClock(), keymap: keymap, theme: Theme([:]))
    application.window.rootViewController = timeline
    self.application = application
    try application.launch()
  }

  /// The number of rows above the selected one.
  var index: Int {
    guard let row = timeline.selectedQwink?.rowID, let above = account.timelines.rowsAbove(.public) else { return 0 }
    return above + (account.timelines.timeline(.public).index(of: row) ?? 0)
  }

  func press(_ key: Character) async {
    driver.press(key)
    await ledger.whenEmpty()
  }

  func close() async {
    await ledger.whenEmpty()
    application = nil
    cache.close()
  }
}
