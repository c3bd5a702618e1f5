public import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import Timekeeping

/// One account's connection to its server, through which everything is asked. It knows what is under way, whether the
/// server answers, and whether the user has to sign in again.
@MainActor
public final class AccountConnection {
  /// The progress of a long download in bytes; `expected` is nil if the server didn't say.
  public struct Progress: Hashable, Sendable {
    public var received: Int
    public var expected: Int?
  }

  /// Shorter downloads show no progress.
  private static let leastShownBytes = 256 * 1024
  /// How long the fastest answer tells how far the server's clock is ahead: either clock may be set.
  private static let serverAheadAge = Duration.seconds(120)

  public let clock: any ProgramClock
  /// Whether somebody is signed in.
  public let isSignedIn: Bool
  /// When the server last answered anything.
  public private(set) var answeredAt: Date?
  /// Since when the server doesn't answer; nil if its last answer came, or nothing was asked.
  public private(set) var offlineSince: Date?
  /// What the server can do, as far as it has said.
  public internal(set) var abilities = Abilities() {
    didSet {
      guard abilities.missing != oldValue.missing else { return }
      observers.forEach { $0.connectionDidChangeState(self) }
    }
  }
  /// Refusals of what needs an ability, each for one object, since the last successful write: that may change what is
  /// possible.
  var refusals: [AbilityNeed: DownloadError] = [:]
  /// Addresses of the qwinks that filters name; empty for a qwink without an address or no longer there.
  var filteredURLs: [Qwink.ID: String] = [:]
  /// Whether the server has rejected the token.
  public private(set) var needsSignIn = false
  /// How often the server has rejected the token. An answer to a request sent before the last time proves nothing.
  private(set) var rejections = 0

  /// How often somebody has signed in again. A rejection of what was sent before tells nothing.
  private(set) var renewals = 0

  let observers: AccountObservers
  /// Called after each answer, with whether the server hadn't answered before.
  var didAnswer: (@MainActor (_ wasOffline: Bool) -> Void)?
  /// How far the server's clock is ahead of this machine's, in seconds, or a little less; nil if unknown.
  private var serverAhead: TimeInterval?
  /// When that was found, in seconds of uptime.
  private var serverAheadAt = Duration.zero
  private let service: DownloadService
  /// All fetches under way.
  private var fetches: [DownloadIdentifier: WeakFetch] = [:]
  /// The fetches under way that belong to the account.
  private var held: [DownloadIdentifier: Fetch] = [:]

  /// A connection that asks nothing yet.
  public convenience init(service: DownloadService, clock: any ProgramClock, isSignedIn: Bool) {
    self.init(service: service, clock: clock, isSignedIn: isSignedIn, observers: AccountObservers())
  }

  init(service: DownloadService, clock: any ProgramClock, isSignedIn: Bool, observers: AccountObservers) {
    self.service = service
    self.clock = clock
    self.isSignedIn = isSignedIn
    self.observers = observers
    service.clock = clock
  }

  /// The server: `https://host[:port]`.
  public var serverURL: String { service.serverURL }

  /// Registers work that leads to a request, such as reading a file.
  public func begin(_ name: String) -> Activity { service.begin(name) }

  /// Starts a task that leads to requests as one piece of work.
  @discardableResult
  public func task(_ name: String, _ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    service.task(name, body)
  }

  /// Whether `address` is on this server, under its own host or the `domain` it names itself by; nil: not known.
  public func isOwn(_ address: WebAddress, domain: String?) -> Bool {
    if let server = WebAddress(serverURL), server.isOnSameHost(as: address) { return true }
    return domain.flatMap { WebAddress("https://\($0)") }?.isOnSameHost(as: address) ?? false
  }

  /// The domain in the handles of this server's accounts; nil if it is the server's host, or if the server doesn't call
  /// itself anything.
  public func domain(of info: ServerInfo?) -> String? {
    info.flatMap { info in (try? ServerAddress(serverURL))?.domain(named: info.domain) }
  }

  /// Notifies `observer` of changes as long as it lives.
  public func addObserver(_ observer: some AccountObserver) { observers.add(observer) }

  // MARK: Asking

  /// Sends a request for an owner, who holds the result. `completion` is called at most once, on the main actor; it
  /// should capture weakly. Releasing the result cancels a download; a write goes on unheard.
  public func fetch<Answer>(
    _ request: Request<Answer>, completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    start(request.prioritized(.onScreen), as: nil, completion)
  }

  /// Sends a request for the account itself. `kind` is what would be lost if the program ended now. ``cancelReads()``
  /// leaves it alone if `isKept`.
  @discardableResult
  func ask<Answer>(
    _ request: Request<Answer>, as kind: UnderWay? = nil, isKept: Bool = false,
    _ completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = start(request, as: kind, completion)
    fetch.isKept = fetch.isKept || isKept
    if let identifier = fetch.identifier { held[identifier] = fetch }
    if kind != nil { noteUnderWay() }
    return fetch
  }

  /// Sends `request` and returns its answer.
  public func answer<Answer>(to request: Request<Answer>) async throws(DownloadError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      let fetch = ask(request) { continuation.resume(returning: $0) }
      fetch.tellsCancellation = true
    }
    return try result.get()
  }

  private func start<Answer>(
    _ request: Request<Answer>, as kind: UnderWay?,
    _ completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = Fetch(self, kind: kind, isWrite: request.isWrite) { completion(.failure($0)) }
    let ability = request.ability
    let handled = request.handled { [weak self] in
      if let ability { self?.abilities.note(ability, true) }
      completion(.success($0))
    }
    let identifier = service.start(handled, delegate: fetch)
    fetch.identifier = identifier
    fetches = fetches.filter { $0.value.fetch != nil }
    fetches[identifier] = WeakFetch(fetch: fetch)
    return fetch
  }

  /// Cancels all downloads. Their owners get ``DownloadError/cancelled``.
  func cancelReads() {
    for (identifier, fetch) in fetches where fetch.fetch?.isKept == false { service.cancel(identifier) }
  }

  /// Cancels one request, even a write, whose owner hears nothing more of it.
  func cancel(_ fetch: Fetch) {
    if let identifier = fetch.identifier { service.cancel(identifier) }
  }

  // MARK: What is under way

  /// The account's writes on their way to the server.
  var underWay: [UnderWay] { held.values.compactMap(\.kind) }

  /// Tells observers that a write has begun or ended.
  func noteUnderWay() { observers.forEach { $0.connectionDidChangeUnderWay(self) } }

  /// The progress of the largest download under way; nil if none is long.
  public var progress: Progress? {
    fetches.values.compactMap { $0.fetch?.progress }.filter { $0.received >= Self.leastShownBytes }
      .max { $0.received < $1.received }
  }

  /// The server's time when this machine's clock said `date`, or a little earlier; nil if the server hasn't said its
  /// time yet.
  func serverDate(at date: Date) -> Date? { serverAhead.map { date.addingTimeInterval($0) } }

  // MARK: What fetches report

  /// Notes the server's time in an answer that has just come. Of the last minutes' answers the fastest says most: a
  /// slow one has the server's clock seem late.
  func noteServerDate(_ date: Date) {
    let ahead = date.timeIntervalSince(clock.now)
    guard ahead >= serverAhead ?? ahead || clock.uptime - serverAheadAt >= Self.serverAheadAge else { return }
    serverAhead = ahead
    serverAheadAt = clock.uptime
  }

  /// Notes an answer to a request that was sent after so many ``rejections``.
  func noteAnswer(isWrite: Bool, sentAfter rejections: Int) {
    let wasOffline = offlineSince != nil
    note(nil)
    if needsSignIn, rejections == self.rejections {
      needsSignIn = false
      observers.forEach { $0.connectionDidChangeState(self) }
    }
    didAnswer?(wasOffline)
    guard isWrite else { return }
    refusals = [:]
    observers.forEach { $0.connectionDidWrite(self) }
  }

  /// Records an answer, or a failure if `error` is set. Cancelled requests and unreadable files don't show whether the
  /// server answers.
  func note(_ error: DownloadError?) {
    if let error, error.isCancelled || error.isOfFile { return }
    if case .unsupported(_, let ability) = error { abilities.note(ability, false) }
    let wasOffline = offlineSince != nil
    if case .transport = error {
      offlineSince = offlineSince ?? clock.now
    } else {
      // The server answers, even with an error.
      offlineSince = nil
      answeredAt = clock.now
    }
    if wasOffline != (offlineSince != nil) { observers.forEach { $0.connectionDidChangeState(self) } }
  }

  /// Notes that the token was rejected, in an answer to a request that was sent after so many ``renewals``.
  func noteNeedsSignIn(sentAfter renewals: Int) {
    guard isSignedIn, renewals == self.renewals else { return }
    rejections += 1
    guard !needsSignIn else { return }
    needsSignIn = true
    observers.forEach { $0.connectionDidChangeState(self) }
  }

  /// Returns whether the server accepts the token, as far as it says. A rejected token is recorded as by any request.
  public func acceptsToken() async -> Bool {
    guard !needsSignIn else { return false }
    do throws(DownloadError) {
      _ = try await answer(to: .ownAccount)
      return true
    } catch {
      return !error.needsSignIn
    }
  }

  /// Notes that somebody has signed in again.
  func noteSignedInAgain() {
    renewals += 1
    guard needsSignIn else { return }
    needsSignIn = false
    observers.forEach { $0.connectionDidChangeState(self) }
  }

  func noteProgress(of fetch: Fetch) {
    if (fetch.progress?.received ?? 0) >= Self.leastShownBytes {
      observers.forEach { $0.connectionDidChangeState(self) }
    }
  }

  func noteRedirect(to url: String) {
    observers.forEach { $0.connection(self, didFollowRedirectTo: url) }
  }

  func noteEnd(of fetch: Fetch) {
    guard let identifier = fetch.identifier else { return }
    fetches[identifier] = nil
    held[identifier] = nil
    if fetch.kind != nil { noteUnderWay() }
    noteProgress(of: fetch)
  }
}

/// A fetch held by its owner.
private struct WeakFetch {
  weak var fetch: Fetch?
}
