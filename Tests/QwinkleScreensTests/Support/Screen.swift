import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleWire
import SafeText
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp
@testable import QwinkleScreens

/// The whole app on an in-memory terminal, with a scripted server and a virtual clock.
@MainActor
final class Screen: Played {
  let driver: MemoryDriver
  let clock = VirtualClock(at: ScriptedTimeline.start)
  let ledger = ActivityLedger()
  let server: ScriptedTimeline
  let folder: TemporaryFolder
  let opener = RecordingOpener()
  private let graph: ScreenGraph
  var account: Account { graph.account }
  var main: MainViewController { graph.main }
  var application: Application { graph.application }
  private(set) var exitStatus: Int32?

  /// Builds the app's object graph and shows the first frame. No request is sent yet.
  ///
  /// - Parameters:
  ///   - hidesMessages: Whether the messages are hidden in windows with room for them.
  ///   - link: If given, requests and pictures pass through it, the screen begins with Home, and the first start
  ///     fetches the sections in advance.
  init(
    _ server: ScriptedTimeline = ScriptedTimeline(), rows: Int = 24, columns: Int = 80,
    in folder: TemporaryFolder = TemporaryFolder(), isSignedIn: Bool = true, isLinear: Bool = false,
    hidesMessages: Bool = false, colors: Int = 256, form: TextForm = .unicode, through link: SlowLink? = nil
  ) throws {
    self.server = server
    self.folder = folder
    driver = MemoryDriver(rows: rows, columns: columns, isLinear: isLinear, colors: colors, form: form)
    let transport: @Sendable () -> any Transport = {
      link?.transport(to: server.transport()) ?? server.transport()
    }
    var session = AccountSession(
      accountFolder: TemporaryFolder.account,
      words: isSignedIn ? "\(TemporaryFolder.account)@\(ScriptedTimeline.host)" : ScriptedTimeline.host,
      isSignedIn: isSignedIn,
      downloads: DownloadService(
        configuration: .init(serverURL: "https://\(ScriptedTimeline.host)", token: isSignedIn ? "token" : nil),
        ledger: ledger, transport: transport),
      others: { server.transport() }, service: nil)
    if link != nil {
      session.media = MediaService(
        rules: MediaRules(serverURL: "https://\(ScriptedTimeline.host)"), own: transport, others: transport)
      session.opensHome = true
      session.fetchesAhead = true
    }
    let paths = Paths(environment: folder.environment)
    graph = try ScreenGraph(
      session: session, driver: driver, clock: clock, ledger: ledger, paths: paths,
      log: FileLog.logger(directory: paths.state, clock: clock), opener: opener)
    application.process = self
    if hidesMessages { main.router.panes.automatic.wantsMessages = false }
    // Tests of pending actions set another delay.
    account.pendingActions.seconds = 0
    // Tests of the reminder turn it on.
    main.factory.settings.put(.altReminder, .flag(false))
    try application.launch()
  }

  /// Creates a screen and waits for the server's first responses.
  static func settled(
    _ server: ScriptedTimeline = ScriptedTimeline(), rows: Int = 24, columns: Int = 80,
    in folder: TemporaryFolder = TemporaryFolder(), isSignedIn: Bool = true, isLinear: Bool = false,
    hidesMessages: Bool = false, colors: Int = 256, form: TextForm = .unicode
  ) async throws -> Screen {
    let screen = try Screen(
      server, rows: rows, columns: columns, in: folder, isSignedIn: isSignedIn, isLinear: isLinear,
      hidesMessages: hidesMessages, colors: colors, form: form)
    await screen.settle()
    return screen
  }

  static func keymap() throws -> Keymap { try Keymap.standard.get() }

  /// Returns `text` with the keys of the standard keymap.
  static func naming(_ text: String) throws -> String { try keymap().naming(text) }

  /// Caches rows in `folder`, as an earlier run would have.
  static func keep(
    _ numbers: [Int], of name: TimelineName = .public, olderThan last: Int? = nil, in folder: TemporaryFolder
  ) throws {
    let cache = try TimelineCache(directory: folder.path, ledger: ActivityLedger())
    let older = last.map {
      PageCursor(url: "https://\(ScriptedTimeline.host)/api/v1/timelines/\(name.key)?limit=40&max_id=\($0)")
    }
    cache.replace(numbers.map { .init(.qwink(ScriptedTimeline.qwink($0))) }, of: name, older: older)
    cache.flush()
  }

  func press(_ name: String, times: Int) async {
    for _ in 0..<times { await press(name) }
  }

  // MARK: Actions without a delay

  /// Presses keys without waiting for pending work.
  func strike(_ names: String...) {
    for name in names { driver.press(name) }
  }

  /// Runs a command of the `:` prompt.
  func command(_ line: String) async {
    await press(":")
    type(line)
    await press("Enter")
  }

  func type(_ text: String) { driver.type(text) }
  func paste(_ text: String) { driver.paste(text) }
  func resize(rows: Int, columns: Int) { driver.resize(rows: rows, columns: columns) }
  func hangUp() { driver.hangUp() }
  /// Terminates the app as SIGKILL does.
  func endAtOnce() { graph.abandon() }
  /// Closes the files, as the process does on exit.
  func close() { graph.close() }
  func advance(by duration: Duration) { clock.advance(by: duration) }

  // MARK: Inspecting

  var frameCount: Int { driver.frames.count }
  var calls: [String] { driver.calls }
  var cursor: Point? { driver.cursor }
  var text: String { driver.text }

  var header: String { lines.first ?? "" }
  /// The rule below the header: the breadcrumb and the reader's position.
  var way: String { lines.dropFirst().first ?? "" }
  /// The text below the lowest rule, as one line.
  var status: String {
    let below = lines.lastIndex { $0.hasPrefix("──") }.map { lines[($0 + 1)...] } ?? lines.suffix(1)
    return below.count == 1 ? below.joined() : below.map { $0.drop { $0 == " " } }.joined(separator: " ")
  }
  var lines: [String] {
    driver.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The first row that contains `words`, without blanks at its ends.
  func line(of words: String) -> String { lines.first { $0.contains(words) }?.trimmed() ?? "" }

  /// The numbers of the visible qwinks, from top to bottom. Reliable only below 120 columns.
  var visible: [Int] { lines.compactMap(Self.number(in:)) }

  /// The number of the selected qwink, or nil if its text or the selection bar is not visible.
  var selected: Int? {
    let numbers = lines.filter { $0.hasPrefix("▌") }.compactMap(Self.number(in:))
    return numbers.count == 1 ? numbers[0] : nil
  }

  /// The text right of the divider between list and detail.
  var detail: String {
    lines.compactMap { $0.split(separator: "│", maxSplits: 1).dropFirst().first.map(String.init) }
      .joined(separator: "\n")
  }

  private static func number(in line: String) -> Int? {
    // The lines of a thread's tree are in the first columns. In a wide window the detail is behind a divider.
    let start = String(line.prefix(20).map { $0 == "│" ? " " : $0 })
    let line = (start + line.dropFirst(20)).split(separator: "│", omittingEmptySubsequences: false).first ?? ""
    guard let range = line.firstRange(of: "Qwink ") else { return nil }
    return Int(line[range.upperBound...].prefix { $0.isNumber })
  }
}

extension Screen: ApplicationProcess {
  func end(status: Int32) { exitStatus = status }
}
