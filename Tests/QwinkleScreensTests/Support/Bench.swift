import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import Terminal
import TerminalTesting
import Testing
import Timekeeping

/// A screen in its own window on an in-memory terminal, with a scripted server.
@MainActor
final class Bench: Played {
  let driver: MemoryDriver
  let clock = VirtualClock(at: ScriptedTimeline.start)
  let ledger = ActivityLedger()
  let api: ScriptedAPI
  let folder: TemporaryFolder
  let keymap: Keymap
  let cache: TimelineCache
  let outgoing: OutgoingStore
  let service: DownloadService
  let account: Account
  var notifications: NotificationFeed { account.notifications }
  let navigator = RecordingNavigator()
  let application: Application

  /// Creates everything but the screen.
  init(
    _ api: ScriptedAPI = ScriptedAPI(), rows: Int = 24, columns: Int = 80,
    in folder: TemporaryFolder = TemporaryFolder(),
    isSignedIn: Bool = true
  ) throws {
    self.api = api
    self.folder = folder
    keymap = try Screen.keymap()
    driver = MemoryDriver(rows: rows, columns: columns)
    service = DownloadService(
      configuration: .init(serverURL: "https://\(ScriptedAPI.host)", token: isSignedIn ? "token" : nil), ledger: ledger,
      transport: { api.transport() })
    cache = try TimelineCache(directory: folder.path, ledger: ledger)
    outgoing = OutgoingStore(directory: folder.path, ledger: ledger, clock: clock)
    account = Account(service: service, cache: cache, outgoing: outgoing, clock: clock, isSignedIn: isSignedIn)
    application = Application(driver: driver, clock: clock, keymap: keymap, theme: .terminal)
    application.keyContext = .global
    try application.launch()
  }

  /// Shows `controller` and waits for its requests.
  func show(_ controller: ViewController) async {
    // In the app, the main screen handles refresh for the focused part.
    application.on(.refresh) { [weak controller] in (controller as? any QwinkleScreens.Screen)?.refresh() }
    application.window.rootViewController = controller
    await settle()
    // In the app, a key opens the screen, and the main screen reports key presses.
    let screen = controller as? any QwinkleScreens.Screen
    screen?.readerDidAct(wasHere: false)
    application.didHandleKey.remove(self)
    application.didHandleKey.add(self) { [weak screen] _ in screen?.readerDidAct(wasHere: true) }
    await settle()
  }

  func type(_ text: String) async {
    driver.type(text)
    await settle()
  }

  var text: String { driver.text }
  var lines: [String] { driver.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  /// The rows below the title.
  var rows: [String] { Array(lines.drop { $0.hasPrefix("──") }) }
  var selected: [String] { lines.filter { $0.hasPrefix("▌") } }
}
