import Foundation
import Hashing
import QwinkleAccount
import QwinkleModel
import QwinkleResources
import QwinkleServer
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// The services that connect the program to one account's server, and the folder of the account. Every command that
/// needs a server works on a session.
@MainActor
struct AccountSession {
  /// Wraps the transports between a session and its server.
  struct TransportWrappers: Sendable {
    var requests: @Sendable (any Transport) -> any Transport = { $0 }
    var streams: @Sendable (any StreamTransport) -> any StreamTransport = { $0 }
  }

  /// An account that can be identified without requesting its token.
  enum Owner {
    case saved(SavedAccount)
    /// The Unix user, on the timeline that the users of this host share.
    case shared(SharedTimeline)
    /// The owner of the embedded server.
    case local

    var folder: String {
      switch self {
      case .saved(let account): account.name
      case .shared(let timeline): timeline.folder
      case .local: SessionChoice.local
      }
    }
  }

  /// Name of the account's folder.
  let accountFolder: String
  /// The display name of the account, or the server's host if the account is unknown.
  let words: String
  let isSignedIn: Bool
  let downloads: DownloadService
  /// Fetches pictures. Nil in a replay, since recordings have no pictures.
  var media: MediaService?
  /// The server's streams. Nil in a replay without streaming.
  var streaming: StreamingService?
  /// Creates the transport for requests to other servers, which are sent without a token. Nil if the session sends no
  /// such requests.
  var others: (@Sendable () -> any Transport)?
  /// The embedded server, if the session uses it.
  let service: Service?
  /// The shared timeline, if the session uses it.
  var shared: SharedTimeline?
  /// Whether the screen begins with Home if nothing is restored: on a server, but not on the embedded one and the
  /// shared timeline, where the user may follow no one.
  var opensHome = false
  /// Whether the first start of the screen on this account fetches the sections in advance. False on the embedded
  /// server and the shared timeline, which need no network, and in a replay, whose recording has only the requests of
  /// the recorded session.
  var fetchesAhead = false
  /// A warning to show to the user when the session begins, if any.
  var warning: String?

  /// Begins a session as ``begin(_:paths:clock:ledger:embedded:wrappers:)`` does, and opens the embedded server if the
  /// session uses it.
  static func open(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws -> AccountSession {
    let session = try begin(choice, paths: paths, clock: clock, ledger: ledger)
    try session.ready()
    return session
  }

  /// Begins a session of a known account, and opens the embedded server if the session uses it.
  static func open(
    as owner: Owner, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws -> AccountSession {
    let session = try begin(as: owner, paths: paths, clock: clock, ledger: ledger, EmbeddedStart(), TransportWrappers())
    try session.ready()
    return session
  }

  /// Opens the embedded server, if the session uses it. Without this call, the first request opens it.
  func ready() throws(ServiceError) { try service?.open() }

  /// Like ``ready()``, but doesn't block the program.
  func becomeReady() async throws(ServiceError) { try await service?.becomeReady() }

  /// Returns a session with the server or the account that `choice` names, otherwise with the default account. If the
  /// session uses the embedded server, the server isn't open yet.
  ///
  /// - Parameter wrappers: Wraps the transports, for example to record the traffic.
  static func begin(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger,
    embedded start: EmbeddedStart = EmbeddedStart(), wrappers: TransportWrappers = TransportWrappers()
  ) throws -> AccountSession {
    if let server = choice.server {
      guard choice.account == nil else {
        throw AppError.usage("Use either --server or --as: an account already names its server.")
      }
      guard choice.socket == nil else { throw AppError.usage("Use either --server or --socket.") }
      return try session(
        with: ServerAddress(typed: server), choice, paths: paths, clock: clock, ledger: ledger, wrappers)
    }
    guard !choice.takesTokenFromStandardInput else {
      throw AppError.usage(
        "--token-stdin needs --server URL: accounts, the shared and the local timeline take no token.")
    }
    let owner = try knownOwner(of: choice, paths: paths)
    return try begin(as: owner, paths: paths, clock: clock, ledger: ledger, start, wrappers)
  }

  private static func begin(
    as owner: Owner, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, _ start: EmbeddedStart,
    _ wrappers: TransportWrappers
  ) throws -> AccountSession {
    switch owner {
    case .saved(let account):
      try session(as: account, of: AccountBook(paths: paths), clock: clock, ledger: ledger, wrappers)
    case .shared(let timeline): try session(on: timeline, clock: clock, ledger: ledger, wrappers)
    case .local: try embedded(paths: paths, clock: clock, ledger: ledger, start, wrappers)
    }
  }

  /// Returns the account that `choice` names, without requesting its token. Returns nil if only a token could identify
  /// the account.
  nonisolated static func owner(of choice: SessionChoice, paths: Paths) throws(AppError) -> Owner? {
    guard choice.server == nil, !choice.takesTokenFromStandardInput else { return nil }
    return try knownOwner(of: choice, paths: paths)
  }

  /// Returns the account that an option names, otherwise the saved default account, otherwise the shared timeline if
  /// one was found, otherwise the embedded server.
  nonisolated private static func knownOwner(of choice: SessionChoice, paths: Paths) throws(AppError) -> Owner {
    if let socket = choice.socket {
      guard choice.account == nil || choice.account == SharedTimeline.name else {
        throw .usage("Use either --socket or --as: a socket already names its account.")
      }
      return .shared(try SharedTimeline.named(socket, paths))
    }
    if choice.account == SharedTimeline.name { return .shared(try SharedTimeline.usual(paths)) }
    if let account = try AccountBook(paths: paths).account(named: choice.account) { return .saved(account) }
    if choice.account == nil, let timeline = try SharedTimeline.found(paths) { return .shared(timeline) }
    return .local
  }

  /// Begins a session of a signed-in account without blocking the program. If a command prints the account's token, the
  /// command runs in `place`.
  static func begin(
    as account: SavedAccount, in book: AccountBook, place: HelperProgram.Place, clock: any ProgramClock,
    ledger: ActivityLedger, wrappers: TransportWrappers
  ) async throws(AppError) -> AccountSession {
    let address = try ServerAddress(typed: account.serverURL)
    let token = try await book.token(of: account, in: place)
    return remote(
      address, token: token, folder: account.name, words: account.words, clock: clock, ledger: ledger, wrappers)
  }

  nonisolated static func transport() -> HTTPTransport { transport(refusesPrivateAddresses: false) }

  /// Creates a transport. Pass true if strangers choose the addresses, as with links in posts.
  nonisolated private static func transport(refusesPrivateAddresses: Bool) -> HTTPTransport {
    let environment = ProcessInfo.processInfo.environment
    return HTTPTransport(
      trustRoots: environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 },
      proxies: ProxyRules(environment: environment), refusesPrivateAddresses: refusesPrivateAddresses)
  }

  /// Creates the picture service of an account at `server`. Pictures on that server are fetched with the transport that
  /// `own` creates.
  static func media(server: String, wrappers: TransportWrappers, own: @escaping @Sendable () -> any Transport)
    -> MediaService
  {
    MediaService(
      rules: MediaRules(serverURL: server), own: own,
      others: { wrappers.requests(transport(refusesPrivateAddresses: true)) },
      proxies: { ProxyRules(environment: ProcessInfo.processInfo.environment) })
  }

  /// Returns a session in which `transport` replaces the server, to replay a recording.
  static func replayed(
    server: String, isSignedIn: Bool, hasOthers: Bool, ledger: ActivityLedger,
    transport: @escaping @Sendable () -> any Transport
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(typed: server)
    var session = remote(
      address, token: isSignedIn ? Secret("replayed") : nil, folder: "replayed@\(address.host)", words: address.host,
      clock: nil, ledger: ledger, TransportWrappers(requests: { _ in transport() }))
    // A recording has no pictures.
    session.media = nil
    session.fetchesAhead = false
    session.others = hasOthers ? transport : nil
    return session
  }

  /// Returns a client for other servers, or nil if the session makes no requests to them.
  func otherServers(clock: any ProgramClock, ledger: ActivityLedger) -> OtherServers? {
    others.map { transport in
      OtherServers(clock: clock) { server in
        DownloadService(configuration: .init(serverURL: server), ledger: ledger, transport: transport)
      }
    }
  }

  /// Closes the embedded server. Call before the process ends.
  func close() {
    service?.close()
  }

  /// Returns a session with a server given on the command line. The session is signed out, or has a token whose account
  /// is unknown.
  private static func session(
    with address: ServerAddress, _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger,
    _ wrappers: TransportWrappers
  ) throws(AppError) -> AccountSession {
    let token = try TokenSource.token(
      fromStandardInput: choice.takesTokenFromStandardInput,
      configured: UserConfig.tokenCommand(of: nil, paths))
    let hash = token.map { SHA256.hexDigest(of: Array("qwinkle account folder:\($0.value)".utf8)).prefix(12) }
    var session = remote(
      address, token: token, folder: (hash.map { "token-\($0)" } ?? "signed-out") + "@\(address.host)",
      words: address.host, clock: clock, ledger: ledger, wrappers)
    if token != nil { session.warning = address.warningAboutToken }
    return session
  }

  private static func session(
    as account: SavedAccount, of book: AccountBook, clock: any ProgramClock, ledger: ActivityLedger,
    _ wrappers: TransportWrappers
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(typed: account.serverURL)
    let token = try book.token(of: account)
    return remote(
      address, token: token, folder: account.name, words: account.words, clock: clock, ledger: ledger, wrappers)
  }

  private static func remote(
    _ address: ServerAddress, token: Secret?, folder: String, words: String, clock: (any ProgramClock)?,
    ledger: ActivityLedger, _ wrappers: TransportWrappers
  ) -> AccountSession {
    // Forbid core dumps, since they would contain the token.
    if token != nil { ProcessControl.forbidCoreDumps() }
    return AccountSession(
      accountFolder: folder, words: words, isSignedIn: token != nil,
      downloads: DownloadService(
        configuration: .init(serverURL: address.url, token: token?.value), ledger: ledger,
        transport: { wrappers.requests(transport()) }),
      media: media(server: address.url, wrappers: wrappers) { wrappers.requests(transport()) },
      streaming: clock.map { clock in
        StreamingService(
          configuration: .init(serverURL: address.url, token: token?.value), clock: clock, ledger: ledger,
          transport: LazyStreams { wrappers.streams(transport()) })
      }, others: { wrappers.requests(transport(refusesPrivateAddresses: true)) },
      service: nil, opensHome: token != nil, fetchesAhead: token != nil)
  }

  /// Returns a session of the Unix user. The server identifies the user by the socket. While the server isn't running,
  /// requests fail and are retried as with any server.
  private static func session(
    on timeline: SharedTimeline, clock: any ProgramClock, ledger: ActivityLedger, _ wrappers: TransportWrappers
  ) throws(AppError) -> AccountSession {
    if let fault = timeline.socket.fault, fault != .missing { throw .failed(timeline.sentence(for: fault)) }
    let url = SharedSocket.serverURL
    let socket = timeline.socket
    return AccountSession(
      accountFolder: timeline.folder, words: SharedTimeline.accountWords, isSignedIn: true,
      downloads: DownloadService(
        configuration: .init(serverURL: url, isOnSocket: true), ledger: ledger,
        transport: { wrappers.requests(HTTPTransport(socket: socket)) }),
      media: media(server: url, wrappers: wrappers) { wrappers.requests(HTTPTransport(socket: socket)) },
      streaming: StreamingService(
        configuration: .init(serverURL: url, token: nil, isOnSocket: true), clock: clock, ledger: ledger,
        transport: LazyStreams { wrappers.streams(HTTPTransport(socket: socket)) }),
      others: { wrappers.requests(transport(refusesPrivateAddresses: true)) }, service: nil, shared: timeline)
  }

  private static func embedded(
    paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, _ start: EmbeddedStart,
    _ wrappers: TransportWrappers
  ) throws(ServiceError) -> AccountSession {
    let service = try Service(
      directory: paths.data, welcome: start.welcome, owner: start.owner, clock: clock,
      blurhash: BlurhashMaker().blurhash(of:))
    return AccountSession(
      accountFolder: SessionChoice.local, words: "\(start.owner)@local", isSignedIn: start.isSignedIn,
      downloads: DownloadService(
        configuration: .init(
          serverURL: AccountConnection.embeddedURL, token: start.isSignedIn ? service.ownerToken : nil),
        ledger: ledger,
        transport: { wrappers.requests(service.transport()) }),
      media: media(server: AccountConnection.embeddedURL, wrappers: wrappers) {
        wrappers.requests(service.transport())
      },
      streaming: start.isStreamed
        ? StreamingService(
          configuration: .init(
            serverURL: AccountConnection.embeddedURL, token: start.isSignedIn ? service.ownerToken : nil,
            isInProcess: true),
          clock: clock, ledger: ledger, transport: wrappers.streams(service.streams())) : nil,
      others: { wrappers.requests(transport(refusesPrivateAddresses: true)) }, service: service)
  }
}

/// Options of the embedded server.
struct EmbeddedStart {
  var owner = NSUserName()
  /// The text with which a new server welcomes its owner.
  var welcome = QwinkleResources.welcome
  /// Whether the session is signed in as the server's owner.
  var isSignedIn = true
  /// Whether the session receives events through streams.
  var isStreamed = true
}
