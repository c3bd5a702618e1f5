public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// What one account knows, by responsibility. All parts ask through the same ``connection``, cache in the same file,
/// and tell the same observers.
@MainActor
public final class Account {
  public let connection: AccountConnection
  /// Who I am and what the server can do.
  public let identity: Identity
  public let timelines: Timelines
  /// Boosts, favourites and bookmarks.
  public let reactions: Reactions
  public let follows: Follows
  /// What the server is to be told, and has not confirmed.
  public let outbox: Outbox
  /// What can be taken back before the server is told of it.
  public let held: HeldActs
  /// Posting, editing and deleting.
  public let posts: Posts
  public let drafts: Drafts
  /// Direct messages.
  public let inbox: Inbox
  public let notifications: NotificationFeed
  /// What comes by itself.
  public let live: LiveUpdates
  /// How far lists were read.
  public let readPositions: ReadPositions
  /// Entries and messages that aren't known to have arrived.
  public let outgoing: OutgoingStore?
  /// Searches what is cached; nil if nothing is.
  public let searchCache: SearchCache?
  /// Asks other servers; nil: none is asked.
  public var others: OtherServers?
  /// How times are told on its screens.
  public var timeForm = ClockZone.Form.relative
  let undoHistory: UndoHistory
  let filterExpiry: FilterExpiry

  private let observers: AccountObservers

  /// An account that caches in `cache` and keeps what isn't known to have arrived in `outgoing`. It asks for nothing
  /// yet.
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
    let switches = ReactionSwitches()
    timelines = Timelines(connection, identity: identity, reactions: switches, cache: cache)
    outbox = Outbox(connection, identity: identity, timelines: timelines, store: outgoing)
    reactions = Reactions(
      connection, timelines: timelines, switches: switches, undoHistory: undoHistory, outbox: outbox)
    follows = Follows(connection, undoHistory: undoHistory, outbox: outbox)
    held = HeldActs(clock: clock, observers: observers, history: undoHistory)
    posts = Posts(connection, timelines: timelines, outbox: outbox, held: held, undoHistory: undoHistory)
    drafts = Drafts(connection, store: outgoing)
    inbox = Inbox(
      connection, identity: identity, cache: cache.map(ConversationCache.init(beside:)), outbox: outbox)
    readPositions = ReadPositions(connection, timelines: timelines, store: outgoing)
    notifications = NotificationFeed(
      connection, inbox: inbox, positions: readPositions, cache: cache.map(NotificationCache.init(besides:)))
    live = LiveUpdates(
      connection, identity: identity, timelines: timelines, inbox: inbox, notifications: notifications,
      service: streaming)
    connection.didAnswer = { [weak outbox, weak live] in
      outbox?.noteAnswer(wasOffline: $0)
      if $0 { live?.wakeUp() }
    }
    notifications.leavesOut = { [weak self] in self?.leavesOut($0) ?? false }
    notifications.didReceiveRequest = { [weak follows] in follows?.noteRequesters([$0]) }
    addObserver(live)
    addObserver(outbox)
    addObserver(held)
    addObserver(timelines)
    addObserver(reactions)
    addObserver(inbox)
    addObserver(notifications)
    addObserver(readPositions)
  }

  /// Begins to fetch what is mine, and to send what waits.
  public func start() {
    identity.identify()
    readPositions.start()
    inbox.start()
    outbox.start()
    notifications.start()
  }

  /// Goes on after another sign-in to this account, whose token the service has: asks again for what was refused.
  public func didSignInAgain() {
    cancelDownloads()
    connection.noteSignedInAgain()
    identity.identify()
    inbox.refresh()
    notifications.refresh()
    outbox.noteSignedInAgain()
  }

  public var clock: any ProgramClock { connection.clock }

  /// The zone in which times are shown, told as ``timeForm`` says.
  public var timeZone: ClockZone {
    var zone = clock.timeZone
    zone.form = timeForm
    return zone
  }
  public var isSignedIn: Bool { connection.isSignedIn }

  /// Tells `observer` of changes as long as it lives.
  public func addObserver(_ observer: some AccountObserver) { observers.add(observer) }

  /// Fetches what no list has: see ``AccountConnection/fetch(_:completion:)``.
  public func fetch<Answer>(
    _ request: Request<Answer>, completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    connection.fetch(request, completion: completion)
  }

  /// Cancels downloads, but not writes, which may have arrived.
  public func cancelDownloads() {
    timelines.dropWaiting()
    connection.cancelReads()
  }

  /// Writes on their way to the server.
  public var underWay: [UnderWay] { connection.underWay + outbox.underWay }
}
