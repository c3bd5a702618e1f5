import Foundation
import Logging
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleReplay
import QwinkleResources
import QwinkleScreens
import QwinkleServer
import QwinkleService
import QwinkleWire
import Terminal
import TerminalCurses
import Timekeeping

/// Runs the whole program for a tape (a scripted session): on an in-memory terminal, with a temporary home directory
/// and a clock that the tape controls.
@MainActor
final class AppStage: ReplayStage, ApplicationProcess {
  /// The account that the tape is signed in to on the embedded service.
  static let owner = "mara"

  let clock: VirtualClock
  private let ledger = ActivityLedger()
  private let terminal: MemoryTerminal
  private let home: String
  private let conditioner: LinkConditioner
  private let setting: ReplaySetting
  private let recorded: Recorded?
  private(set) var status: Int32?
  /// The current run of the program. Nil after a kill.
  private var run: Run?
  /// The driver of the current or last run.
  private var driver: CursesDriver
  /// Tokens of the qwinkers (accounts) that act in the tape, by name.
  private var tokens: [String: String] = [:]
  private var servings = 0
  private(set) var isStopped = false

  /// A server with recorded responses.
  struct Recorded: Sendable {
    let server: String
    let isSignedIn: Bool
    /// Whether responses of other servers are recorded, too.
    let hasOthers: Bool
    let transport: @Sendable () -> any Transport
  }

  /// One run of the program.
  private struct Run {
    let session: AccountSession
    let graph: ScreenGraph
    let accounts: StageAccounts?
  }

  /// Starts the program with `setting` in a new home below `folder`. The program sends its requests to `recorded`, or
  /// to the embedded service if `recorded` is nil.
  init(_ setting: ReplaySetting, below folder: String, recorded: Recorded? = nil) throws {
    clock = VirtualClock(at: Date(timeIntervalSince1970: setting.start))
    home = "\(folder)/qwinkle-replay-\(UUID().uuidString)"
    self.setting = setting
    self.recorded = recorded
    conditioner = LinkConditioner(
      clock: clock, condition: try setting.net.map { try Self.condition(named: $0) } ?? .off)
    terminal = MemoryTerminal(
      size: setting.size, kind: setting.terminal, colors: setting.environment["NO_COLOR"]?.isEmpty ?? true,
      colorTerm: setting.environment["COLORTERM"] ?? "", cellSize: setting.cellSize, background: setting.background)
    driver = CursesDriver(terminal)
    for line in setting.lines { try write(line.text, to: line.file) }
    try launch(TapeStart())
  }

  func write(_ line: String, to file: String) throws {
    let folder = Paths(environment: ["HOME": home]).config
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let before = (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
      try (before + line + "\n").write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
    } catch {
      throw ReplayError("Cannot write \(file).")
    }
  }

  private func openSession(_ paths: Paths) throws -> AccountSession {
    let conditioner = conditioner
    if let recorded {
      return try AccountSession.replayed(
        server: recorded.server, isSignedIn: recorded.isSignedIn, hasOthers: recorded.hasOthers, ledger: ledger
      ) {
        recorded.transport().conditioned(by: conditioner)
      }
    }
    var session = try AccountSession.begin(
      SessionChoice(account: SessionChoice.local), paths: paths, clock: clock, ledger: ledger,
      embedded: .init(
        owner: Self.owner, welcome: setting.hasWelcome ? QwinkleResources.welcome : "", isSignedIn: setting.isSignedIn,
        isStreamed: setting.environment["QWINKLE_STREAMS"] == "1"),
      wrappers: wrappers)
    session.fetchesAhead = setting.fetchesAhead
    // A tape without a cassette sends nothing to other servers.
    session.others = nil
    // Reconnect at the same times in every replay.
    session.streaming?.jitter = { 1 }
    try session.ready()
    return session
  }

  /// Wraps transports so that they simulate the network conditions of the tape.
  private var wrappers: AccountSession.TransportWrappers {
    let (conditioner, ledger) = (conditioner, ledger)
    return AccountSession.TransportWrappers(
      requests: { $0.conditioned(by: conditioner) }, streams: { $0.conditioned(by: conditioner, ledger: ledger) })
  }

  private func launch(_ start: TapeStart) throws {
    let paths = Paths(environment: ["HOME": home])
    let session = try openSession(paths)
    let accounts = otherAccounts(beside: session)
    let graph = try ScreenGraph(
      session: session, driver: driver, clock: clock, ledger: ledger, paths: paths,
      log: FileLog.logger(directory: paths.state, clock: clock), opener: NoBrowser(), isFresh: start.isFresh,
      others: accounts)
    // Retry at the same times in every replay.
    graph.account.outbox.jitter = { 0.5 }
    run = Run(session: session, graph: graph, accounts: accounts)
    let application = graph.application
    application.showsFramesAtOnce = false
    application.process = self
    if start.isUnseen {
      // Only load the state, as a launch does before it shows anything.
      _ = graph.accounts.shown.savedScreen.load()
      return kill()
    }
    try application.launch()
    let remarks = [graph.config.remark, graph.remark].compactMap(\.self)
    if !remarks.isEmpty { graph.main.announce(remarks.joined(separator: " ")) }
  }

  private func otherAccounts(beside session: AccountSession) -> StageAccounts? {
    guard !setting.accounts.isEmpty, let service = session.service else { return nil }
    return StageAccounts(
      setting.accounts, on: service, fetchesAhead: setting.fetchesAhead, ledger: ledger,
      token: { [weak self] in try self?.token(of: $0, on: service) ?? "" },
      wrappers: wrappers)
  }

  var size: Size { driver.size }
  var copied: String? { terminal.copied.last }
  var statistics: TerminalStatistics { driver.statistics }

  /// Terminates the program and removes its home directory.
  func close() {
    run?.graph.application.terminate()
    run?.graph.close()
    // A line written later would create the folder again.
    FileLog.flush()
    try? FileManager.default.removeItem(atPath: home)
  }

  func end(status: Int32) { self.status = status }

  func kill() {
    guard let run else { return }
    // Clear `run` first: work that ends during the calls below must find no running program.
    self.run = nil
    if status == nil { run.graph.abandon() } else { run.graph.close() }
    status = 128 + SIGKILL
  }

  func start(_ start: TapeStart) throws {
    guard status != nil else { throw ReplayError("The program is already running. End it first: Kill.") }
    run?.graph.close()
    run = nil
    status = nil
    isStopped = false
    if let size = start.size { terminal.resize(to: size) }
    driver = CursesDriver(terminal)
    do {
      try launch(start)
    } catch {
      throw ReplayError(AppError(error).sentence)
    }
  }

  func type(_ bytes: [UInt8]) { terminal.feed(bytes) }
  func resize(to size: Size) { terminal.resize(to: size) }

  func receive(_ signal: TapeSignal) {
    guard let application = run?.graph.application else { return }
    switch signal {
    case .terminate: application.terminate(status: 128 + SIGTERM)
    case .hangup: application.terminate(status: 128 + SIGHUP)
    case .interrupt: application.terminate(status: 128 + SIGINT)
    case .quit: application.terminate(status: 128 + SIGQUIT)
    case .stop: isStopped = application.enterBackground()
    case .continue:
      isStopped = false
      application.enterForeground()
      // Fire timers that became due while the program was stopped.
      clock.advance(by: .zero)
    case .windowChange: terminal.noteWindowChange()
    case .user1: run?.graph.reload()
    case .brokenPipe, .user2: break
    }
  }

  /// Time limit for the work of one step, in real time.
  private static let patience = Duration.seconds(30)

  func settle() async throws {
    let deadline = ContinuousClock.now + Self.patience
    repeat {
      let left = ContinuousClock.now.duration(to: deadline)
      guard await ledger.whenEmpty(within: max(left, .seconds(1))) else { break }
      await Self.turn()
      // Wait while the service is sending events to its listeners.
      if run?.session.service?.isTelling == true { continue }
      // Content shown for the first time may start requests, which need another frame.
      if ledger.isEmpty, run?.graph.application.showFrame() != true { return }
    } while ContinuousClock.now < deadline
    let seconds = Self.patience.components.seconds
    throw ReplayError("Work did not end within \(seconds) s: \(pending.joined(separator: ", ")).")
  }

  /// Names of the work that ``settle()`` waits for.
  private var pending: [String] {
    let names = ledger.inProgress + (run?.session.service?.isTelling == true ? ["service events"] : [])
    return names.isEmpty ? ["drawing"] : names
  }

  func snapshot() -> Snapshot {
    // While the program is stopped, the shell has the terminal. It hasn't written anything, so the screen is empty.
    if isStopped {
      return Snapshot(size: driver.size, cells: [], roles: roles)
    }
    let cells = (0..<driver.size.rows).map { row in
      (0..<driver.size.columns).map { column in
        let cell = driver.cell(row: row, column: column)
        return SnapshotCell(
          text: cell?.text ?? " ", columns: cell?.columns ?? 1, attributes: cell?.attributes ?? [],
          foreground: cell?.foreground ?? -1, background: cell?.background ?? -1)
      }
    }
    return Snapshot(size: driver.size, cells: cells, cursor: driver.cursor, roles: roles)
  }

  /// The theme's roles as this terminal draws them, and as `lit-` in the first line of the selection. All are plain
  /// while the program is stopped.
  private var roles: [SnapshotRole] {
    let theme = run?.graph.application.window.theme ?? .terminal
    let styles =
      StyleRole.all.map { (name: $0.rawValue, style: theme[$0]) }
      + StyleRole.all.map { (name: "lit-\($0.rawValue)", style: theme.lit($0)) }
    return styles.map { name, style in
      let cell = isStopped ? nil : driver.blank(in: style)
      return SnapshotRole(
        name, attributes: cell?.attributes ?? [], foreground: cell?.foreground ?? -1,
        background: cell?.background ?? -1)
    }
  }

  func takeOutput() -> [UInt8] { terminal.takeOutput() }

  func setNet(_ name: String) throws {
    conditioner.condition = try Self.condition(named: name)
  }

  private static func condition(named name: String) throws -> LinkCondition {
    do {
      return try LinkCondition(named: name)
    } catch {
      throw ReplayError(error.sentence)
    }
  }

  // MARK: Other qwinkers

  func serve(_ act: TapeServe) async throws {
    guard let run else { throw ReplayError("The program is not running, so neither is the service.") }
    guard let service = run.session.service else {
      throw ReplayError("Serve does not work with a cassette.")
    }
    do {
      if act.action == .revokes {
        guard let accounts = run.accounts else { throw ReplayError("The tape has no other accounts: Set Accounts.") }
        return try accounts.revoke(act.qwinker)
      }
      try await serve(act, on: service)
    } catch let error as DownloadError {
      throw ReplayError("@\(act.qwinker) failed: \(error.sentence)")
    } catch let error as ServiceError {
      throw ReplayError("@\(act.qwinker) failed: \(error.sentence)")
    }
  }

  private func serve(_ act: TapeServe, on service: Service) async throws {
    let token = try token(of: act.qwinker, on: service)
    servings += 1
    let downloads = DownloadService(
      configuration: .init(serverURL: AccountConnection.embeddedURL, token: token), ledger: ActivityLedger(),
      transport: { service.transport() })
    let server = AccountConnection(service: downloads, clock: clock, isSignedIn: true)
    func ask<Answer>(_ request: Request<Answer>) async throws { _ = try await server.answer(to: request) }
    func entry(
      _ text: String, _ visibility: Visibility = .public, warning: String = "", answering: Qwink? = nil, number: Int = 0
    ) -> Entry {
      Entry(
        text: text, visibility: visibility, contentWarning: warning, inReplyTo: answering?.originalID,
        idempotencyKey: "serve-\(servings)-\(number)")
    }
    switch act.action {
    case .posts(let text, count: 1): try await ask(.post(entry(text)))
    case .posts(let text, let count):
      for number in 1...count { try await ask(.post(entry("\(text) \(number)", number: number))) }
    case .warns(let warning, let text): try await ask(.post(entry(text, warning: warning)))
    case .shows(let text, let description, let count, let isSensitive):
      try await TapePicture.post(
        text, description: description, count: count, isSensitive: isSensitive, key: "serve-\(servings)", as: token,
        through: service.transport())
    case .messages(let text): try await ask(.post(entry("@\(Self.owner) \(text)", .direct)))
    case .follows:
      try await ask(.follow(try await server.answer(to: .lookup(handle: Self.owner)).id, isOn: true))
    case .boosts(let pattern):
      try await ask(.react(try await newest(pattern, server).originalID, .boost, isOn: true))
    case .favourites(let pattern):
      try await ask(.react(try await newest(pattern, server).originalID, .favourite, isOn: true))
    case .answers(let pattern, let text):
      let parent = try await newest(pattern, server)
      try await ask(.post(entry("@\(parent.author.handle) \(text)", parent.visibility, answering: parent)))
    case .quotes(let pattern, let text):
      var quote = entry(text)
      quote.quotedID = try await newest(pattern, server).originalID.rawValue
      try await ask(.post(quote))
    case .edits(let pattern, let text):
      let former = try await newest(pattern, server)
      try await ask(
        .edit(former.originalID, entry(text, former.visibility, warning: former.contentWarning)))
    case .revokes: break
    case .describes(let text): try await ask(.setOwnProfile(OwnProfile(displayName: act.qwinker, note: text)))
    }
  }

  private func token(of name: String, on service: Service) throws -> String {
    let token = try tokens[name] ?? service.addQwinker(named: name)
    tokens[name] = token
    return token
  }

  private func newest(_ pattern: TapePattern, _ server: AccountConnection) async throws -> Qwink {
    let page = try await server.answer(to: .timeline(.public, limit: 40))
    guard let qwink = page.items.first(where: { pattern.isFound(in: $0.text.plainText) }) else {
      throw ReplayError("No post matches “\(pattern.source)”.")
    }
    return qwink
  }

  /// Returns once the main queue has run everything queued so far.
  private static func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}

extension ReplaySetting {
  /// Whether the first start on an account fetches the sections in advance, which otherwise happens only on servers.
  fileprivate var fetchesAhead: Bool { environment["QWINKLE_FIRST_FETCH"] == "1" }
}

/// Opens nothing: a tape must not start a browser.
@MainActor
private final class NoBrowser: URLOpener {
  func open(_ address: WebAddress, in program: OutsideProgram) throws(URLOpenerError) { throw .noBrowser }
}
