import FoundationEssentials
import HTTPTypes
import QwinkleModel
public import QwinkleWire
import SafeText
public import Timekeeping

/// Fetches from one server, as one account or signed out, and decodes the answers. The only part that knows about the
/// network and JSON. On the main actor; the work is done elsewhere.
///
/// For each download its delegate hears, in this order: did start (before ``start(_:delegate:)`` returns), did receive,
/// redirects, did download or did fail (after needs authentication, if that is why), did finish. All of it on the main
/// actor.
@MainActor
public final class DownloadService {
  /// The server, and the account to use there.
  public struct Configuration: Sendable {
    /// `https://host[:port]`, without a path.
    public var serverURL: String
    /// The bearer token; nil if signed out.
    public var token: String?

    public init(serverURL: String, token: String? = nil) {
      self.serverURL = serverURL
      self.token = token
    }
  }

  /// Identifies this program: some servers refuse requests without it.
  nonisolated public static let userAgent = "Qwinkle/0.1 (terminal client for the Mastodon API)"

  /// Maximum number of redirects that a request follows.
  private static let maximumRedirects = 5
  /// Shared by all services, so that identifiers are unique in the whole program.
  private static var identifierCount = 0

  public private(set) var configuration: Configuration
  private let ledger: ActivityLedger
  private let transport: LazyTransport
  private let queue = RequestQueue()
  /// What the server still allows to be read.
  private var allowance = RequestAllowance()
  /// The last token that the server refused, until it answers a request.
  var refusedToken: String?
  /// Tells how long a server's limit still holds; without one it is not kept.
  public var clock: (any ProgramClock)?
  private var exchanges: [Exchange] = []
  /// Includes those without delegates, until they have really ended.
  private var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]

  /// A service for `configuration.serverURL` that sends through `transport`. The transport is made when first used, off
  /// the main actor, so that making a service costs nothing at launch.
  public init(
    configuration: Configuration, ledger: ActivityLedger, transport: @escaping @Sendable () -> any Transport
  ) {
    self.configuration = configuration
    self.ledger = ledger
    self.transport = LazyTransport(transport)
  }

  /// The server's URL: `https://host[:port]`.
  public var serverURL: String { configuration.serverURL }

  /// Registers work that leads to a request, such as reading a file.
  public func begin(_ name: String) -> Activity { ledger.begin(name) }

  /// Starts a task that leads to requests as one piece of work.
  @discardableResult
  public func task(_ name: String, _ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    ledger.task(name, body)
  }

  /// Sends what is started from now on to another address, or with another token.
  public func use(_ configuration: Configuration) {
    self.configuration = configuration
    for exchange in exchanges { exchange.isJoinable = false }
  }

  /// Starts `request`, or joins an equal one under way. `delegate` hears did start before this returns.
  @discardableResult
  public func start<Answer>(_ request: Request<Answer>, delegate: any DownloadServiceDelegate) -> DownloadIdentifier {
    pruneDead()
    DownloadService.identifierCount += 1
    let identifier = DownloadIdentifier(number: DownloadService.identifierCount)
    if let joined = joinableExchange(for: request) {
      joined.add(delegate, as: identifier, for: request)
      if joined.priority < request.priority {
        joined.priority = request.priority
        queue.letGo()
      }
    } else {
      let exchange = AnswerExchange(request, activity: ledger.begin(request.name))
      exchange.add(delegate, as: identifier, for: request)
      exchanges.append(exchange)
      let task = Activity.$current.withValue(exchange.activity) { Task { await run(exchange) } }
      exchange.task = task
      tasks[ObjectIdentifier(exchange)] = task
    }
    delegate.downloadService(self, didStart: identifier)
    return identifier
  }

  /// Cancels a download. Its delegate hears `didFinish` before this returns and nothing else; others that wait for the
  /// same answer still get it. Does nothing if the download has finished.
  public func cancel(_ identifier: DownloadIdentifier) {
    guard let exchange = exchanges.first(where: { $0.identifiers.contains(identifier) }) else { return }
    let delegate = exchange.delegate(for: identifier)
    exchange.remove(identifier)
    if exchange.isAbandoned { end(exchange) }
    delegate?.downloadService(self, didFinish: identifier)
  }

  /// Cancels everything under way, with `didFinish` to each delegate, and closes connections and threads. Starting
  /// something afterwards makes a new transport.
  public func shutDown() async {
    for identifier in exchanges.flatMap(\.identifiers) { cancel(identifier) }
    for exchange in exchanges { end(exchange) }
    for task in tasks.values { await task.value }
    await transport.shutDown()
  }
}

// MARK: Exchanges

extension DownloadService {
  /// The exchange under way that asks for the same.
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
      exchange.forEachRequest { $0.downloadService(self, didDownload: answer, of: $1, for: $2) }
    } catch {
      fail(exchange, with: error)
    }
    exchange.isJoinable = false
    exchange.forEachDelegate { delegate, identifier in
      exchange.remove(identifier)
      delegate.downloadService(self, didFinish: identifier)
    }
    exchanges.removeAll { $0 === exchange }
    tasks[ObjectIdentifier(exchange)] = nil
    exchange.activity.end()
  }

  /// Sends a request, and its fallback if the server doesn't know the first. If it knows neither, the first error tells
  /// more.
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

  /// Has nobody join an exchange that ends. After a write, what is being read may be from before it.
  private func endSharing(after exchange: Exchange) {
    exchange.isJoinable = false
    if exchange.isWrite { exchanges.forEach { $0.isJoinable = false } }
  }

  private func fail(_ exchange: Exchange, with error: DownloadError) {
    endSharing(after: exchange)
    exchange.forEachDelegate { delegate, identifier in
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
    exchange.forEachDelegate { delegate, identifier in
      delegate.downloadService(self, didReceive: bytes, of: expected, for: identifier)
    }
  }

  private func sent(_ bytes: Int, of total: Int, in exchange: Exchange) {
    exchange.forEachDelegate { delegate, identifier in
      delegate.downloadService(self, didSend: bytes, of: total, for: identifier)
    }
  }

  private func pruneDead() {
    for exchange in exchanges {
      exchange.removeDead()
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
  /// One call of the API, with the redirects it leads to.
  func call<Answer>(_ request: Request<Answer>, for exchange: Exchange) async throws(DownloadError) -> Answer {
    // The service may be pointed at another server during a redirect, whose token must not go to this one.
    let configuration = configuration
    guard let server = Origin(configuration.serverURL) else {
      throw .transport(.unknownHost(SafeText.line(configuration.serverURL)))
    }
    var target = try target(of: request, on: server)
    // A request that has left the server's origin stays anonymous, wherever it is redirected next.
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
        host: target.origin.authority, isSignedIn: token != nil, server: configuration.serverURL)
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
        exchange.forEachDelegate { $0.downloadService(self, didLearn: date, for: $1) }
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
        if next.origin != target.origin { ask(exchange, aboutLeavingFor: next, from: target) }
        guard !exchange.isAbandoned else { throw .transport(.cancelled) }
        isAtHome = isAtHome && next.origin == server
        // A delegate that joined later would not have been asked.
        exchange.isJoinable = false
        exchange.forEachDelegate { delegate, identifier in
          delegate.downloadService(self, didFollowRedirectTo: next.url, for: identifier)
        }
        target = next
      }
    }
    throw .badRedirect(host: target.origin.authority)
  }

  private func target<Answer>(of request: Request<Answer>, on server: Origin) throws(DownloadError) -> Target {
    let signedInPlace = configuration.token == nil ? nil : request.signedInPlace
    switch signedInPlace ?? request.place {
    case .path(let path): return Target(origin: server, path: path)
    case .cursor(let cursor):
      // A server behind a proxy may give a scheme or port that isn't the public one. Only the path of its cursor is
      // used, and only at the address that the user signed in at.
      guard let target = Target(resolving: cursor.url, from: Target(origin: server, path: "/")),
        target.origin.host == server.host
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

  /// Asks all waiting delegates whether to follow the redirect. For one that refuses the download fails; the others go
  /// on.
  private func ask(_ exchange: Exchange, aboutLeavingFor next: Target, from target: Target) {
    exchange.forEachDelegate { delegate, identifier in
      guard !delegate.downloadService(self, shouldFollowRedirectTo: next.url, for: identifier),
        exchange.delegate(for: identifier) != nil
      else { return }
      tell(delegate, of: .badRedirect(host: target.origin.authority), for: identifier, in: exchange)
      guard exchange.delegate(for: identifier) != nil else { return }
      exchange.remove(identifier)
      delegate.downloadService(self, didFinish: identifier)
    }
  }

  /// Sends, waits and decodes, off the main actor. Returns the server's time, too, and what it still allows, if it says
  /// it.
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
