import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Runs commands in this process, on a virtual clock, against a ``WritingServer`` or another server in memory.
@MainActor
final class CommandHarness {
  struct Outcome {
    var status: Int32
    /// Standard output, with its lines joined by spaces.
    var output: String
    /// Standard error, with its lines joined by spaces.
    var errors: String
  }

  let clock: VirtualClock
  let ledger = ActivityLedger()
  let server: WritingServer
  let home: String
  /// Error message to fail with when a command needs the account's token, if any.
  var tokenFailure: String?
  /// Whether commands can send requests to other servers, which ``init(transport:)`` then answers too.
  var hasOthers = false
  /// Whether commands use the accounts file in ``home`` instead of a session with ``server``.
  var usesAccountsFile = false
  private let transport: (@Sendable () -> any Transport)?
  private var body: (@MainActor () async throws -> Void)?
  private var ended: Result<Outcome, any Error>?

  var data: String { "\(home)/.local/share/qwinkle" }
  /// Name of the folder with the account's drafts.
  var sessionFolder = "replayed@writing.example"

  var folder: String { "\(data)/\(sessionFolder)" }

  /// Creates a harness in a new home directory. `transport` connects to a server other than ``server``.
  init(transport: (@Sendable () -> any Transport)? = nil) {
    self.transport = transport
    let root = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    home = "\(root)/qw-\(UUID().uuidString.prefix(13))"
    let clock = VirtualClock()
    self.clock = clock
    server = WritingServer { clock.now }
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  /// Runs a command to its end. If `outputError` isn't nil, writing to standard output fails with this error number.
  func run(_ arguments: [String], outputError: Int32? = nil) async throws -> Outcome {
    let printed = Mutex<[Int32: [UInt8]]>([:])
    let target = OutputTarget { descriptor, bytes in
      if descriptor == 1, let outputError { return -Int(outputError) }
      printed.withLock { $0[descriptor, default: []] += Array(bytes) }
      return bytes.count
    }
    let status = try await StandardOutput.$target.withValue(target) {
      try await CommandStage.$current.withValue(stage()) { try await self.status(of: arguments) }
    }
    func text(_ descriptor: Int32) -> String {
      String(decoding: printed.withLock { $0[descriptor] ?? [] }, as: UTF8.self)
        .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
    return Outcome(status: status, output: text(1), errors: text(2))
  }

  /// Runs a command that waits for the clock. The clock advances whenever no work is pending.
  func runWithTime(_ arguments: [String]) async throws -> Outcome {
    ended = nil
    Task {
      do {
        ended = .success(try await run(arguments))
      } catch {
        ended = .failure(error)
      }
    }
    try await wait(for: "the end of \(arguments)") {
      if ended == nil, ledger.isEmpty, let due = clock.nextDue { clock.advance(by: max(due - clock.uptime, .zero)) }
      return ended != nil
    }
    return try #require(ended).get()
  }

  /// Runs a command that doesn't end by itself. Returns its standard output as soon as `isEnough` accepts it.
  func run(_ arguments: [String], until isEnough: (String) -> Bool) async throws -> String {
    let printed = Mutex<[UInt8]>([])
    let target = OutputTarget { descriptor, bytes in
      if descriptor == 1 { printed.withLock { $0 += Array(bytes) } }
      return bytes.count
    }
    func text() -> String { String(decoding: printed.withLock { $0 }, as: UTF8.self) }
    let stage = stage()
    Task {
      try await StandardOutput.$target.withValue(target) {
        try await CommandStage.$current.withValue(stage) { _ = try await self.status(of: arguments) }
      }
    }
    // `isEnough` may advance the clock, and the timers that fire then print to this target too.
    try await StandardOutput.$target.withValue(target) {
      try await wait(for: "the output of \(arguments)", showing: text) { isEnough(text()) }
    }
    return text()
  }

  private func status(of arguments: [String]) async throws -> Int32 {
    let prepared = try CommandLineReader.prepared(arguments)
    let command = try #require(try RootCommand.parseAsRoot(prepared) as? any ProgramCommand, "\(arguments)")
    try command.start()
    let body = try #require(body, "\(arguments)")
    do {
      try await body()
      return 0
    } catch {
      return QwinkleProgram.complain(of: error)
    }
  }

  private func stage() -> CommandStage {
    let paths = Paths(environment: ["HOME": home])
    let makeTransport: @Sendable () -> any Transport = { [server, transport] in
      if let transport { return transport() }
      return server.transport
    }
    guard !usesAccountsFile else {
      return CommandStage(
        paths: paths, clock: clock, ledger: ledger, transport: makeTransport, start: { [weak self] in self?.body = $0 })
    }
    return CommandStage(
      paths: paths, clock: clock, ledger: ledger,
      session: { [tokenFailure, hasOthers] stage in
        if let tokenFailure { throw AppError.failed(tokenFailure) }
        return try AccountSession.replayed(
          server: WritingServer.url, isSignedIn: true, hasOthers: hasOthers, ledger: stage.ledger,
          transport: makeTransport)
      }, sessionFolder: sessionFolder, start: { [weak self] in self?.body = $0 })
  }

  /// Signs in as Mara. Commands then use her account in the accounts file.
  func signIn() throws {
    usesAccountsFile = true
    sessionFolder = "mara@writing.example"
    let account = SavedAccount(name: sessionFolder, serverURL: WritingServer.url, clientID: "app")
    _ = try AccountsFile(directory: data).change { $0.put(account) }
    let secret = try #require(Secret("secret"))
    for kind in SecretFiles.Kind.allCases {
      try SecretFiles(directory: data).keep(secret, as: kind, for: sessionFolder)
    }
  }

  func drafts() throws -> [OutgoingEntry] { try OutgoingStore.saved(in: folder).map(\.entry) }

  func items() throws -> [OutboxItem] { try OutgoingStore.items(in: folder) }

  /// Sends the items in the outbox, like a second running Qwinkle.
  func sendOutbox() async {
    let service = DownloadService(
      configuration: .init(serverURL: WritingServer.url, token: "token"), ledger: ledger,
      transport: { [server] in server.transport })
    let store = OutgoingStore(directory: folder, ledger: ledger, clock: clock)
    let account = Account(service: service, cache: nil, outgoing: store, clock: clock, isSignedIn: true)
    account.outbox.start()
    await ledger.settleWithMainQueue()
    await clock.advance(by: .seconds(60)) { await ledger.settleWithMainQueue() }
    store.close()
    withExtendedLifetime(account) {}
  }
}
