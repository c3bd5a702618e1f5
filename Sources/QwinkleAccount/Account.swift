public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// What one account knows, by responsibility. All parts ask through the same ``connection``, keep what they get in the
/// same files, and tell the same observers.
@MainActor
public final class Account {
  public let connection: AccountConnection
  /// Who I am and what the server can do.
  public let identity: Identity
  public let timelines: Timelines
  /// Boosts, favourites and bookmarks.
  public let reactions: Reactions
  public let follows: Follows
  /// Posting, editing and deleting.
  public let posts: Posts
  /// Private messages.
  public let inbox: Inbox
  public let notifications: NotificationFeed
  /// What was written and is not known to have arrived.
  public let outgoing: OutgoingStore?
  let undoHistory: UndoHistory

  private let observers: AccountObservers

  /// An account that keeps what it gets in `cache`, and what was written and may not have arrived in `outgoing`. It
  /// asks for nothing yet.
  public init(
    service: DownloadService, cache: TimelineCache?, outgoing: OutgoingStore?, clock: any ProgramClock, isSignedIn: Bool
  ) {
    self.outgoing = outgoing
    observers = AccountObservers()
    undoHistory = UndoHistory()
    connection = AccountConnection(service: service, clock: clock, isSignedIn: isSignedIn, observers: observers)
    identity = Identity(connection)
    let switches = ReactionSwitches()
    timelines = Timelines(connection, identity: identity, reactions: switches, cache: cache)
    reactions = Reactions(connection, timelines: timelines, switches: switches, undoHistory: undoHistory)
    follows = Follows(connection, undoHistory: undoHistory)
    posts = Posts(connection, identity: identity, timelines: timelines, drafts: outgoing)
    inbox = Inbox(
      connection, identity: identity, cache: cache.map(ConversationCache.init(beside:)), outgoing: outgoing)
    notifications = NotificationFeed(connection, inbox: inbox, cache: cache.map(NotificationCache.init(besides:)))
    addObserver(timelines)
    addObserver(reactions)
    addObserver(inbox)
    addObserver(notifications)
  }

  public var clock: any ProgramClock { connection.clock }
  public var isSignedIn: Bool { connection.isSignedIn }

  /// Tells `observer` of changes from now on, while it lives.
  public func addObserver(_ observer: some AccountObserver) { observers.add(observer) }

  /// Asks for something that no list keeps: see ``AccountConnection/fetch(_:completion:)``.
  public func fetch<Answer>(
    _ request: Request<Answer>, completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    connection.fetch(request, completion: completion)
  }

  /// Cancels what is being downloaded, but not what changes something on the server: that may have arrived.
  public func cancelDownloads() {
    timelines.dropWaiting()
    connection.cancelReads()
  }

  /// What is on its way to the server.
  public var underWay: [UnderWay] { connection.underWay + posts.underWay + inbox.underWay }
}
