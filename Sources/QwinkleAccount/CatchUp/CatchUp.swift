public import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import Timekeeping

/// The posts of the home timeline that the user has missed, since the read position or in the last hours. Fetches
/// missing pages, merges them into the timeline's cache, and retains a small ``CatchUpItem`` for each row. The
/// timeline's rows in memory stay within their limits.
///
/// Rows are available as soon as the first page is merged. Posts that arrive after the start aren't added, but edits
/// and deletions apply. Hidden posts are counted and left out.
@MainActor
public final class CatchUp {
  /// The part of the timeline to catch up with.
  public enum Span: Hashable, Sendable {
    /// Everything above the read position. Without a read position, the last ``CatchUp/usualHours``.
    case sinceRead
    case hours(Int)
  }

  public enum State: Hashable, Sendable {
    /// Never started, or discarded.
    case idle
    case loading
    case paused
    case finished(End)
    /// A request failed. The posts loaded before are available, and ``CatchUp/resume()`` tries again.
    case failed(DownloadError)
  }

  /// Why loading ended.
  public enum End: Hashable, Sendable {
    /// All posts of the span are loaded.
    case complete
    /// The limit of posts was reached. Older posts of the span are missing.
    case limit
    case cancelled
    /// The server doesn't return some of the posts: it repeats pages or ends the list early.
    case incomplete
  }

  public struct Progress: Hashable, Sendable {
    /// Number of pages fetched, without the newest one.
    public var pages = 0
    /// Number of rows read, including hidden ones.
    public var posts = 0
    /// Time of the oldest row read.
    public var reachedDate: Date?
  }

  /// Hours of ``Span/sinceRead`` without a read position.
  public nonisolated static let usualHours = 24

  /// Maximum number of rows. Set it before the start.
  public var mostPosts = 5000

  public internal(set) var state = State.idle
  public internal(set) var progress = Progress()
  /// The span of the last start.
  public internal(set) var span: Span?
  /// The start of the span, as far as known.
  public internal(set) var startDate: Date?
  /// The rows, newest first, without hidden ones.
  public internal(set) var items: [CatchUpItem] = [] {
    didSet { foldedPosts = nil }
  }
  /// Number of rows hidden by filters, mutes and blocks.
  public internal(set) var hiddenCount = 0

  /// The user's rules for posts that timelines hide. As in a timeline, a row that is shown stays when its post is
  /// changed so that a rule matches.
  public var hideRules: [ViewRule] = [] {
    didSet { if hideRules != oldValue { reread() } }
  }

  unowned let account: Account
  private var foldedPosts: CatchUpPosts?
  /// Ids (of originals) of the posts that the reader has seen.
  public internal(set) var seen: Set<Qwink.ID> = []
  /// The content of recently read rows.
  var recent: [Qwink.RowID: Qwink] = [:]
  /// Maximum number of rows in ``recent``: more than a tall screen shows.
  private static let mostRecent = 200
  var loading = CatchUpLoading()

  init(_ account: Account) {
    self.account = account
  }

  // MARK: Loading

  /// Begins a new catch-up and discards the former one. Posts that are cached aren't fetched again.
  ///
  /// - Parameter seen: The posts that the reader has seen in the last run; see ``seen``.
  public func start(_ span: Span, seen: Set<Qwink.ID> = []) {
    // Observers show the former rows until the first rows are loaded.
    reset()
    self.span = span
    self.seen = seen
    setState(.loading)
    begin(span)
  }

  /// Stops before the next page. The page that is being fetched is still merged.
  public func pause() {
    if state == .loading { setState(.paused) }
  }

  /// Continues after a pause or a failure.
  public func resume() {
    switch state {
    case .paused, .failed:
      setState(.loading)
      proceed()
    case .idle, .loading, .finished: break
    }
  }

  /// Cancels loading. The posts loaded so far are available.
  public func cancel() {
    switch state {
    case .loading, .paused, .failed: stop(.cancelled)
    case .idle, .finished: break
    }
  }

  /// Cancels loading and releases all rows.
  public func discard() {
    reset()
    notifyState()
    notifyRows()
  }

  private func reset() {
    endRequest()
    loading = CatchUpLoading(run: loading.run)
    (items, hiddenCount, progress, seen, recent) = ([], 0, Progress(), [], [:])
    (span, startDate) = (nil, nil)
    state = .idle
  }

  func setState(_ state: State) {
    guard self.state != state else { return }
    self.state = state
    notifyState()
  }

  func notifyState() { account.connection.observers.forEach { $0.catchUpDidChangeState(self) } }

  func notifyRows() { account.connection.observers.forEach { $0.catchUpDidChangeRows(self) } }

  // MARK: Rows

  /// The posts of ``items``, each once.
  public var posts: CatchUpPosts {
    if let foldedPosts { return foldedPosts }
    let posts = CatchUpPosts(items)
    foldedPosts = posts
    return posts
  }

  /// Returns the rows of a view. See ``CatchUpPosts/rows(_:sort:matching:seen:)``.
  public func rows(_ view: CatchUpView, sort: CatchUpSort = .time, matching words: String = "") -> [CatchUpRow] {
    posts.rows(view, sort: sort, matching: words, seen: seen)
  }

  /// Whether a filter, a mute, a block or a rule hides a qwink.
  func isHidden(_ qwink: Qwink) -> Bool {
    account.leavesOut(qwink, in: .home)
      || HiddenQwinks(rules: hideRules).contains(qwink, me: account.identity.me?.id)
  }

  /// Returns the content of a row from memory or, synchronously, from the cache. Nil if it was deleted.
  public func qwink(for row: Qwink.RowID) -> Qwink? {
    if let qwink = recent[row] { return qwink }
    guard let qwink = account.timelines.cachedQwink(row, of: .home) else { return nil }
    if recent.count >= Self.mostRecent { recent = [:] }
    recent[row] = qwink
    return qwink
  }

  /// Returns the JSON (UTF-8) of rows as the server sent it, as far as the cache has it.
  public func sources(of rows: [Qwink.RowID]) -> [Qwink.RowID: [UInt8]] {
    account.timelines.cachedSources(rows, of: .home)
  }

  // MARK: Reading

  /// Whether the reader has seen a post in any of its rows.
  public func isSeen(_ row: Qwink.RowID) -> Bool { seen.contains(row.status) }

  /// Number of posts that the reader hasn't seen.
  public var left: Int { posts.unreadCount(seen: seen) }

  /// Records that the reader has seen posts. Rows that aren't in this catch-up are ignored.
  public func markSeen(_ rows: some Sequence<Qwink.RowID>) {
    let posts = posts
    let new = rows.lazy.flatMap { posts.rowIDs(with: $0).map(\.status) }.filter { !self.seen.contains($0) }
    let count = seen.count
    seen.formUnion(Array(new))
    if seen.count != count { notifyRows() }
  }

  /// Records that the reader hasn't seen posts after all.
  public func markUnseen(_ rows: some Sequence<Qwink.RowID>) {
    let count = seen.count
    for row in rows { seen.subtract(posts.rowIDs(with: row).map(\.status)) }
    if seen.count != count { notifyRows() }
  }

  /// Moves the read position of the home timeline up to a row. Newer rows stay unread. Does nothing if the position is
  /// already there or above, or if the row isn't in this catch-up. Returns whether the position has moved.
  @discardableResult
  public func markRead(upTo row: Qwink.RowID) -> Bool {
    guard let index = items.firstIndex(where: { $0.rowID == row }) else { return false }
    let positions = account.readPositions
    let list = ReadList.timeline(.home)
    let former = positions.mark(in: list)
    // Ids and times may have no order, but the rows have one.
    if let former, items[...index].contains(where: { $0.isMarked(by: former) }) { return false }
    let item = items[index]
    // Rows below the former position that were skipped there stay unread.
    let mark = ReadMark(
      id: item.statusID.rawValue, booster: item.booster?.id.rawValue, createdAt: item.listedAt,
      readAt: account.clock.now, skipped: former?.skipped ?? [])
    positions.read(list, upTo: mark)
    return positions.mark(in: list) != former
  }

  /// Time since the reader last moved the read position of the home timeline, in seconds. Nil without a read position.
  public var timeAway: TimeInterval? {
    let mark = account.readPositions.mark(in: .timeline(.home))
    return (mark?.readAt ?? mark?.createdAt).map { max(0, account.clock.now.timeIntervalSince($0)) }
  }
}

extension CatchUpItem {
  fileprivate func isMarked(by mark: ReadMark) -> Bool {
    statusID.rawValue == mark.id && (mark.booster == nil || mark.booster == booster?.id.rawValue)
  }
}

@MainActor
public protocol CatchUpObserver: AnyObject {
  /// Called when rows were added, changed or removed, or when posts were marked as seen.
  func catchUpDidChangeRows(_ catchUp: CatchUp)
  /// Called when the state or the progress changed.
  func catchUpDidChangeState(_ catchUp: CatchUp)
}

extension CatchUpObserver {
  public func catchUpDidChangeRows(_ catchUp: CatchUp) {}
  public func catchUpDidChangeState(_ catchUp: CatchUp) {}
}
