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

/// The program with the accounts of ``TwoServers``.
@MainActor
final class SeveralAccounts: Played {
  let driver = MemoryDriver(rows: 24, columns: 140)
  let clock: VirtualClock
  let ledger: ActivityLedger
  let servers: TwoServers
  let graph: ScreenGraph
  private let ownsServers: Bool

  /// The program begins with the account at `index`. Without `servers` it has its own.
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
    graph.accounts.openOthersSoon()
  }

  func close() {
    graph.application.abandon()
    graph.close()
    if ownsServers { servers.close() }
  }

  /// The open account at `index`.
  func account(_ index: Int) -> Account? {
    graph.accounts.open.first { $0.name == TwoServers.accounts[index] }?.account
  }

  var shownName: String { graph.accounts.shown.name }
}

/// Two servers, each with an account of the program's user, and with somebody else.
@MainActor
final class TwoServers: SwitchableAccounts {
  static let accounts = ["mara@first.example", "nils@second.example"]

  let clock = VirtualClock(at: ScriptedTimeline.start)
  let ledger = ActivityLedger()
  let paths: Paths
  /// How many sessions were begun.
  private(set) var sessions = 0
  /// What a sign-in does.
  var signIn: (any SignInSteps)?
  /// The domains in the handles of accounts, by full name, where they differ from the hosts.
  var domains: [String: String] = [:]
  /// Accounts whose token cannot be read.
  var broken: Set<String> = []
  private let folder = TemporaryFolder()
  private let services: [Service]
  private var tokens: [String: String] = [:]
  private let passes = SignInPasses()
  /// Accounts whose token a command knows, which is held here; with the terminal it answers at once.
  var asking: Set<String> = []
  var command = Gate()
  /// Whether the command fails without the terminal.
  var needsTerminal = false
  /// Where the command was run, in order.
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

  /// Has what the account at `index` is signed in with work no longer. Its next session is signed in anew.
  func revoke(_ index: Int) { passes.revoke(tokens["\(Self.user(of: Self.accounts[index]))@\(index)"] ?? "") }

  // MARK: Others

  /// Sends a request as another user of a server.
  func other<Answer>(on index: Int, _ request: Request<Answer>) async throws -> Answer {
    try await connection(of: "other", on: index).answer(to: request)
  }

  /// The ids of a timeline as its server has it, newest first.
  func serverRows(_ name: TimelineName, on index: Int) async throws -> [Qwink] {
    try await connection(of: Self.user(of: Self.accounts[index]), on: index).answer(to: .timeline(name, limit: 40))
      .items
  }

  /// The same as somebody else sees it.
  func rowsOfOther(_ name: TimelineName, on index: Int) async throws -> [Qwink] {
    try await connection(of: "other", on: index).answer(to: .timeline(name, limit: 40)).items
  }

  /// What the server of the account at `index` answers to it.
  func answer<Answer>(to request: Request<Answer>, on index: Int) async throws -> Answer {
    try await connection(of: Self.user(of: Self.accounts[index]), on: index).answer(to: request)
  }

  private func connection(of user: String, on index: Int) -> AccountConnection {
    AccountConnection(service: downloads(of: user, on: index), clock: clock, isSignedIn: true)
  }
}
