import FoundationEssentials
import QwinkleModel

extension Timelines {
  /// One timeline: its rows, requests and readers.
  struct Entry {
    var timeline = Timeline()
    /// The state of the requests, for screens.
    var state = FeedState()
    var refresh = TimelineRefresh() {
      didSet { state.isRefreshing = refresh.phase != .none }
    }
    var gaps = TimelineGaps()
    var stream = TimelineStream()
    var window = TimelineWindow()
    var merges = TimelineMerges()
    /// The user's new posts that will be inserted after the first page.
    var waitingOwn: [Qwink] = []

    /// Whether all older rows are loaded.
    var isComplete: Bool { state.refreshedAt != nil && timeline.older == nil && !timeline.hasMoreCached }

    mutating func noteComplete() { state.isComplete = isComplete }
  }
}

/// The refresh of a timeline.
struct TimelineRefresh {
  enum Phase {
    case none
    /// Another page must load first, because pages are merged in the order in which the server created them.
    case waiting
    /// The newest page is being fetched or merged.
    case running
  }

  var phase = Phase.none
  var cause = Timelines.Cause.userRefresh
  /// Whether the page was requested while the stream was open.
  var isStreamed = false
  /// Whether another refresh follows.
  var repeats = false
}

/// The gaps of a timeline, where rows between two pages are missing.
struct TimelineGaps {
  var filling: GapFilling?
  /// Number of rows missing at each gap. A nil value means that the count was requested and hasn't arrived, or has
  /// failed.
  var counts: [PageCursor: MissingCount?] = [:]
  /// Whether the server can return the page right above a given item. Otherwise it returns only the newest page.
  var leadsRightAbove = false
  /// Whether to fill the gap between the page of the next refresh and the known rows.
  var catchesUp = false
}

/// A timeline's posts from its stream.
struct TimelineStream {
  /// Whether the stream delivers every new post.
  var isLive = false
  /// Posts received while a page was loading.
  var held: [StreamEvent] = []
}

/// The merges of a timeline's pages.
struct TimelineMerges {
  /// Whether a page is being merged.
  var isMerging = false
  /// Queued merges, in order.
  var waiting: [@MainActor () -> Void] = []
  /// Number of merges that have ended. The cache reads and writes at the same time, so rows whose read began before the
  /// end of a merge may lack its changes.
  var count = 0

  mutating func takeNext() -> (@MainActor () -> Void)? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

/// The part of a timeline that is in memory.
struct TimelineWindow {
  var readers: [TimelineReader] = []
  /// Time at which the timeline stopped being visible. Nil if a visible view shows it.
  var leftAt: Date?
  /// Cache reads in progress.
  var reading: Set<CachePart> = []
  /// Number of cached rows above the rows in memory, or nil while they are counted.
  var rowsAbove: Int? = 0
  /// Number of counts started. Only the result of the last count is used, because an earlier count may finish later.
  var countings = 0
  /// Number of cached rows below the rows in memory, as far as known. The cache may have more.
  var rowsBelow = 0
}
