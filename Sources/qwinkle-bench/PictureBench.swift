import Foundation
import OnDemandResources
import PaneKit
import Pictures
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import QwinkleWire
import Synchronization
import Terminal
import TerminalCurses
import Timekeeping

/// The time to handle a key press while the user scrolls through 1,000 qwinks, alternately with and without avatars and
/// pictures. Also reports the memory in use, and the number of fetches while qwinks are scrolled past quickly.
struct PictureBench: Bench {
  private static let qwinks = 1000
  private static let sample = "Tests/Fixtures/pictures/gradient.png"

  func run() async {
    guard let sample = FileManager.default.contents(atPath: Self.sample) else {
      return print("pictures: run it in the folder with \(Self.sample)")
    }
    await withTemporaryFolder("pictures") { folder in
      try await Self.fill(folder)
      var times: [[Double]] = [[], []]
      for turn in 0..<4 {
        let hasPictures = turn % 2 == 1
        let files = BenchFiles(Array(sample))
        let screen = try PictureScreen(folder, hasPictures ? files : nil)
        times[turn % 2] += await screen.scroll(Self.qwinks)
        if turn == 3 { await Self.fling(screen, files) }
        if turn > 1 { print("memory \(hasPictures ? "with" : "without") pictures: \(residentMemory() >> 20) MB") }
        await screen.close()
      }
      report("key with pictures", times[1].median, "without", times[0].median)
    }
  }

  private static func fill(_ directory: String) async throws {
    let ledger = ActivityLedger()
    let cache = try TimelineCache(directory: directory, ledger: ledger)
    let made = BenchQwinks.make(qwinks).map { qwink in
      var qwink = qwink
      qwink.author.avatarURL = "https://localhost/faces/\(qwink.author.userName)-own.png"
      qwink.attachments = [
        Attachment(
          id: .init(qwink.id.rawValue), kind: .image, url: nil,
          previewURL: "https://localhost/media/\(qwink.id.rawValue).png", altText: "A gradient", width: 96, height: 64)
      ]
      return qwink
    }
    cache.merge(Page(items: made, older: nil), at: .newest, in: .public)
    await ledger.whenEmpty()
    cache.close()
  }

  /// Scrolls back past half of the qwinks without a pause.
  private static func fling(_ screen: PictureScreen, _ files: BenchFiles) async {
    await screen.forget()
    let count = qwinks / 2
    let before = files.fetchCount
    screen.fling(count)
    let during = files.fetchCount - before
    await screen.rest()
    let after = files.fetchCount - before
    print("fetched while \(count) qwinks were flung past: \(during); where the reader rested: \(after)")
  }
}

/// Serves the same picture at each address, and caches it in memory.
private final class BenchFiles: ResourceFetching, ResourceIndex {
  private let picture: [UInt8]
  private let cached = Mutex<Set<String>>([])
  private let fetched = Mutex(0)

  var fetchCount: Int { fetched.withLock { $0 } }

  init(_ picture: [UInt8]) { self.picture = picture }

  @concurrent func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult {
    fetched.withLock { $0 += 1 }
    return .whole(picture)
  }

  @concurrent func all() async -> [CachedResource] { [] }
  @concurrent func bytes(of address: String) async -> [UInt8]? {
    cached.withLock { $0.contains(address) } ? picture : nil
  }
  @concurrent func keep(_ bytes: [UInt8], as resource: CachedResource) async throws(ResourceIndexError) {
    _ = cached.withLock { $0.insert(resource.address) }
  }
  @concurrent func note(_ resources: [CachedResource]) async {}
  @concurrent func remove(_ addresses: [String]) async { cached.withLock { $0.subtract(addresses) } }
  @concurrent func part(of address: String) async -> PartialResource? { nil }
  @concurrent func keep(_ part: PartialResource, of address: String) async throws(ResourceIndexError) {}
}

struct NoNetwork: Transport {
  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .local(reason: "There is no network here.")
  }
}

/// A timeline on a terminal of 100x30 in memory, without a network.
@MainActor
private final class PictureScreen {
  private let terminal = MemoryTerminal(size: Size(rows: 30, columns: 100))
  private let driver: CursesDriver
  private let clock = VirtualClock()
  private let ledger = ActivityLedger()
  private let cache: TimelineCache
  private let account: Account
  private let resources: ResourceManager?
  private var application: Application?

  init(_ directory: String, _ files: BenchFiles?) throws {
    driver = CursesDriver(terminal)
    cache = try TimelineCache(directory: directory, ledger: ledger)
    let service = DownloadService(
      configuration: .init(serverURL: "https://localhost"), ledger: ledger, transport: { NoNetwork() })
    account = Account(service: service, cache: cache, outgoing: nil, clock: clock, isSignedIn: false)
    let (clock, ledger) = (clock, ledger)
    let shelf = files.map { files in
      PictureShelf(
        resources: ResourceManager(index: files, fetcher: files, clock: clock, ledger: ledger),
        decoder: PictureDecoder(), ledger: ledger)
    }
    resources = shelf?.resources
    let timeline = TimelineViewController(name: .public, account: account, shelf: shelf)
    let keys = "list  list.next  j  next: next\nlist  list.previous  k  previous: previous"
    let keymap = (try? Keymap(text: keys)) ?? Keymap([])
    let application = Application(driver: driver, clock: clock, keymap: keymap, theme: Theme([:]))
    application.window.rootViewController = timeline
    self.application = application
    try application.launch()
  }

  /// Presses j `count` times, and pauses after every third key so that pictures can be loaded. Returns the times of the
  /// keys, in microseconds.
  func scroll(_ count: Int) async -> [Double] {
    await rest()
    var times: [Double] = []
    for number in 0..<count {
      times.append(ContinuousClock().measure { terminal.feed(Array("j".utf8)) } / .microseconds(1))
      _ = terminal.takeOutput()
      if number % 3 == 0 { await rest() }
    }
    return times
  }

  /// Purges all pictures that are not visible, so that they must be fetched again.
  func forget() async { await resources?.purge() }

  /// Presses k `count` times without a pause.
  func fling(_ count: Int) {
    for _ in 0..<count { terminal.feed(Array("k".utf8)) }
    _ = terminal.takeOutput()
  }

  func rest() async {
    await clock.advance(by: .milliseconds(200)) { await ledger.whenEmpty() }
    await ledger.whenEmpty()
  }

  func close() async {
    await ledger.whenEmpty()
    driver.stop()
    application = nil
    cache.close()
  }
}
