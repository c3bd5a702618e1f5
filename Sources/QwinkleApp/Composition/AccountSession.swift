import Foundation
import QwinkleResources
import QwinkleServer
import QwinkleService
import QwinkleWire
import Timekeeping

/// Who is asked, as whom, and where what is kept of it lives: what every command needs before it can do anything.
@MainActor
struct AccountSession {
  /// The name of the folder of this account.
  let accountFolder: String
  /// Who and where, for people.
  let words: String
  let isSignedIn: Bool
  let downloads: DownloadService
  /// The embedded service, where that is who is asked.
  let service: Service?

  /// A session with a server, or with the embedded service where `server` is nil.
  static func open(
    server: String?, tokenFromStandardInput: Bool, paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws(AppError) -> AccountSession {
    if let server {
      return try remote(server, tokenFromStandardInput: tokenFromStandardInput, ledger: ledger)
    }
    guard !tokenFromStandardInput else {
      throw .usage("--token-stdin needs --server URL: the embedded service knows who you are.")
    }
    return try embedded(paths: paths, clock: clock, ledger: ledger)
  }

  /// Leaves what is kept in order. To be called before the process ends.
  func close() {
    service?.close()
  }

  private static func remote(
    _ server: String, tokenFromStandardInput: Bool, ledger: ActivityLedger
  ) throws(AppError) -> AccountSession {
    let address = try ServerAddress(server)
    let token = try TokenSource.token(fromStandardInput: tokenFromStandardInput)
    return AccountSession(
      accountFolder: token.map { "token-\(TokenFingerprint.of($0))@\(address.host)" } ?? "signed-out@\(address.host)",
      words: address.host,
      isSignedIn: token != nil,
      downloads: DownloadService(
        configuration: .init(serverURL: address.url, token: token), ledger: ledger,
        transport: { HTTPTransport(trustRoots: ProcessInfo.processInfo.environment["SSL_CERT_FILE"]) }),
      service: nil)
  }

  private static func embedded(
    paths: Paths, clock: any ProgramClock, ledger: ActivityLedger
  ) throws(AppError) -> AccountSession {
    do {
      let service = try Service(
        directory: paths.data, welcome: QwinkleResources.welcome, owner: NSUserName(), clock: clock)
      try service.open()
      return AccountSession(
        accountFolder: "local", words: "\(NSUserName())@local", isSignedIn: true,
        downloads: DownloadService(
          configuration: .init(serverURL: "http://local", token: service.ownerToken), ledger: ledger,
          transport: { service.transport() }),
        service: service)
    } catch {
      throw AppError(error)
    }
  }
}
