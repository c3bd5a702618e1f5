import FoundationEssentials
import HTTPTypes
import QwinkleModel
public import QwinkleWire
import SafeText
public import Timekeeping

/// Fetches from one server, signed in or anonymously, and decodes the responses. The service is confined to the main
/// actor, but networking and decoding run elsewhere.
///
/// For each download, the service's delegates and the download's own delegate are called on the main actor, in this
/// order:
/// - `didStart`, before ``start(_:delegate:)`` returns.
/// - `didSend`, `didReceive`, `didLearn`, and the methods for redirects, any number of times.
/// - `didDownload` or `didFailWith`. If the user has to sign in, `needsAuthenticationFor` is called before
///   `didFailWith`.
/// - `didFinish`.
@MainActor
public final class DownloadService {
  /// The server, and the account to use there.
  public struct Configuration: Sendable {
    /// `https://host[:port]`, without a path.
    public var serverURL: String
    /// The bearer token; nil if signed out.
    public var token: String?
    /// Whether the connection is a Unix socket, by which the server identifies the user without a token.
    public var isOnSocket: Bool

    public init(serverURL: String, token: String? = nil, isOnSocket: Bool = false) {
      self.serverURL = serverURL
      self.token = token
      self.isOnSocket = isOnSocket
    }

    var isSignedIn: Bool { token != nil || isOnSocket }
  }

  /// The User-Agent header of all requests. Some servers refuse requests without one.
  nonisolated public static let userAgent = "Qwinkle/\(ProgramVersion.current) (terminal client for the Mastodon API)"

  private static let maximumRedirects = 5
  /// Shared by all services, so that identifiers are unique in the whole program.
  private static var identifierCount = 0

  public private(set) var configuration: Configuration
  private var delegates: [WeakDelegate] = []
  /// The ledger of work in progress.
  public let ledger: ActivityLedger
  private let transport: LazyTransport
  private let queue = RequestQueue()
  /// The server's rate limit, as last reported.
  private var allowance = RequestAllowance()
  /// The last token that the server refused. Reset when a request succeeds.
  var refusedToken: String?
  /// The clock that measures the wait after a rate limit. Without a clock, rate limits are not enforced.
  public var clock: (any ProgramClock)?
  private var exchanges: [Exchange] = []
  /// Tasks that haven't ended yet, including tasks that no delegate waits for any more.
  private var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]

  /// Creates a service for `configuration.serverURL`. The transport is created on first use, off the main actor, so
  /// that creating a service costs nothing at launch.
  public init(
    configuration: Configuration, ledger: ActivityLedger, transport: @escaping @Sendable () -> any Transport
  ) {
    self.configuration = configuration
    self.ledger = ledger
    self.transport = LazyTransport(transport)
  }

  /// `https://host[:port]`, without a path.
  public var serverURL: String { configuration.serverURL }

  /// Adds a delegate of all downloads. It is called before each download's own delegate. The service holds it weakly.
  public func addDelegate(_ delegate: any DownloadServiceDelegate) {
    delegates.removeAll { $0.delegate == nil }
    delegates.append(WeakDelegate(delegate: delegate))
  }

  /// The delegates of all downloads.
  private var listeners: [any DownloadServiceDelegate] { delegates.compactMap(\.delegate) }

  private func tellAll(_ tell: (any DownloadServiceDelegate) -> Void) { listeners.forEach(tell) }

  /// Registers preparation for a request, such as reading a file, as an activity in the ledger of work in progress.
  public func begin(_ name: String) -> Activity { ledger.begin(name) }

  /// Starts a task that leads to requests, and registers the task as one activity in the ledger of work in progress.
  @discardableResult
  public func task(_ name: String, _ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    ledger.task(name, body)
  }

  /// Changes the address and token of later requests, which don't join requests in progress.
  public func use(_ configuration: Configuration) {
    self.configuration = configuration
    for exchange in exchanges { exchange.isJoinable = false }
  }

  /// Starts `request`, or joins an equal one in progress. Calls the delegate's `didStart` before returning.
  @discardableResult
  public func start<Answer>(_ request: Request<Answer>, delegate: any DownloadServiceDelegate) -> DownloadIdentifier {
    pruneDead()
    DownloadService.identifierCount += 1
    let identifier = DownloadIdentifier(number: DownloadService.identifierCount)
    if let joined = joinableExchange(for: request) {
      joined.add(delegate, as: identifier)
      if joined.priority < request.priority {
        joined.priority = request.priority
        queue.letGo()
      }
    } else {
      let exchange = AnswerExchange(request, activity: ledger.begin(request.name))
      exchange.add(delegate, as: identifier)
      exchanges.append(exchange)
      let task = Activity.$current.withValue(exchange.activity) { Task { await run(exchange) } }
      exchange.task = task
      tasks[ObjectIdentifier(exchange)] = task
    }
    tellAll { $0.downloadService(self, didStart: identifier) }
    delegate.downloadService(self, didStart: identifier)
    return identifier
  }

  /// Cancels a download. Calls only the delegate's `didFinish`, before returning. Other downloads that
  /// share the response are unaffected. If no other download does, the request ends, even if it is a write. Does
  /// nothing if the download has finished.
  public func cancel(_ identifier: DownloadIdentifier) {
    guard let exchange = exchanges.first(where: { $0.identifiers.contains(identifier) }) else { return }
    let owner = exchange.delegate(for: identifier)
    exchange.remove(identifier)
    if exchange.isAbandoned { end(exchange) }
    tellAll { $0.downloadService(self, didFinish: identifier) }
    owner?.downloadService(self, didFinish: identifier)
  }

  /// Cancels all downloads, calls `didFinish` on each delegate, closes connections and stops threads. A later request
  /// creates a new transport.
  public func shutDown() async {
    for identifier in exchanges.flatMap(\.identifiers) { cancel(identifier) }
    for exchange in exchanges { end(exchange) }
    for task in tasks.values { await task.value }
    await transport.shutDown()
  }
}

// MARK: Exchanges

extension DownloadService {
  private func joinableExchange<Answer>(for request: Request<Answer>) -> AnswerExchange<Answer>? {
    guard !request.isWrite, request.mayJoin else { return nil }
    for exchange in exchanges where exchange.isJoinable && exchange.place == request.place {
      if let exchange = exchange as? AnswerExchange<Answer> { return exchange }
    }
    return nil
  }

  private func run<Answer>(_ exchange: AnswerExchange<Answer>) async {
    do throws(DownloadError) {
      guard await queue.enter(exchange) else { throw .cancelled }
      defer { queue.leave(exchange) }
      let answer = try await fetch(exchange.request, for: exchange)
      endSharing(after: exchange)
      exchange.forEachDelegate(after: listeners) {
        $0.downloadService(self, didDownload: answer, of: exchange.request, for: $1)
      }
    } catch {
      fail(exchange, with: error)
    }
    exchange.isJoinable = false
    for identifier in exchange.identifiers {
      let owner = exchange.delegate(for: identifier)
      exchange.remove(identifier)
      tellAll { $0.downloadService(self, didFinish: identifier) }
      owner?.downloadService(self, didFinish: identifier)
    }
    exchanges.removeAll { $0 === exchange }
    tasks[ObjectIdentifier(exchange)] = nil
    exchange.activity.end()
  }

  /// Sends `request`, or its fallback if the server doesn't support it. If the server supports neither, throws the
  /// first error, because it is more informative. Instead of an ambiguous error, throws a more specific one (see
  /// ``checked(_:of:sentWith:for:)``).
  private func fetch<Answer>(
    _ request: Request<Answer>, for exchange: Exchange
  ) async throws(DownloadError) -> Answer {
    let configuration = configuration
    do throws(DownloadError) {
      let answer = try await fetchKnown(request, for: exchange)
      refusedToken = nil
      return answer
    } catch {
      let meaning = await checked(error, of: request, sentWith: configuration, for: exchange)
      throw request.ability.flatMap(meaning.lacking) ?? meaning
    }
  }

  private func fetchKnown<Answer>(
    _ request: Request<Answer>, for exchange: Exchange
  ) async throws(DownloadError) -> Answer {
    let first: DownloadError
    do throws(DownloadError) {
      return try await callPage(request, for: exchange)
    } catch {
      first = error
    }
    guard let other = request.fallback(first) else { throw first }
    do throws(DownloadError) {
      return try await call(other, for: exchange)
    } catch {
      throw error.mayBeOfUnknownCall ? first : error
    }
  }

  /// Stops later requests from joining an exchange that has its result. If the exchange is a write, later requests
  /// can't join any read in progress either, because its response may show the state before the write.
  private func endSharing(after exchange: Exchange) {
    exchange.isJoinable = false
    if exchange.isWrite { exchanges.forEach { $0.isJoinable = false } }
  }

  private func fail(_ exchange: Exchange, with error: DownloadError) {
    endSharing(after: exchange)
    exchange.forEachDelegate(after: listeners) { delegate, identifier in
      tell(delegate, of: error, for: identifier, in: exchange)
    }
  }

  private func tell(
    _ delegate: any DownloadServiceDelegate, of error: DownloadError, for identifier: DownloadIdentifier,
    in exchange: Exchange
  ) {
    if error.needsSignIn {
      delegate.downloadService(self, needsAuthenticationFor: identifier)
      guard exchange.delegate(for: identifier) != nil else { return }
    }
    delegate.downloadService(self, didFailWith: error, for: identifier)
  }

  private func received(_ bytes: Int, of expected: Int?, in exchange: Exchange) {
    pruneDead()
    exchange.forEachDelegate(after: listeners) { delegate, identifier in
      delegate.downloadService(self, didReceive: bytes, of: expected, for: identifier)
    }
  }

  private func sent(_ bytes: Int, of total: Int, in exchange: Exchange) {
    exchange.forEachDelegate(after: listeners) { delegate, identifier in
      delegate.downloadService(self, didSend: bytes, of: total, for: identifier)
    }
  }

  private func pruneDead() {
    for exchange in exchanges {
      for identifier in exchange.removeDead() { tellAll { $0.downloadService(self, didFinish: identifier) } }
      if exchange.isAbandoned, !exchange.isWrite { end(exchange) }
    }
  }

  private func end(_ exchange: Exchange) {
    exchange.isJoinable = false
    queue.drop(exchange)
    exchange.task?.cancel()
    exchanges.removeAll { $0 === exchange }
  }
}

// MARK: One call

extension DownloadService {
  /// Sends one API call and follows its redirects.
  func call<Answer>(_ request: Request<Answer>, for exchange: Exchange) async throws(DownloadError) -> Answer {
    // Copy the configuration, which may change during a redirect: one server's token must not be sent to another.
    let configuration = configuration
    guard let server = Origin(configuration.serverURL) else {
      throw .transport(.unknownHost(SafeText.line(configuration.serverURL)))
    }
    var target = try target(of: request, on: server)
    // A request that has left the server's origin stays anonymous, even if it is redirected back.
    var isAtHome = true
    for _ in 0...DownloadService.maximumRedirects {
      let token = isAtHome ? configuration.token : nil
      let relay = ProgressRelay { [weak self] bytes, expected in self?.received(bytes, of: expected, in: exchange) }
      var message = TransportRequest(
        head: head(for: request, at: target, token: token), body: request.body,
        didReceive: { relay.report($0, of: $1) })
      message.file = request.file
      message.keepsStart = request.paging != nil
      if let timeout = request.timeout { message.timeout = timeout }
      let sending = ProgressRelay { [weak self] bytes, _ in self?.sent(bytes, of: request.bodyCount, in: exchange) }
      if request.tellsSending { message.didSend = { sending.report($0, of: nil) } }
      let mapping = StatusMapping(
        host: target.origin.authority, isSignedIn: isAtHome && configuration.isSignedIn,
        server: configuration.serverURL, isOnSocket: configuration.isOnSocket)
      guard !Task.isCancelled else { throw .transport(.cancelled) }
      if let clock, !request.isWrite, isAtHome, let rest = allowance.rest(at: clock.uptime) {
        throw .rateLimited(host: target.origin.authority, retryAfter: rest)
      }
      let (outcome, date, word) = await DownloadService.perform(
        message, for: request, through: transport, mapping: mapping)
      if let clock, let word, !request.isWrite, isAtHome { allowance.note(word, at: clock.uptime) }
      sending.flush()
      relay.flush()
      if let date, isAtHome {
        exchange.forEachDelegate(after: listeners) { $0.downloadService(self, didLearn: date, for: $1) }
      }
      pruneDead()
      guard !Task.isCancelled else { throw .transport(.cancelled) }

      switch outcome {
      case .answer(let answer): return isAtHome ? answer : request.withoutTokenHosts(answer)
      case .cut(let start):
        exchange.cut = start
        throw .transport(.tooLarge(host: target.origin.authority))
      case .failure(let error): throw error
      case .redirect(let location):
        guard !request.isWrite, let location, let next = Target(resolving: location, from: target),
          !(target.origin.scheme == "https" && next.origin.scheme == "http")
        else { throw .badRedirect(host: target.origin.authority) }
        guard !(request.staysOnHost || configuration.isOnSocket) || next.origin.host == server.host else {
          throw .badRedirect(host: target.origin.authority)
        }
        if next.origin != target.origin { ask(exchange, aboutLeavingFor: next, from: target) }
        guard !exchange.isAbandoned else { throw .transport(.cancelled) }
        isAtHome = isAtHome && next.origin == server
        // Let no delegate join from now on: it wouldn't have been asked for permission to follow the redirect.
        exchange.isJoinable = false
        exchange.forEachDelegate(after: listeners) { delegate, identifier in
          delegate.downloadService(self, didFollowRedirectTo: next.url, for: identifier)
        }
        target = next
      }
    }
    throw .badRedirect(host: target.origin.authority)
  }

  private func target<Answer>(of request: Request<Answer>, on server: Origin) throws(DownloadError) -> Target {
    let signedInPlace = configuration.isSignedIn ? request.signedInPlace : nil
    switch signedInPlace ?? request.place {
    case .path(let path): return Target(origin: server, path: path)
    case .cursor(let cursor):
      // A server behind a proxy may return a cursor whose scheme or port isn't the public one. Only the path of the
      // cursor is used, and only at the address that the user signed in at. A server on a socket returns cursors at its
      // public address, if it has one.
      guard let target = Target(resolving: cursor.url, from: Target(origin: server, path: "/")),
        target.origin.host == server.host || configuration.isOnSocket
      else { throw .unreadable(host: server.authority, reason: "its next page is on a different server") }
      return Target(origin: server, path: target.path)
    }
  }

  private func head<Answer>(for request: Request<Answer>, at target: Target, token: String?) -> HTTPRequest {
    var head = HTTPRequest(
      method: request.method, scheme: target.origin.scheme, authority: target.origin.authority, path: target.path,
      headerFields: request.fields)
    head.headerFields[.userAgent] = DownloadService.userAgent
    head.headerFields[.accept] = "application/json"
    if let token { head.headerFields[.authorization] = "Bearer \(token)" }
    return head
  }

  /// Requests permission from each delegate to follow the redirect. The download fails for the delegates that refuse,
  /// and continues for the others.
  private func ask(_ exchange: Exchange, aboutLeavingFor next: Target, from target: Target) {
    exchange.forEachDelegate(after: []) { owner, identifier in
      guard !owner.downloadService(self, shouldFollowRedirectTo: next.url, for: identifier),
        exchange.delegate(for: identifier) != nil
      else { return }
      let error = DownloadError.badRedirect(host: target.origin.authority)
      tellAll { tell($0, of: error, for: identifier, in: exchange) }
      tell(owner, of: error, for: identifier, in: exchange)
      guard exchange.delegate(for: identifier) != nil else { return }
      exchange.remove(identifier)
      tellAll { $0.downloadService(self, didFinish: identifier) }
      owner.downloadService(self, didFinish: identifier)
    }
  }

  /// Sends a message and decodes its response off the main actor. Also returns the server's time and rate limit, if
  /// reported.
  @concurrent
  nonisolated private static func perform<Answer>(
    _ message: TransportRequest, for request: Request<Answer>, through transport: any Transport, mapping: StatusMapping
  ) async -> (Outcome<Answer>, Date?, RequestAllowance.Word?) {
    do throws(TransportError) {
      let response = try await transport.send(message)
      let date = response.head.headerFields[.date].flatMap(RetryAfter.httpDate)
      return (mapping.outcome(of: response, to: request), date, RequestAllowance.Word(response.head))
    } catch {
      return (.failure(.transport(error)), nil, nil)
    }
  }
}

private struct WeakDelegate {
  weak var delegate: (any DownloadServiceDelegate)?
}
