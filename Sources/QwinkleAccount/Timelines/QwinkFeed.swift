public import QwinkleModel
public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// What one account knows: its timelines, who it is, what its server is. It asks the download service, is its delegate,
/// merges what comes into the model, writes it to the store, and tells observers exactly what changed.
@MainActor
public final class QwinkFeed: DownloadServiceDelegate {
  /// Why a timeline changed.
  public enum Cause: Hashable, Sendable {
    /// Somebody asked for what is new.
    case userRefresh
    /// The clock did.
    case poll
    /// Older rows were asked for.
    case older
    /// I wrote something.
    case own
  }

  /// What a download under way is for.
  enum Purpose {
    case identify
    case newest(TimelineName, Cause)
    case older(TimelineName)
    case gap(TimelineName)
    case post(Entry)
    case edit(Qwink.ID, Entry)
    case delete(Qwink.ID)
    /// Whether what the server did not delete is there.
    case lookFor(Qwink.ID, DownloadError)
    case react(ReactionKey, isOn: Bool)
    case follow(Qwinker.ID, isOn: Bool)
    case answerRequest(Qwinker, accepts: Bool)
  }

  /// What is known of one timeline.
  struct TimelineEntry {
    var timeline = Timeline()
    var state = FeedState()
    /// What I wrote before anything of the timeline had come.
    var waitingOwn: [Qwink] = []
    /// A refresh that waits for a page that is under way: answers are merged in the order in which they were made.
    var waitingRefresh: Cause?
    /// The gap that is being filled.
    var filling: GapFilling?
    /// Whether pages of its server lead right above an item.
    var leadsRightAbove = false
  }

  /// Rows that one request asks for.
  public static let pageSize = 40
  /// Rows that are taken from the store for the first frame: about as many as most screens show. A larger one asks for
  /// more.
  private static let firstKeptPageSize = 12
  /// Rows that are taken from the store at a time, later: few enough that the key that wants them is answered at once.
  private static let keptPageSize = 24
  /// Rows that are taken from the store to find a place in them.
  private static let mostKeptRows = 2000

  public let clock: any ProgramClock
  /// Whether there is an account to write with.
  public let isSignedIn: Bool
  public internal(set) var me: Qwinker?
  public internal(set) var serverInfo: ServerInfo?
  /// Who may read what I write unless I say otherwise, as it is set on the server; nil: that is not known.
  public internal(set) var usualVisibility: Visibility?
  /// Told that something may be under way, or no longer.
  public var didChangeUnderWay: (@MainActor () -> Void)?

  let service: DownloadService
  let contact: ServerContact
  let cache: TimelineCache?
  var entries: [TimelineName: TimelineEntry] = [:]
  var purposes: [DownloadIdentifier: Purpose] = [:] {
    didSet { didChangeUnderWay?() }
  }
  /// Where what I write is kept until it has arrived.
  let drafts: OutgoingStore?
  /// Entries on their way, by their ids.
  var postings: [String: Posting] = [:] {
    didSet { didChangeUnderWay?() }
  }
  /// What entries became.
  var arrivedPosts: Set<Qwink.ID> = []
  /// What reactions should become once those under way have been answered.
  var wantedReactions: [ReactionKey: Bool] = [:]
  /// What reactions that are under way are about.
  var reactedQwinks: [ReactionKey: Qwink] = [:]
  /// What reactions were last, of those that were asked for here.
  var lastReactions: [ReactionKey: Bool] = [:]
  /// Reactions that were answered while a page was under way, which may have been made before.
  var settledReactions: [DownloadIdentifier: [ReactionKey: Bool]] = [:]
  /// What is asked for besides timelines.
  var fetches: [WeakFetch] = []
  /// How I stand to those whose page or name was looked at.
  var relationships: [Qwinker.ID: Relationship] = [:]
  var relationshipFetches: [Qwinker.ID: Fetch] = [:]
  /// How I stood to those whom a follow under way is about, by the server's last word.
  var relationshipsBefore: [Qwinker.ID: Relationship] = [:]
  /// What follows should become once those under way have been answered.
  var wantedFollows: [Qwinker.ID: Bool] = [:]
  /// Whom the last follow of each is about, and whether it undid something.
  var followedQwinkers: [Qwinker.ID: (Qwinker, isUndo: Bool)] = [:]
  /// How requests to follow me were answered here.
  var answeredRequests: [Qwinker.ID: Bool] = [:]
  /// What has been done, for ``undo()``.
  var doneActs: [ReversibleAct] = []
  /// What warnings have been opened, wherever they stand.
  var revealed: Set<Qwink.ID> = []
  private var observers = ObserverList<any QwinkFeedObserver>()

  /// A feed that keeps what it gets in `cache`, and what is sent in `drafts`, where there are such.
  public init(
    service: DownloadService, cache: TimelineCache?, drafts: OutgoingStore? = nil, clock: any ProgramClock,
    isSignedIn: Bool, contact: ServerContact = ServerContact()
  ) {
    self.service = service
    self.contact = contact
    self.cache = cache
    self.drafts = drafts
    self.clock = clock
    self.isSignedIn = isSignedIn
    contact.whenWritten { [weak self] in self?.refreshOffline() }
  }

  /// Who is asked: `https://host[:port]`.
  public var serverURL: String { service.serverURL }

  /// Tells `observer` of changes from now on, while it lives.
  public func addObserver(_ observer: some QwinkFeedObserver) {
    observers.add(observer) { $0 }
  }

  /// A timeline as far as it is known. The first time it is asked for, it comes from the store.
  public func timeline(_ name: TimelineName) -> Timeline {
    entry(name).timeline
  }

  /// What is going on with a timeline.
  public func state(of name: TimelineName) -> FeedState {
    entry(name).state
  }

  // MARK: Asking

  /// Asks the server who it is, and who I am. Where it does not say, it is asked again after the next timeline that
  /// came.
  public func identify() {
    guard !purposes.values.contains(where: { if case .identify = $0 { true } else { false } }) else { return }
    purposes[service.connect(delegate: self)] = .identify
  }

  /// Fetches what is new. One that is under way is enough, but a key that asks during a poll makes it the user's.
  public func refresh(_ name: TimelineName, cause: Cause = .userRefresh) {
    var entry = entry(name)
    if entry.state.isRefreshing {
      for (identifier, purpose) in purposes {
        if case .newest(name, .poll) = purpose, cause == .userRefresh { purposes[identifier] = .newest(name, cause) }
      }
      if entry.waitingRefresh != nil, cause == .userRefresh { entries[name]?.waitingRefresh = cause }
      return
    }
    entry.state.isRefreshing = true
    entry.state.wasCancelled = false
    if entry.state.isLoadingMore { entry.waitingRefresh = cause }
    entries[name] = entry
    if entry.waitingRefresh == nil { startRefresh(name, cause) }
    tellState(name)
  }

  func startRefresh(_ name: TimelineName, _ cause: Cause) {
    entries[name]?.waitingRefresh = nil
    purposes[service.start(.timeline(name, limit: Self.pageSize), delegate: self)] = .newest(name, cause)
  }

  /// What could not be fetched because the server did not answer is fetched again: it does now.
  private func refreshOffline() {
    for (name, entry) in entries where entry.state.offlineSince != nil { refresh(name, cause: .poll) }
  }

  /// Fetches what is older than the last row: from the store while it has more, then from the server.
  public func loadOlder(_ name: TimelineName) {
    var entry = entry(name)
    guard !entry.state.isLoadingMore else { return }
    if entry.timeline.hasMoreKept { return appendKept(name) }
    guard let cursor = entry.timeline.older, !entry.state.isRefreshing else { return }
    entry.state.isLoadingMore = true
    entry.state.wasCancelled = false
    entries[name] = entry
    purposes[service.start(.timelinePage(name, cursor), delegate: self)] = .older(name)
    tellState(name)
  }

  /// Takes rows from the store down to `row`, where it is kept and not too far down.
  public func loadKept(_ name: TimelineName, downTo row: Qwink.RowID) {
    let timeline = entry(name).timeline
    guard timeline.hasMoreKept, timeline.index(of: row) == nil,
      let missing = cache?.count(after: timeline.knownRows, downTo: row, in: name), missing <= Self.mostKeptRows
    else { return }
    appendKept(name, limit: missing + Self.firstKeptPageSize)
  }

  /// Posts an entry. Observers hear whether it worked.
  public func post(_ entry: Entry) {
    purposes[service.start(.post(entry), delegate: self)] = .post(entry)
  }

  /// Puts an entry in the place of what a qwink said. Observers hear whether it worked as of a post.
  public func edit(_ id: Qwink.ID, _ entry: Entry) {
    purposes[service.start(.edit(id, entry), delegate: self)] = .edit(id, entry)
  }

  /// Whether more rows of a timeline are kept than have been taken from the store.
  public func hasMoreKept(_ name: TimelineName) -> Bool {
    entry(name).timeline.hasMoreKept
  }

  /// Gives up what is under way, but not posts: they may have arrived.
  public func cancelDownloads() {
    for name in entries.keys where entries[name]?.waitingRefresh != nil {
      entries[name]?.waitingRefresh = nil
      entries[name]?.state.isRefreshing = false
      entries[name]?.state.wasCancelled = true
    }
    for name in entries.keys { entries[name]?.filling = nil }
    for entry in fetches where entry.fetch != nil { service.cancel(entry.identifier) }
    fetches = []
    for (identifier, purpose) in purposes {
      switch purpose {
      case .post, .edit, .delete, .react, .follow, .answerRequest: continue
      case .newest(let name, _), .older(let name): entries[name]?.state.wasCancelled = true
      case .gap(let name):
        entries[name]?.state.wasCancelled = true
        entries[name]?.filling = nil
      case .identify, .lookFor: break
      }
      service.cancel(identifier)
    }
  }

  // MARK: Helpers

  /// What is known of a timeline, from the store the first time.
  func entry(_ name: TimelineName) -> TimelineEntry {
    if let entry = entries[name] { return entry }
    var entry = TimelineEntry()
    if let cache {
      let kept = cache.load(name, limit: Self.firstKeptPageSize)
      _ = entry.timeline.appendKept(kept.rows, older: kept.older, hasMore: kept.hasMore)
    }
    entries[name] = entry
    return entry
  }

  func appendKept(_ name: TimelineName, limit: Int = keptPageSize) {
    var entry = entry(name)
    guard let cache else { return }
    let known = entry.timeline.knownRows
    let kept = cache.load(name, after: known, limit: limit)
    var rows = kept.rows
    if !kept.isAdjacent, let last = known.last(where: { $0.qwink != nil })?.qwink {
      // Another program has kept another list: nobody has said what follows here.
      if let cursor = cursor(after: last.id, in: name) { rows.insert(.gap(cursor), at: 0) } else { rows = [] }
    }
    let change = entry.timeline.appendKept(rows, older: kept.older, hasMore: kept.hasMore && !rows.isEmpty)
    entry.state.isComplete = entry.isComplete
    entries[name] = entry
    tell(change, name, .older)
  }

  /// The way to what is older than a qwink, where that is known without having been told.
  func cursor(after id: Qwink.ID, in name: TimelineName) -> PageCursor? {
    .older(than: id, in: name, limit: Self.pageSize)
  }

  func tell(_ change: Timeline.Change, _ name: TimelineName, _ cause: Cause) {
    guard !change.isEmpty else { return }
    forEachObserver { $0.feed(self, didChange: change, in: name, cause: cause) }
  }

  func tellState(_ name: TimelineName) {
    forEachObserver { $0.feed(self, didChangeStateOf: name) }
  }

  func forEachObserver(_ tell: (any QwinkFeedObserver) -> Void) {
    observers.forEach(tell)
  }
}

extension QwinkFeed.TimelineEntry {
  /// Whether it is known that nothing is older.
  var isComplete: Bool { state.refreshedAt != nil && timeline.older == nil && !timeline.hasMoreKept }
}

extension QwinkFeed.Purpose {
  /// Whether it changes something on the server.
  var isWrite: Bool {
    switch self {
    case .post, .edit, .delete, .react, .follow, .answerRequest: true
    case .identify, .newest, .older, .gap, .lookFor: false
    }
  }
}
