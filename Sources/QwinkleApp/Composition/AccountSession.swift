import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleResources
import QwinkleServer
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// The server, the account and the folder for its data: what every command needs first.
@MainActor
struct AccountSession {
  /// What stands between a session and its server: wraps the transports.
  struct Way: Sendable {
    var requests: @Sendable (any Transport) -> any Transport = { $0 }
    var streams: @Sendable (any StreamTransport) -> any StreamTransport = { $0 }
  }

  /// The account of a session whose name doesn't depend on a token.
  enum Owner {
    case kept(KeptAccount)
    /// The owner of the embedded service.
    case local

    /// Name of the account's folder.
    var folder: String {
      switch self {
      case .kept(let account): account.name
      case .local: SessionChoice.local
      }
    }
  }

  /// Name of the account's folder.
  let accountFolder: String
  /// The account and its server, for the user.
  let words: String
  let isSignedIn: Bool
  let downloads: DownloadService
  /// Fetches pictures; nil where there are none.
  var media: MediaService?
  /// The server's streams; nil where there are none, as in a recording.
  var streaming: StreamingService?
  /// Makes what carries requests to other servers, signed out; nil where none is asked.
  var others: (@Sendable () -> any Transport)?
  /// The embedded service, if the session uses it.
  let service: Service?
  /// A warning to show first; nil if there is none.
  var warning: String?

  /// Begins a session as ``begin(_:paths:clock:ledger:embedded:way:)`` does, and opens its embedded service.
  static func open(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws(AppError) -> AccountSession {
    let session = try begin(choice, paths: paths, clock: clock, ledger: ledger)
    try session.ready()
    return session
  }

  /// The same for an account that was looked up before.
  static func open(
    as owner: Owner, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws(AppError) -> AccountSession {
    let session = try begin(as: owner, paths: paths, clock: clock, ledger: ledger, EmbeddedStart(), Way())
    try session.ready()
    return session
  }

  /// Opens the embedded service, if the session uses it. An earlier request opens it too.
  ///
  /// - Throws: ``AppError`` if it cannot be opened.
  func ready() throws(AppError) {
    do {
      try service?.open()
    } catch {
      throw AppError(error)
    }
  }

  /// Like ``ready()``, without blocking the program.
  func becomeReady() async throws(AppError) {
    do {
      try await service?.becomeReady()
    } catch {
      throw AppError(error)
    }
  }

  /// A session for `choice`: a server, an account or, if it names neither, the default account. Without a default
  /// account, the session uses the embedded service, which is not open yet.
  ///
  /// - Parameter way: wraps the transports, for example to record what passes through them.
  static func begin(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger,
    embedded start: EmbeddedStart = EmbeddedStart(), way: Way = Way()
  ) throws(AppError) -> AccountSession {
    if let server = choice.server {
      guard choice.account == nil else {
        throw .usage("Use either --server or --as: an account already names its server.")
      }
      return try session(with: ServerAddress(typed: server), choice, paths: paths, clock: clock, ledger: ledger, way)
    }
    guard !choice.takesTokenFromStandardInput else {
      throw .usage(
        "--token-stdin needs --server URL: accounts and the local timeline take no token.")
    }
    let owner = try owner(named: choice.account, paths: paths)
    return try begin(as: owner, paths: paths, clock: clock, ledger: ledger, start, way)
  }

  private static func begin(
    as owner: Owner, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, _ start: EmbeddedStart, _ way: Way
  ) throws(AppError) -> AccountSession {
    switch owner {
    case .kept(let account):
      try session(as: account, of: AccountBook(paths: paths), clock: clock, ledger: ledger, way)
    case .local: try embedded(paths: paths, clock: clock, ledger: ledger, start, way)
    }
  }

  /// The account that `choice` names, without requesting its token. Nil if the account depends on the token.
  static func owner(of choice: SessionChoice, paths: Paths) throws(AppError) -> Owner? {
    guard choice.server == nil, !choice.takesTokenFromStandardInput else { return nil }
    return try owner(named: choice.account, paths: paths)
  }

  private static func owner(named name: String?, paths: Paths) throws(AppError) -> Owner {
    try AccountBook(paths: paths).account(named: name).map { Owner.kept($0) } ?? .local
  }

  /// A session of a signed-in account, without blocking the program. A command that knows its token runs in `place`.
  static func begin(
    as account: KeptAccount, in book: AccountBook, place: HelperProgram.Place, clock: any ProgramClock,
    ledger: ActivityLedger, way: Way
  ) async throws(AppError) -> AccountSession {
    let address = try ServerAddress(typed: account.serverURL)
    let token = try await book.token(of: account, in: place)
    return remote(address, token: token, folder: account.name, words: account.words, clock: clock, ledger: ledger, way)
  }

  /// The transport for requests to servers.
  nonisolated static func transport() -> HTTPTransport { transport(refusesPrivateAddresses: false) }

  /// The same; for addresses that strangers choose it must refuse private addresses.
  nonisolated private static func transport(refusesPrivateAddresses: Bool) -> HTTPTransport {
    let environment = ProcessInfo.processInfo.environment
    return HTTPTransport(
      trustRoots: environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 },
      proxies: ProxyRules(environment: environment), refusesPrivateAddresses: refusesPrivateAddresses)
  }

  /// What fetches pictures for an account at `server`, whose own come through `own`.
  static func media(server: String, way: Way, own: @escaping @Sendable () -> any Transport) -> MediaService {
    MediaService(
      rules: MediaRules(serverURL: server), own: own,
      others: { way.requests(transport(refusesPrivateAddresses: true)) },
      proxies: { ProxyRules(environment: ProcessInfo.processInfo.environment) })
  }

  /// A session with a server that `transport` replaces.
  static func replayed(
    server: String, isSignedIn: Bool, hasOthers: Bool, ledger: ActivityLedger,
    transport: @escaping @Sendable () -> any Transport
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(typed: server)
    var session = remote(
      address, token: isSignedIn ? Secret("replayed") : nil, folder: "replayed@\(address.host)", words: address.host,
      clock: nil, ledger: ledger, Way(requests: { _ in transport() }))
    // A recording has no pictures.
    session.media = nil
    session.others = hasOthers ? transport : nil
    return session
  }

  /// Asks other servers; nil where none is asked.
  func otherServers(clock: any ProgramClock, ledger: ActivityLedger) -> OtherServers? {
    others.map { transport in
      OtherServers(clock: clock) { server in
        DownloadService(configuration: .init(serverURL: server), ledger: ledger, transport: transport)
      }
    }
  }

  /// Closes the embedded service. Call before the process ends.
  func close() {
    service?.close()
  }

  /// A session with a server for this run only: signed out, or with a token whose account is unknown.
  private static func session(
    with address: ServerAddress, _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger,
    _ way: Way
  ) throws(AppError) -> AccountSession {
    let token = try TokenSource.token(
      fromStandardInput: choice.takesTokenFromStandardInput,
      configured: UserConfig.tokenCommand(of: nil, paths))
    var session = remote(
      address, token: token,
      folder: token.map { "token-\(TokenFingerprint.of($0.value))@\(address.host)" } ?? "signed-out@\(address.host)",
      words: address.host, clock: clock, ledger: ledger, way)
    if token != nil { session.warning = address.warningAboutToken }
    return session
  }

  private static func session(
    as account: KeptAccount, of book: AccountBook, clock: any ProgramClock, ledger: ActivityLedger,
    _ way: Way
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(typed: account.serverURL)
    let token = try book.token(of: account)
    return remote(address, token: token, folder: account.name, words: account.words, clock: clock, ledger: ledger, way)
  }

  private static func remote(
    _ address: ServerAddress, token: Secret?, folder: String, words: String, clock: (any ProgramClock)?,
    ledger: ActivityLedger, _ way: Way
  ) -> AccountSession {
    // A crash must not leave the token in a file.
    if token != nil { ProcessControl.forbidCoreDumps() }
    return AccountSession(
      accountFolder: folder, words: words, isSignedIn: token != nil,
      downloads: DownloadService(
        configuration: .init(serverURL: address.url, token: token?.value), ledger: ledger,
        transport: { way.requests(transport()) }),
      media: media(server: address.url, way: way) { way.requests(transport()) },
      streaming: clock.map { clock in
        StreamingService(
          configuration: .init(serverURL: address.url, token: token?.value), clock: clock, ledger: ledger,
          transport: LazyStreams { way.streams(transport()) })
      }, others: { way.requests(transport(refusesPrivateAddresses: true)) },
      service: nil)
  }

  private static func embedded(
    paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, _ start: EmbeddedStart,
    _ way: Way
  ) throws(AppError) -> AccountSession {
    do {
      let service = try Service(
        directory: paths.data, welcome: start.welcome, owner: start.owner, clock: clock, blurhashes: BlurhashMaker())
      return AccountSession(
        accountFolder: SessionChoice.local, words: "\(start.owner)@local", isSignedIn: start.isSignedIn,
        downloads: DownloadService(
          configuration: .init(serverURL: "http://local", token: start.isSignedIn ? service.ownerToken : nil),
          ledger: ledger,
          transport: { way.requests(service.transport()) }),
        media: media(server: "http://local", way: way) { way.requests(service.transport()) },
        streaming: start.isStreamed
          ? StreamingService(
            configuration: .init(
              serverURL: "http://local", token: start.isSignedIn ? service.ownerToken : nil, isInProcess: true),
            clock: clock, ledger: ledger, transport: way.streams(service.streams())) : nil,
        service: service)
    } catch {
      throw AppError(error)
    }
  }
}

/// How the embedded service starts.
struct EmbeddedStart {
  /// Name of its owner.
  var owner = NSUserName()
  /// The welcome of a new service.
  var welcome = QwinkleResources.welcome
  /// Whether the program is signed in as its owner.
  var isSignedIn = true
  /// Whether it streams what happens.
  var isStreamed = true
}
