import Foundation
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
  /// Wraps a transport.
  typealias Way = @Sendable (any Transport) -> any Transport

  /// Name of the account's folder.
  let accountFolder: String
  /// The account and its server, for the user.
  let words: String
  let isSignedIn: Bool
  let downloads: DownloadService
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
  /// - Parameter way: wraps the transport, for example to record what passes through it.
  static func begin(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger,
    embedded start: EmbeddedStart = EmbeddedStart(), way: @escaping Way = { $0 }
  ) throws(AppError) -> AccountSession {
    if let server = choice.server {
      guard choice.account == nil else {
        throw .usage("Use either --server or --as: an account already names its server.")
      }
      return try session(with: ServerAddress(server), choice, ledger: ledger, way)
    }
    guard !choice.takesTokenFromStandardInput else {
      throw .usage(
        "--token-stdin needs --server URL: accounts and the local timeline take no token.")
    }
    let book = AccountBook(paths: paths)
    if let account = try book.account(named: choice.account) {
      return try session(as: account, of: book, ledger: ledger, way)
    }
    return try embedded(paths: paths, clock: clock, ledger: ledger, start, way)
  }

  /// The transport for requests to servers.
  nonisolated static func transport() -> any Transport {
    let environment = ProcessInfo.processInfo.environment
    return HTTPTransport(
      trustRoots: environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 },
      proxies: ProxyRules(environment: environment))
  }

  /// A session with a server that `transport` replaces.
  static func replayed(
    server: String, isSignedIn: Bool, ledger: ActivityLedger, transport: @escaping @Sendable () -> any Transport
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(server)
    return remote(
      address, token: isSignedIn ? Secret("replayed") : nil, folder: "replayed@\(address.host)", words: address.host,
      ledger: ledger, { _ in transport() })
  }

  /// Closes the embedded service. Call before the process ends.
  func close() {
    service?.close()
  }

  /// A session with a server for this run only: signed out, or with a token whose account is unknown.
  private static func session(
    with address: ServerAddress, _ choice: SessionChoice, ledger: ActivityLedger, _ way: @escaping Way
  ) throws(AppError) -> AccountSession {
    let token = try TokenSource.token(fromStandardInput: choice.takesTokenFromStandardInput)
    var session = remote(
      address, token: token,
      folder: token.map { "token-\(TokenFingerprint.of($0.value))@\(address.host)" } ?? "signed-out@\(address.host)",
      words: address.host, ledger: ledger, way)
    if token != nil { session.warning = address.warningAboutToken }
    return session
  }

  private static func session(
    as account: KeptAccount, of book: AccountBook, ledger: ActivityLedger, _ way: @escaping Way
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(account.serverURL)
    let token = try book.token(of: account)
    return remote(address, token: token, folder: account.name, words: account.name, ledger: ledger, way)
  }

  private static func remote(
    _ address: ServerAddress, token: Secret?, folder: String, words: String, ledger: ActivityLedger,
    _ way: @escaping Way
  ) -> AccountSession {
    // A crash must not leave the token in a file.
    if token != nil { ProcessControl.forbidCoreDumps() }
    return AccountSession(
      accountFolder: folder, words: words, isSignedIn: token != nil,
      downloads: DownloadService(
        configuration: .init(serverURL: address.url, token: token?.value), ledger: ledger,
        transport: { way(transport()) }),
      service: nil)
  }

  private static func embedded(
    paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, _ start: EmbeddedStart,
    _ way: @escaping Way
  ) throws(AppError) -> AccountSession {
    do {
      let service = try Service(
        directory: paths.data, welcome: start.welcome, owner: start.owner, clock: clock)
      return AccountSession(
        accountFolder: "local", words: "\(start.owner)@local", isSignedIn: start.isSignedIn,
        downloads: DownloadService(
          configuration: .init(serverURL: "http://local", token: start.isSignedIn ? service.ownerToken : nil),
          ledger: ledger,
          transport: { way(service.transport()) }),
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
}
