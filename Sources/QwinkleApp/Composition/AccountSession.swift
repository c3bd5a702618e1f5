import Foundation
import QwinkleModel
import QwinkleResources
import QwinkleServer
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// Who is asked, as whom, and where what is kept of it lives: what every command needs before it can do anything.
@MainActor
struct AccountSession {
  /// Makes one transport of another.
  typealias Way = @Sendable (any Transport) -> any Transport

  /// The name of the folder of this account.
  let accountFolder: String
  /// Who and where, for people.
  let words: String
  let isSignedIn: Bool
  let downloads: DownloadService
  /// The embedded service, where that is who is asked.
  let service: Service?
  /// A warning to show first; nil if there is none.
  var warning: String?

  /// A session that is ready: what ``begin(_:paths:clock:ledger:embedded:way:)`` gives, with everything open.
  static func open(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws(AppError) -> AccountSession {
    let session = try begin(choice, paths: paths, clock: clock, ledger: ledger)
    try session.ready()
    return session
  }

  /// Opens the embedded service, where that is who is asked. What is asked of it before opens it too.
  ///
  /// - Throws: where it cannot be opened.
  func ready() throws(AppError) {
    do {
      try service?.open()
    } catch {
      throw AppError(error)
    }
  }

  /// As ``ready()``, while the program goes on.
  func becomeReady() async throws(AppError) {
    do {
      try await service?.becomeReady()
    } catch {
      throw AppError(error)
    }
  }

  /// A session with whom `choice` names: a server, an account, or where it names none the default account. The embedded
  /// service is asked where there is no such account; it is not open yet.
  ///
  /// - Parameter way: made of the way to whom is asked, such as one that notes what goes over it.
  static func begin(
    _ choice: SessionChoice, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger,
    embedded start: EmbeddedStart = EmbeddedStart(), way: @escaping Way = { $0 }
  ) throws(AppError) -> AccountSession {
    if let server = choice.server {
      guard choice.account == nil else {
        throw .usage("--server and --as name two things: an account knows its server.")
      }
      return try session(with: ServerAddress(server), choice, ledger: ledger, way)
    }
    guard !choice.takesTokenFromStandardInput else {
      throw .usage(
        "--token-stdin needs --server URL: an account knows its token, and the embedded service who you are.")
    }
    let book = AccountBook(paths: paths)
    if let account = try book.account(named: choice.account) {
      return try session(as: account, of: book, ledger: ledger, way)
    }
    return try embedded(paths: paths, clock: clock, ledger: ledger, start, way)
  }

  /// What carries requests to servers.
  nonisolated static func transport() -> any Transport {
    let environment = ProcessInfo.processInfo.environment
    return HTTPTransport(
      trustRoots: environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 },
      proxies: ProxyRules(environment: environment))
  }

  /// A session with a server that answers in another way than over the network.
  static func replayed(
    server: String, isSignedIn: Bool, ledger: ActivityLedger, transport: @escaping @Sendable () -> any Transport
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(server)
    return remote(
      address, token: isSignedIn ? Secret("replayed") : nil, folder: "replayed@\(address.host)", words: address.host,
      ledger: ledger, { _ in transport() })
  }

  /// Leaves what is kept in order. To be called before the process ends.
  func close() {
    service?.close()
  }

  /// A server for this time only: signed out, or with a token of an account whose name is not known.
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

/// What the embedded service begins with.
struct EmbeddedStart {
  /// Whose it is.
  var owner = NSUserName()
  /// What it greets with when it is new.
  var welcome = QwinkleResources.welcome
  /// Whether the program is signed in there as its owner.
  var isSignedIn = true
}
