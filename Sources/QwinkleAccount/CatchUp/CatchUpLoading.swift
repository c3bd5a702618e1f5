import FoundationEssentials
import QwinkleModel
import QwinkleService

/// The state of loading a catch-up.
struct CatchUpLoading {
  enum Step {
    /// Nothing is in progress.
    case none
    case waitingForMark, refreshing, reading, fetching
  }

  /// Number of the start. Results of earlier starts are ignored.
  var run = 0
  var step = Step.none
  /// The read position at the start. Nil without one, and if the span is a number of hours.
  var mark: ReadMark?
  /// The start of the span. If ``mark`` is set, it applies to rows whose order relative to the mark is unknown.
  var date: Date?
  var isRefreshed = false
  /// The error of the refresh, if it failed. The cached rows are read nevertheless.
  var refreshError: DownloadError?
  var download: DownloadIdentifier?
  /// Cursors of the pages already fetched, to detect a cycle.
  var followed: Set<PageCursor> = []
  /// Whether a gap was passed because the server doesn't return its rows.
  var isIncomplete = false
  /// Number of consecutive pages without new rows.
  var barrenPages = 0
  /// Number of rereads because no known row was cached any more.
  var restarts = 0
  /// Whether the rows must be read again from the top.
  var needsReread = false
  /// Whether the next reading adds rows above the rows read before.
  var addsNewRows = false
  /// Whether the rows are being read again. Until the end, or until as many rows as before are read, the former rows
  /// stay.
  var isRereading = false
  /// Whether the cache was checked for rows that a page inserted among the rows already read.
  var isChecked = false
  var pass = CatchUpPass()

  /// Ignores later results. Returns the request in progress, which the caller cancels.
  mutating func end() -> DownloadIdentifier? {
    run += 1
    step = .none
    defer { download = nil }
    return download
  }
}

/// One reading of the cached rows from the top.
struct CatchUpPass {
  /// Number of rows by which the next rows are found in the cache. One would suffice, unless it is deleted.
  private static let mostAnchors = 12

  /// Visible rows, newest first.
  var items: [CatchUpItem] = []
  var hiddenCount = 0
  /// All rows, including hidden ones.
  var known: Set<Qwink.RowID> = []
  var reachedDate: Date?
  /// The rows of the former pass, if this pass begins at the first of them: rows above it arrived later. Nil after the
  /// first of them.
  var former: Set<Qwink.RowID>?
  /// Number of rows read, including gaps that were passed.
  private(set) var rowsRead = 0
  /// The last rows, and gaps that were passed.
  private(set) var anchors: [Timeline.Row] = []
  /// Consecutive rows that are older than the span. If newer rows follow, these rows arrived late and belong to the
  /// span.
  var old: [(qwink: Qwink, item: CatchUpItem)] = []
  /// Whether a page was merged since the last read.
  var isAfterPage = false

  mutating func note(_ row: Timeline.Row) {
    if anchors.count == Self.mostAnchors { anchors.removeFirst() }
    anchors.append(row)
    rowsRead += 1
  }
}
