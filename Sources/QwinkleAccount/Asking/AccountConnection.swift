public import FoundationEssentials
public import QwinkleService
public import Timekeeping

/// The way of one account to its server: everything it asks goes through here. It knows what is under way, whether the
/// server answers, and whether one has to sign in again.
@MainActor
public final class AccountConnection {
  /// What a long download has brought so far, in bytes; `expected` is nil if the server didn't say.
  public struct Progress: Hashable, Sendable {
    public var received: Int
    public var expected: Int?
  }

  /// Downloads that are shorter show no progress.
  private static let leastShownBytes = 256 * 1024

  public let clock: any ProgramClock
  /// Whether there is an account to ask as.
  public let isSignedIn: Bool
  /// When the server answered last, by whatever was asked.
  public private(set) var answeredAt: Date?
  /// Since when it does not answer; nil if it answered last, or was not asked.
  public private(set) var offlineSince: Date?
  /// Whether the server wants one to sign in again: it takes the token no more.
  public private(set) var needsSignIn = false

  let observers: AccountObservers
  private let service: DownloadService
  /// What is under way, by its owners.
  private var fetches: [DownloadIdentifier: WeakFetch] = [:]
  /// What is under way and belongs to the account itself.
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
  }

  /// Who is asked: `https://host[:port]`.
  public var serverURL: String { service.serverURL }

  // MARK: Asking

  /// Asks for something that the caller waits for. `completion` is called at most once, on the main actor, while the
  /// result of this is held; it should hold what it uses weakly. Releasing the result cancels a download, but not what
  /// changes something on the server: nobody hears then how that ended.
  public func fetch<Answer>(
    _ request: Request<Answer>, completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    start(request, as: nil, completion)
  }

  /// Asks for something that the account waits for: see ``fetch(_:completion:)``. `kind` is what would be lost if the
  /// program ended now; `isKept`: ``cancelReads()`` leaves it.
  func ask<Answer>(
    _ request: Request<Answer>, as kind: UnderWay? = nil, isKept: Bool = false,
    _ completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) {
    let fetch = start(request, as: kind, completion)
    fetch.isKept = fetch.isKept || isKept
    if let identifier = fetch.identifier { held[identifier] = fetch }
    if kind != nil { noteUnderWay() }
  }

  /// The answer to `request`.
  public func answer<Answer>(to request: Request<Answer>) async throws(DownloadError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      ask(request) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  private func start<Answer>(
    _ request: Request<Answer>, as kind: UnderWay?,
    _ completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = Fetch(self, kind: kind, isWrite: request.isWrite) { completion(.failure($0)) }
    let identifier = service.start(request.handled { completion(.success($0)) }, delegate: fetch)
    fetch.identifier = identifier
    fetches = fetches.filter { $0.value.fetch != nil }
    fetches[identifier] = WeakFetch(fetch: fetch)
    return fetch
  }

  /// Cancels what is being downloaded. Whoever waits hears ``DownloadError/cancelled``.
  func cancelReads() {
    for (identifier, fetch) in fetches where fetch.fetch?.isKept == false { service.cancel(identifier) }
  }

  // MARK: What is under way

  /// What the account itself has on its way to the server.
  var underWay: [UnderWay] { held.values.compactMap(\.kind) }

  /// Tells observers that something is on its way to the server, or no longer.
  func noteUnderWay() { observers.forEach { $0.connectionDidChangeUnderWay(self) } }

  /// The progress of the longest download under way; nil if there is no long one.
  public var progress: Progress? {
    fetches.values.compactMap { $0.fetch?.progress }.filter { $0.received >= Self.leastShownBytes }
      .max { $0.received < $1.received }
  }

  // MARK: What fetches report

  func noteAnswer(isWrite: Bool) {
    note(nil)
    guard isWrite else { return }
    observers.forEach { $0.connectionDidWrite(self) }
  }

  /// Notes an answer, or with `error` why there is none. One that was cancelled says nothing.
  func note(_ error: DownloadError?) {
    if let error, error.isCancelled { return }
    if case .transport = error {
      offlineSince = offlineSince ?? clock.now
    } else {
      // It answers, if not what was hoped for.
      offlineSince = nil
      answeredAt = clock.now
    }
    if error == nil, needsSignIn {
      needsSignIn = false
      observers.forEach { $0.connectionDidChangeState(self) }
    }
  }

  func noteNeedsSignIn() {
    guard isSignedIn, !needsSignIn else { return }
    needsSignIn = true
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

/// A fetch that somebody else holds.
private struct WeakFetch {
  weak var fetch: Fetch?
}
