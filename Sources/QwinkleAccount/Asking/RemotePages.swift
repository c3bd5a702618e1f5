public import QwinkleModel
public import QwinkleService

/// The pages of another server's timeline, fetched without signing in there. The qwinks have ids that can't be confused
/// with ids of the user's server, and full handles.
@MainActor
public final class RemotePages {
  public typealias Completion = @MainActor (Result<Page<Qwink>, DownloadError>) -> Void

  private let timeline: RemoteTimeline
  private let connection: AccountConnection
  /// The domain in the handles of the server's accounts. Nil until the server has described itself.
  private var domain: String?
  private var infoFetch: Fetch?

  /// Returns nil if requests to the timeline's server aren't allowed.
  ///
  /// - Parameter others: The connection to other servers; nil if requests to them aren't allowed.
  public init?(of timeline: RemoteTimeline, by others: OtherServers?) {
    guard let connection = timeline.address.flatMap({ others?.connection(to: $0) }) else { return nil }
    self.timeline = timeline
    self.connection = connection
  }

  /// Fetches the newest page, up to `limit` qwinks. `then` receives the fetch of the page, which the caller must
  /// retain. The first call fetches the server's description before.
  public func fetchNewest(limit: Int, then: @escaping @MainActor (Fetch) -> Void, completion: @escaping Completion) {
    findDomain { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let domain): then(fetch(.timeline(timeline, domain: domain, limit: limit), completion))
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Fetches the page at `cursor`. The caller must retain the returned fetch.
  public func fetchPage(at cursor: PageCursor, completion: @escaping Completion) -> Fetch {
    let domain = domain ?? timeline.domain(nil)
    return fetch(.timelinePage(timeline, domain: domain, cursor), completion)
  }

  private func fetch(_ request: Request<Page<Qwink>>, _ completion: @escaping Completion) -> Fetch {
    connection.fetch(request) { completion($0.mapError(\.withoutSignIn)) }
  }

  /// Passes the domain to `then`, or an error if the user has cancelled the request.
  private func findDomain(then: @escaping @MainActor (Result<String, DownloadError>) -> Void) {
    if let domain { return then(.success(domain)) }
    infoFetch = connection.fetch(Request<ServerInfo>.serverInfo.stayingOnHost) { [weak self] result in
      guard let self else { return }
      infoFetch = nil
      if case .failure(let error) = result, error.isCancelled { return then(.failure(error)) }
      let info = try? result.get()
      // After a failure, the next refresh asks again.
      if info != nil { domain = timeline.domain(info) }
      then(.success(timeline.domain(info)))
    }
  }

  // MARK: Commands

  /// The connection for ``newest(limit:)`` and ``page(at:)``.
  public var server: AccountConnection { connection }

  /// Fetches the server's description, from which the handles of its accounts depend.
  public func prepare() async {
    domain = timeline.domain(try? await connection.answer(to: Request<ServerInfo>.serverInfo.stayingOnHost))
  }

  /// The request for the newest page. Send it to ``server``, after ``prepare()``.
  public func newest(limit: Int) -> Request<Page<Qwink>> {
    .timeline(timeline, domain: domain ?? timeline.domain(nil), limit: limit)
  }

  /// The request for the page at `cursor`. Send it to ``server``.
  public func page(at cursor: PageCursor) -> Request<Page<Qwink>> {
    .timelinePage(timeline, domain: domain ?? timeline.domain(nil), cursor)
  }
}

/// The reason why another server's timeline can't be shown.
public enum RemoteTimelineError: Error, Hashable, Sendable {
  /// The server shows the timeline only to its members, or doesn't have it.
  case membersOnly(RemoteTimeline)
  /// Requests to the server aren't allowed: it has no TLS, or is on this machine or in a local network.
  case notAllowed(RemoteTimeline)
  case failed(DownloadError)
  /// The lists of accounts that the user hides couldn't be fetched, so the timeline may contain hidden accounts.
  case notChecked(DownloadError)

  /// Converts an error of a request for the timeline.
  public init(_ error: DownloadError, of timeline: RemoteTimeline) {
    switch error {
    case .needsAuthentication, .signInExpired, .forbidden, .notFound, .unsupported, .unsupportedHere, .rejected:
      self = .membersOnly(timeline)
    default: self = .failed(error)
    }
  }

  /// The message for the user.
  public var sentence: String {
    switch self {
    case .membersOnly(let timeline): "\(timeline.host) shows \(timeline.words) to its members only."
    case .notAllowed(let timeline):
      "\(timeline.host) can't be read: other servers need https and a public address."
    case .failed(let error): error.sentence
    case .notChecked(let error): ForeignThreadError.notChecked(error).sentence
    }
  }
}

extension RemoteTimeline {
  /// The timeline in a sentence about its server.
  fileprivate var words: String {
    switch part {
    case .local: "its local timeline"
    case .public: "its public timeline"
    case .tag(let tag): "#\(tag)"
    }
  }
}

extension DownloadError {
  /// The same error without the advice to sign in, because no one signs in at another server to read its timeline.
  fileprivate var withoutSignIn: DownloadError {
    if case .needsAuthentication(let host, let message) = self {
      .forbidden(host: host, message: message)
    } else {
      self
    }
  }
}
