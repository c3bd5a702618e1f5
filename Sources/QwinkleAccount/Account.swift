public import QwinkleModel
public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// One account's data and actions, grouped by responsibility. All parts share the same ``connection``, cache file and
/// observers.
@MainActor
public final class Account {
  public let connection: AccountConnection
  /// The signed-in user and the server's features.
  public let identity: Identity
  /// The hashtags on profiles.
  public let featuredTags: FeaturedTags
  public let timelines: Timelines
  /// Boosts, favourites and bookmarks.
  public let reactions: Reactions
  public let follows: Follows
  /// Writes that the server hasn't confirmed yet.
  public let outbox: Outbox
  /// Pending actions, which can be cancelled before they are sent.
  public let pendingActions: PendingActions
  /// Posting, editing and deleting.
  public let posts: Posts
  public let drafts: Drafts
  /// Direct messages.
  public let inbox: Inbox
  public let notifications: NotificationFeed
  public let translations: Translations
  /// Notifications held back by the user's policy.
  public let filteredNotifications: FilteredNotifications
  /// Streamed updates.
  public let live: LiveUpdates
  /// Reading positions in lists.
  public let readPositions: ReadPositions
  /// The posts of the home timeline that the user has missed.
  public private(set) lazy var catchUp = {
    let catchUp = CatchUp(self)
    addObserver(catchUp)
    return catchUp
  }()
  /// Saved drafts, outbox items and read positions. Nil if the account saves none.
  public let outgoing: OutgoingStore?
  /// Searches the cache. Nil if the account has no cache.
  public let searchCache: SearchCache?
  /// Fetches public data from other servers; nil if that isn't allowed.
  public var others: OtherServers?
  /// Time format on the account's screens.
  public var timeForm = ClockZone.Form.relative
  let undoHistory: UndoHistory
  let filterExpiry: FilterExpiry

  private let observers: AccountObservers

  /// Creates an account. `cache` stores downloaded data, and `outgoing` stores drafts, read positions, and writes that
  /// the server hasn't confirmed. The account sends no requests until ``start()``.
  public init(
    service: DownloadService, cache: TimelineCache?, outgoing: OutgoingStore?, clock: any ProgramClock,
    isSignedIn: Bool, streaming: StreamingService? = nil
  ) {
    self.outgoing = outgoing
    searchCache = cache.map(SearchCache.init(of:))
    observers = AccountObservers()
    undoHistory = UndoHistory()
    filterExpiry = FilterExpiry(clock: clock, observers: observers)
    connection = AccountConnection(service: service, clock: clock, isSignedIn: isSignedIn, observers: observers)
    identity = Identity(connection)
    featuredTags = FeaturedTags(connection)
    let switches = ReactionSwitches()
    timelines = Timelines(connection, identity: identity, reactions: switches, cache: cache)
    outbox = Outbox(connection, identity: identity, timelines: timelines, store: outgoing)
    reactions = Reactions(
      connection, timelines: timelines, switches: switches, undoHistory: undoHistory, outbox: outbox)
    follows = Follows(connection, undoHistory: undoHistory, outbox: outbox)
    pendingActions = PendingActions(clock: clock, observers: observers, history: undoHistory)
    posts = Posts(
      connection, timelines: timelines, outbox: outbox, held: pendingActions, undoHistory: undoHistory)
    drafts = Drafts(connection, store: outgoing)
    inbox = Inbox(
      connection, identity: identity, cache: cache.map(ConversationCache.init(beside:)), outbox: outbox)
    readPositions = ReadPositions(connection, timelines: timelines, store: outgoing)
    notifications = NotificationFeed(
      connection, inbox: inbox, positions: readPositions, cache: cache.map(NotificationCache.init(besides:)))
    translations = Translations(connection, timelines: timelines)
    filteredNotifications = FilteredNotifications(connection, feed: notifications, undoHistory: undoHistory)
    live = LiveUpdates(
      connection, timelines: timelines, inbox: inbox, notifications: notifications, service: streaming)
    connection.didAnswer = { [weak outbox, weak live] in
      outbox?.noteAnswer(wasOffline: $0)
      if $0 { live?.wakeUp() }
    }
    notifications.leavesOut = { [weak self] in self?.leavesOut($0) ?? false }
    notifications.hasServerWords = { [weak identity] in identity?.serverInfo?.describesNotifications ?? false }
    notifications.didReceiveRequest = { [weak follows] in follows?.noteRequesters([$0]) }
    addObserver(live)
    addObserver(outbox)
    addObserver(pendingActions)
    addObserver(timelines)
    addObserver(reactions)
    addObserver(inbox)
    addObserver(notifications)
    addObserver(translations)
    addObserver(readPositions)
  }

  /// Starts fetching the user's data and sending queued items.
  public func start() {
    startWithoutLists()
    startLists()
  }

  /// Starts everything except the lists that ``startLists()`` starts.
  public func startWithoutLists() {
    live.catchesUpLists = false
    identity.identify()
    readPositions.start()
    outbox.start()
  }

  /// Starts fetching and polling conversations and notifications. Does nothing for lists that have started.
  public func startLists() {
    live.catchesUpLists = true
    inbox.start()
    notifications.start()
  }

  /// Call after the user has signed in to this account again and the service has the new token. Cancels downloads,
  /// fetches the user, conversations and notifications again, and sends the items of the outbox that waited for the
  /// sign-in.
  public func didSignInAgain() {
    cancelDownloads()
    connection.noteSignedInAgain()
    identity.identify()
    inbox.refresh()
    notifications.refresh()
    outbox.noteSignedInAgain()
  }

  public var clock: any ProgramClock { connection.clock }

  /// The time zone of the account's screens, with ``timeForm`` as the time format.
  public var timeZone: ClockZone {
    var zone = clock.timeZone
    zone.form = timeForm
    return zone
  }
  public var isSignedIn: Bool { connection.isSignedIn }

  /// Notifies `observer` of changes until it is released.
  public func addObserver(_ observer: some AccountObserver) { observers.add(observer) }

  /// Fetches data that belongs to no list. See ``AccountConnection/fetch(_:completion:)``.
  public func fetch<Answer>(
    _ request: Request<Answer>, completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    connection.fetch(request, completion: completion)
  }

  /// Starts a download with the priority of visible data. `delegate` receives the result. When it is released, the
  /// download is cancelled, unless the request is a write. The service references it weakly.
  public func start<Answer>(
    _ request: Request<Answer>, delegate: any DownloadServiceDelegate
  ) -> DownloadIdentifier {
    connection.start(request.prioritized(.onScreen), delegate: delegate)
  }

  /// Cancels a download. Its delegate is notified that it has finished.
  public func cancel(_ download: DownloadIdentifier) { connection.cancel(download) }

  /// Cancels downloads, but not writes, which may have reached the server.
  public func cancelDownloads() {
    timelines.dropWaiting()
    connection.cancelReads()
    others?.cancelReads()
  }

  /// Whether `qwinker` is the user.
  public func isMe(_ qwinker: Qwinker) -> Bool { identity.me?.id == qwinker.id }

  /// Kinds of the writes in progress.
  public var inProgress: [WriteKind] { connection.inProgress + outbox.inProgress }
}
