import Foundation
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleReplay
import QwinkleScreens
import QwinkleServer
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Timekeeping

@testable import QwinkleApp

/// The app with the accounts of ``TwoServers``.
@MainActor
final class SeveralAccounts: Played {
  let driver = MemoryDriver(rows: 24, columns: 140)
  let clock: VirtualClock
  let ledger: ActivityLedger
  let servers: TwoServers
  let graph: ScreenGraph
  private let ownsServers: Bool

  /// Launches the app with the account at `index`. Creates its own servers if `others` is nil.
  init(on others: TwoServers? = nil, index: Int = 0) throws {
    ownsServers = others == nil
    servers = try others ?? TwoServers()
    clock = servers.clock
    ledger = servers.ledger
    let paths = servers.paths
    graph = try ScreenGraph(
      session: try servers.session(named: TwoServers.accounts[index]), driver: driver, clock: clock, ledger: ledger,
      paths: paths, log: FileLog.logger(directory: paths.state, clock: clock), opener: RecordingOpener(),
      others: servers)
    try graph.application.launch()
  }

  func close() {
    graph.application.abandon()
    graph.close()
    if ownsServers { servers.close() }
  }

  /// The account at `index`, if it is open.
  func account(_ index: Int) -> Account? {
    graph.accounts.open.first { $0.name == TwoServers.accounts[index] }?.account
  }

  var shownName: String { graph.accounts.shown.name }
}

/// Two servers, each with one account of the user and one of another person.
@MainActor
final class TwoServers: SwitchableAccounts {
  static let accounts = ["mara@first.example", "nils@second.example"]

  let clock = VirtualClock(at: ScriptedTimeline.start)
  let ledger = ActivityLedger()
  let paths: Paths
  /// Number of sessions created.
  private(set) var sessions = 0
  /// The steps of the next sign-in.
  var signIn: (any SignInSteps)?
  /// Domains in account handles, by full name, where they differ from the hosts.
  var domains: [String: String] = [:]
  /// Accounts whose token cannot be read.
  var broken: Set<String> = []
  private let folder = TemporaryFolder()
  private let services: [Service]
  private var tokens: [String: String] = [:]
  private let passes = SignInPasses()
  /// Accounts whose token is returned by a command. The command waits for `command`, or returns at once if it runs on
  /// the terminal.
  var asking: Set<String> = []
  var command = Gate()
  /// Whether the command fails when it doesn't run on the terminal.
  var needsTerminal = false
  /// Whether each run of the command was on the terminal, in order.
  private(set) var runsOnTerminal: [Bool] = []

  init() throws {
    let paths = Paths(environment: folder.environment)
    self.paths = paths
    let clock = clock
    services = try Self.accounts.indices.map {
      try Service(directory: "\(paths.data)/server-\($0)", welcome: "", owner: "owner", clock: clock)
    }
    for (index, name) in Self.accounts.enumerated() {
      for user in [Self.user(of: name), "other"] {
        tokens["\(user)@\(index)"] = try services[index].addQwinker(named: user)
      }
    }
  }

  func close() {
    for service in services { service.close() }
  }

  // MARK: The accounts

  var names: [String] { Self.accounts }

  func opensByItself(_ name: String) -> Bool { !asking.contains(name) }

  func words(of name: String) -> String { domains[name].map { "\(Self.user(of: name))@\($0)" } ?? name }

  func fullName(of name: String) throws(AppError) -> String {
    guard let full = names.first(where: { [$0, words(of: $0), Self.user(of: $0)].contains(name) }) else {
      throw .failed("No account “\(name)”.")
    }
    return full
  }

  func mayAskOnTerminal(_ name: String) -> Bool { asking.contains(name) }

  func session(named name: String, isOnTerminal: Bool) async throws(AppError) -> AccountSession {
    if asking.contains(name) {
      runsOnTerminal.append(isOnTerminal)
      if !isOnTerminal {
        await command.whenOpen()
        if needsTerminal { throw .failed("It asks for a passphrase.") }
      }
    }
    return try session(named: name)
  }

  func session(named name: String) throws(AppError) -> AccountSession {
    guard !broken.contains(name) else { throw .failed("The token of \(name) is missing.") }
    sessions += 1
    let index = Self.accounts.firstIndex(of: name) ?? 0
    return AccountSession(
      accountFolder: name, words: name, isSignedIn: true, downloads: downloads(of: Self.user(of: name), on: index),
      service: nil)
  }

  func newSignIn(opener: any URLOpener) -> (any SignInSteps)? { signIn }

  private static func user(of name: String) -> String { String(name.prefix { $0 != "@" }) }

  private func downloads(of user: String, on index: Int) -> DownloadService {
    let (service, passes) = (services[index], passes)
    let token = tokens["\(user)@\(index)"] ?? ""
    return DownloadService(
      configuration: .init(serverURL: "https://server-\(index).example", token: passes.pass(for: token)),
      ledger: ledger,
      transport: { passes.checked(service.transport()) })
  }

  /// Revokes the sign-in of the account at `index`. Its next session is signed in again.
  func revoke(_ index: Int) { passes.revoke(tokens["\(Self.user(of: Self.accounts[index]))@\(index)"] ?? "") }

  // MARK: Others

  /// Sends a request as another user of a server.
  func other<Answer>(on index: Int, _ request: Request<Answer>) async throws -> Answer {
    try await connection(of: "other", on: index).answer(to: request)
  }

  /// The posts of a timeline as the account at `index` sees them, newest first.
  func serverRows(_ name: TimelineName, on index: Int) async throws -> [Qwink] {
    try await connection(of: Self.user(of: Self.accounts[index]), on: index).answer(to: .timeline(name, limit: 40))
      .items
  }

  /// The posts of a timeline as the other account sees them, newest first.
  func rowsOfOther(_ name: TimelineName, on index: Int) async throws -> [Qwink] {
    try await connection(of: "other", on: index).answer(to: .timeline(name, limit: 40)).items
  }

  /// The server's response to a request by the account at `index`.
  func answer<Answer>(to request: Request<Answer>, on index: Int) async throws -> Answer {
    try await connection(of: Self.user(of: Self.accounts[index]), on: index).answer(to: request)
  }

  private func connection(of user: String, on index: Int) -> AccountConnection {
    AccountConnection(service: downloads(of: user, on: index), clock: clock, isSignedIn: true)
  }
}
