public import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import Timekeeping

/// One account's connection to its server, used by all requests. It tracks requests in progress, whether the server is
/// reachable, and whether the user has to sign in again.
@MainActor
public final class AccountConnection {
  /// The progress of a long download in bytes. `expected` is the total size, or nil if the server didn't send it.
  public struct Progress: Hashable, Sendable {
    public var received: Int
    public var expected: Int?
  }

  /// Minimum number of received bytes for showing a download's progress.
  private static let leastShownBytes = 256 * 1024
  /// Maximum age of a measured clock offset, because either clock may be adjusted.
  private static let serverAheadAge = Duration.seconds(120)

  public let clock: any ProgramClock
  public let isSignedIn: Bool
  /// Time of the server's last answer.
  public private(set) var answeredAt: Date?
  /// Start of the current period without answers; nil if the last request was answered, or none was sent.
  public private(set) var offlineSince: Date?
  /// The server's supported and missing abilities, as far as observed.
  public internal(set) var abilities = Abilities() {
    didSet {
      guard abilities.missing != oldValue.missing else { return }
      observers.forEach { $0.connectionDidChangeState(self) }
    }
  }
  /// Refusals of actions on single objects. A successful write clears them, because it may have made the actions
  /// possible.
  var refusals: [AbilityNeed: DownloadError] = [:]
  /// URLs of the qwinks listed in filters. The string is empty for a qwink that has no URL or no longer exists.
  var filteredURLs: [Qwink.ID: String] = [:]
  /// Whether the server has rejected the token.
  public private(set) var needsSignIn = false
  /// Number of times the server has rejected the token. An answer to a request sent before the last rejection doesn't
  /// prove that the token is valid.
  private(set) var rejections = 0

  /// Number of times the user has signed in again. Rejections of requests sent before the last time are ignored.
  private(set) var renewals = 0

  let observers: AccountObservers
  /// Called after each successful answer. `wasOffline` is true if the answer is the first one after the server was
  /// unreachable. Errors that the server returned before it don't count.
  var didAnswer: (@MainActor (_ wasOffline: Bool) -> Void)?
  /// Whether the server was unreachable and hasn't answered successfully since.
  private var awaitsAnswer = false
  /// Seconds by which the server's clock is ahead of this machine's, or slightly less because of latency; nil if
  /// unknown.
  private var serverAhead: TimeInterval?
  /// Uptime at which ``serverAhead`` was measured.
  private var serverAheadAt = Duration.zero
  private let service: DownloadService
  /// All downloads in progress.
  private var downloads: [DownloadIdentifier: Download] = [:]

  /// Creates a connection that sends no requests yet.
  public convenience init(service: DownloadService, clock: any ProgramClock, isSignedIn: Bool) {
    self.init(service: service, clock: clock, isSignedIn: isSignedIn, observers: AccountObservers())
  }

  init(service: DownloadService, clock: any ProgramClock, isSignedIn: Bool, observers: AccountObservers) {
    self.service = service
    self.clock = clock
    self.isSignedIn = isSignedIn
    self.observers = observers
    service.clock = clock
    service.addDelegate(self)
  }

  /// The server's address: `https://host[:port]`.
  public var serverURL: String { service.serverURL }

  var ledger: ActivityLedger { service.ledger }

  /// Registers work that leads to a request, such as reading a file.
  public func begin(_ name: String) -> Activity { service.begin(name) }

  /// Starts a task that leads to requests. The whole task counts as one activity.
  @discardableResult
  public func task(_ name: String, _ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    service.task(name, body)
  }

  /// Whether `address` is on this server: its host is the server's host or `domain`, the server's name for itself.
  public func isOwn(_ address: WebAddress, domain: String?) -> Bool {
    if let server = WebAddress(serverURL), server.isOnSameHost(as: address) { return true }
    return domain.flatMap { WebAddress("https://\($0)") }?.isOnSameHost(as: address) ?? false
  }

  /// Returns the domain in the handles of this server's accounts. Returns nil if the domain equals the server's host,
  /// or if the server reports no domain.
  public func domain(of info: ServerInfo?) -> String? {
    info.flatMap { info in (try? ServerAddress(serverURL))?.domain(named: info.domain) }
  }

  /// Notifies `observer` of changes until it is released.
  public func addObserver(_ observer: some AccountObserver) { observers.add(observer) }

  // MARK: Requests

  /// Starts a download. `delegate` receives the result. When it is released, the download is cancelled, unless the
  /// request is a write. `kind` is set for a write that would be lost if the program quit now. If `isKept` is true,
  /// ``cancelReads()`` doesn't cancel the request.
  @discardableResult
  func start<Answer>(
    _ request: Request<Answer>, delegate: any DownloadServiceDelegate, as kind: WriteKind? = nil, isKept: Bool = false
  ) -> DownloadIdentifier {
    let identifier = service.start(request, delegate: delegate)
    downloads[identifier] = Download(
      rejections: rejections, renewals: renewals, kind: kind, isKept: isKept || request.isWrite)
    if downloads.count == 1 { observers.forEach { $0.connectionDidChangeBusy(self) } }
    if kind != nil { noteInProgress() }
    return identifier
  }

  /// Sends a request. The caller must retain the returned fetch: releasing it cancels a download, while a write
  /// continues without calling `completion`. `completion` is called at most once, on the main actor, and should capture
  /// the caller weakly.
  public func fetch<Answer>(
    _ request: Request<Answer>, completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = Fetch(request, completion)
    fetch.identifier = start(request.prioritized(.onScreen), delegate: fetch)
    return fetch
  }

  /// Sends a request and retains its fetch until the request ends. For `kind` see
  /// ``start(_:delegate:as:isKept:)``.
  @discardableResult
  func ask<Answer>(
    _ request: Request<Answer>, as kind: WriteKind? = nil, tellsCancellation: Bool? = nil,
    _ completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = Fetch(request, tellsCancellation: tellsCancellation, completion)
    let identifier = start(request, delegate: fetch, as: kind)
    fetch.identifier = identifier
    downloads[identifier]?.fetch = fetch
    return fetch
  }

  public func answer<Answer>(to request: Request<Answer>) async throws(DownloadError) -> Answer {
    let result = await withCheckedContinuation { continuation in
      _ = ask(request, tellsCancellation: true) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Cancels all downloads, except writes and requests that were started with `isKept`. The delegates of the cancelled
  /// downloads are notified that the downloads have finished.
  func cancelReads() {
    for (identifier, download) in downloads where !download.isKept { service.cancel(identifier) }
  }

  /// Cancels one request, even a write. Its delegate is notified that the request has finished, but by default a
  /// ``Fetch`` doesn't notify its caller of a cancelled write.
  func cancel(_ identifier: DownloadIdentifier) { service.cancel(identifier) }

  // MARK: Requests in progress

  /// Whether any request is in progress.
  public var isBusy: Bool { !downloads.isEmpty }

  /// The account's writes in progress.
  var inProgress: [WriteKind] { downloads.values.compactMap(\.kind) }

  /// Notifies observers that a write has started or ended.
  func noteInProgress() { observers.forEach { $0.connectionDidChangeInProgress(self) } }

  /// The progress of the download that has received the most bytes. Nil while no download has received enough bytes to
  /// show its progress.
  public var progress: Progress? {
    downloads.values.compactMap(\.progress).filter { $0.received >= Self.leastShownBytes }
      .max { $0.received < $1.received }
  }

  /// Converts a time of this machine's clock to the server's time, or to a slightly earlier one because of latency.
  /// Returns nil if the server's time is unknown.
  func serverDate(at date: Date) -> Date? { serverAhead.map { date.addingTimeInterval($0) } }

  // MARK: Reports of downloads

  /// Records the server's time in an answer just received. Uses the largest offset of the last minutes, because latency
  /// only makes the server's clock seem behind.
  func noteServerDate(_ date: Date) {
    let ahead = date.timeIntervalSince(clock.now)
    guard ahead >= serverAhead ?? ahead || clock.uptime - serverAheadAt >= Self.serverAheadAge else { return }
    serverAhead = ahead
    serverAheadAt = clock.uptime
  }

  /// Records an answer. `rejections` is the value of ``rejections`` when the request was sent.
  func noteAnswer(isWrite: Bool, sentAfter rejections: Int) {
    note(nil)
    if needsSignIn, rejections == self.rejections {
      needsSignIn = false
      observers.forEach { $0.connectionDidChangeState(self) }
    }
    let wasOffline = awaitsAnswer
    awaitsAnswer = false
    didAnswer?(wasOffline)
    guard isWrite else { return }
    refusals = [:]
    observers.forEach { $0.connectionDidWrite(self) }
  }

  /// Records an answer, or a failure if `error` is set. Cancelled requests and unreadable files are ignored: they don't
  /// show whether the server is reachable.
  func note(_ error: DownloadError?) {
    if let error, error.isCancelled || error.isOfFile { return }
    if case .unsupported(_, let ability) = error { abilities.note(ability, false) }
    let wasOffline = offlineSince != nil
    if case .transport = error {
      offlineSince = offlineSince ?? clock.now
      awaitsAnswer = true
    } else {
      // The server is reachable, even if it returns an error.
      offlineSince = nil
      answeredAt = clock.now
    }
    if wasOffline != (offlineSince != nil) { observers.forEach { $0.connectionDidChangeState(self) } }
  }

  /// Records that the token was rejected. `renewals` is the value of ``renewals`` when the request was sent.
  func noteNeedsSignIn(sentAfter renewals: Int) {
    guard isSignedIn, renewals == self.renewals else { return }
    rejections += 1
    guard !needsSignIn else { return }
    needsSignIn = true
    observers.forEach { $0.connectionDidChangeState(self) }
  }

  /// Returns whether the server accepts the token. Errors other than a rejection count as acceptance. A rejection is
  /// recorded, as for any request.
  public func acceptsToken() async -> Bool {
    guard !needsSignIn else { return false }
    do throws(DownloadError) {
      _ = try await answer(to: .ownAccount)
      return true
    } catch {
      return !error.needsSignIn
    }
  }

  /// Records that the user has signed in again.
  func noteSignedInAgain() {
    renewals += 1
    guard needsSignIn else { return }
    needsSignIn = false
    observers.forEach { $0.connectionDidChangeState(self) }
  }

  /// Notifies observers of progress, unless the download is too small to show it.
  private func noteProgress(of download: Download) {
    if (download.progress?.received ?? 0) >= Self.leastShownBytes {
      observers.forEach { $0.connectionDidChangeState(self) }
    }
  }
}

/// The connection is notified of all downloads before their owners. It ignores downloads of other connections that use
/// the same service.
extension AccountConnection: DownloadServiceDelegate {
  public func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier
  ) {
    downloads[identifier]?.progress = .init(received: bytes, expected: expected)
    if let download = downloads[identifier] { noteProgress(of: download) }
  }

  public func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) {
    if downloads[identifier] != nil { observers.forEach { $0.connection(self, didFollowRedirectTo: url) } }
  }

  public func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier) {
    if let download = downloads[identifier] { noteNeedsSignIn(sentAfter: download.renewals) }
  }

  public func downloadService(_ service: DownloadService, didLearn date: Date, for identifier: DownloadIdentifier) {
    if downloads[identifier] != nil { noteServerDate(date) }
  }

  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard let download = downloads[identifier] else { return }
    noteAnswer(isWrite: request.isWrite, sentAfter: download.rejections)
    if let ability = request.ability { abilities.note(ability, true) }
    guard !request.isWrite else { return }
    let byteCount = download.progress?.received ?? 0
    observers.forEach { $0.connection(self, didFetch: request.path, byteCount: byteCount) }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if downloads[identifier] != nil { note(error) }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    guard let download = downloads.removeValue(forKey: identifier) else { return }
    if download.kind != nil { noteInProgress() }
    noteProgress(of: download)
    if downloads.isEmpty { observers.forEach { $0.connectionDidChangeBusy(self) } }
  }
}

/// A download in progress.
private struct Download {
  /// The connection's ``AccountConnection/rejections`` when the request was sent.
  let rejections: Int
  /// The connection's ``AccountConnection/renewals`` when the request was sent.
  let renewals: Int
  /// The kind of write that would be lost if the program quit now. Nil for other requests.
  var kind: WriteKind?
  /// Whether the request continues when downloads are cancelled.
  var isKept = false
  var progress: AccountConnection.Progress?
  /// The download's delegate, if its caller doesn't retain it.
  var fetch: Fetch?
}

extension Fetch {
  fileprivate convenience init<Answer>(
    _ request: Request<Answer>, tellsCancellation: Bool? = nil,
    _ completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) {
    self.init(tellsCancellation: tellsCancellation ?? !request.isWrite) { result in
      switch result {
      case .success(let answer): if let answer = answer as? Answer { completion(.success(answer)) }
      case .failure(let error): completion(.failure(error))
      }
    }
  }
}
