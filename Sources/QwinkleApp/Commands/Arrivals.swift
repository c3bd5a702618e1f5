import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Prints new items of a list, each once and oldest first. Receives items from a stream. After an interruption of the
/// stream, reads the missed items from pages.
@MainActor
final class Arrivals<Item: Sendable> {
  /// Maximum number of pages to read in order to reach items that were printed before.
  private static var mostPages: Int { 250 }
  private static var pageSize: Int { 40 }
  /// Minimum number of recent item ids to remember, so that items repeated on pages are printed once.
  private static var mostSeen: Int { 20_000 }
  /// Delay between two reads of pages while the stream is closed.
  private static var pollTime: Duration { .seconds(20) }
  /// Maximum number of streamed items to queue while pages are being read. If more arrive, the pages are read again.
  private static var mostHeld: Int { 5000 }

  private let first: (Int) -> Request<Page<Item>>
  private let page: (PageCursor) -> Request<Page<Item>>
  private let id: (Item) -> AnyHashable
  private let cursorID: (Item) -> String
  private let arrival: (StreamEvent) -> SentItem<Item>?
  private let print: (SentItem<Item>) -> Void

  private var seen: Set<AnyHashable> = []
  private var seenInOrder: [AnyHashable] = []
  private var hasBegun = false
  private var isCatchingUp = false
  private var mustCatchUp = false
  /// Whether the last attempt to read pages failed. Until an attempt succeeds, streamed items are queued, since older
  /// ones must be printed first.
  private var isBehind = false
  private var held: [SentItem<Item>] = []
  private var since: String?
  private var isOpen = false
  private var failure: DownloadError?
  private var server: AccountConnection?
  private var clock: (any ProgramClock)?
  private var poll: ProgramTimer?
  /// Delays before pages are read again after a failure.
  private var backoff = RetryBackoff(first: .seconds(2), limit: .seconds(300))
  /// Delay that the server requested in its last error response, if any.
  private var namedWait: Duration?
  private var ending: CheckedContinuation<Void, Never>?

  init(
    first: @escaping (Int) -> Request<Page<Item>>, page: @escaping (PageCursor) -> Request<Page<Item>>,
    id: @escaping (Item) -> AnyHashable, cursorID: @escaping (Item) -> String,
    arrival: @escaping (StreamEvent) -> SentItem<Item>?, print: @escaping (SentItem<Item>) -> Void
  ) {
    self.first = first
    self.page = page
    self.id = id
    self.cursorID = cursorID
    self.arrival = arrival
    self.print = print
  }

  /// Prints items as they arrive, until the process ends. Throws if the server's information or the first page can't be
  /// fetched.
  func run(
    _ stream: StreamName, of session: AccountSession, _ server: AccountConnection, _ clock: any ProgramClock,
    since: String?
  ) async throws {
    self.server = server
    self.clock = clock
    self.since = since
    let info = try await server.answer(to: .serverInfo)
    session.streaming?.acceptsToken = { [weak server] in await server?.acceptsToken() ?? true }
    session.streaming?.follow(stream, for: self)
    session.streaming?.use(namedURL: info.streamingURL)
    catchUp()
    await withCheckedContinuation { ending = $0 }
    if let failure { throw failure }
  }

  /// In the background, reads pages down to the last printed item and prints the new items. If this is in progress
  /// already, reads the pages once more afterwards.
  private func catchUp() {
    mustCatchUp = true
    guard !isCatchingUp, let server else { return }
    isCatchingUp = true
    Task {
      while mustCatchUp {
        mustCatchUp = false
        do throws(DownloadError) {
          try await readPages(from: server)
          isBehind = false
          backoff.reset()
        } catch {
          // If the first read fails, the command ends: there is no position to continue from.
          if !hasBegun {
            failure = error
            ending?.resume()
            return
          }
          isBehind = true
          backoff.noteFailure()
          namedWait = error.retryAfter
          break
        }
      }
      isCatchingUp = false
      if !isBehind {
        let entries = held
        held = []
        for entry in entries { take(entry) }
      }
      pollLater()
    }
  }

  private func pollLater() {
    if isOpen, !isBehind { return poll = nil }
    let wait = isBehind ? namedWait.map { backoff.wait(named: $0) } ?? backoff.wait() : Self.pollTime
    poll = clock?.schedule(after: wait) { [weak self] in self?.catchUp() }
  }

  private func readPages(from server: AccountConnection) async throws(DownloadError) {
    var new: [SentItem<Item>] = []
    var request: Request<Page<Item>>? = first(Self.pageSize)
    var pages = 0
    reading: while let asked = request, pages < Self.mostPages {
      pages += 1
      let page = try await server.answer(to: asked.unshared)
      for entry in page.entries {
        if seen.contains(id(entry.item)) || isOld(entry.item) {
          // Read the rest of this page, but no further page: new items may be listed below this one.
          request = nil
          continue
        }
        new.append(entry)
      }
      // Without `since`, the items of the first page are skipped: only later items are printed.
      if !hasBegun, since == nil {
        for entry in new { note(entry.item) }
        new = []
        request = nil
      }
      if request == nil { break reading }
      request = page.items.isEmpty ? nil : page.older.map(self.page)
    }
    hasBegun = true
    for entry in new.reversed() { take(entry) }
  }

  private func isOld(_ item: Item) -> Bool {
    guard let since else { return false }
    let id = cursorID(item)
    return id == since || IdentifierOrder.isNewer(since, than: id) ?? false
  }

  private func take(_ entry: SentItem<Item>) {
    guard note(entry.item) else { return }
    print(entry)
  }

  /// Remembers an item. Returns false if it was printed or skipped before.
  @discardableResult
  private func note(_ item: Item) -> Bool {
    let id = id(item)
    guard seen.insert(id).inserted else { return false }
    seenInOrder.append(id)
    if seenInOrder.count > 2 * Self.mostSeen {
      seen.subtract(seenInOrder.prefix(Self.mostSeen))
      seenInOrder.removeFirst(Self.mostSeen)
    }
    return true
  }
}

extension Arrivals: StreamingServiceDelegate {
  func streamingService(_ service: StreamingService, didOpen stream: StreamName) {
    isOpen = true
    catchUp()
  }

  func streamingService(_ service: StreamingService, mayHaveMissedEventsOf stream: StreamName) { catchUp() }

  func streamingService(_ service: StreamingService, didClose stream: StreamName) {
    isOpen = false
    pollLater()
  }

  func streamingService(
    _ service: StreamingService, didReceive events: [StreamEvent], of stream: StreamName
  ) {
    for entry in events.compactMap(arrival) {
      guard isCatchingUp || isBehind || !hasBegun else {
        take(entry)
        continue
      }
      if held.count < Self.mostHeld { held.append(entry) } else { mustCatchUp = true }
    }
  }
}
