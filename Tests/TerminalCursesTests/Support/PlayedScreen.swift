import Foundation
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

/// The program's main screen with a signed-in user, on a test's driver, with a virtual clock.
@MainActor
final class PlayedScreen {
  let clock = VirtualClock(at: Date(timeIntervalSince1970: 1_767_225_600))
  let ledger = ActivityLedger()
  let application: Application
  let main: MainViewController
  /// Whether the program has quit.
  private(set) var hasEnded = false
  private let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-curses-\(UUID().uuidString)"
  private let opener = NoBrowser()

  /// Builds the screen and shows the first frame.
  init(_ driver: any TerminalDriver, transport: @escaping @Sendable () -> any Transport) throws {
    let keymap = try Self.keymap()
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example", token: "token"), ledger: ledger, transport: transport)
    let account = Account(
      service: service, cache: try TimelineCache(directory: folder, ledger: ledger),
      outgoing: OutgoingStore(directory: folder, ledger: ledger, clock: clock), clock: clock, isSignedIn: true)
    main = MainViewController(
      factory: ScreenFactory(account: account, drafts: account.outgoing, keymap: keymap, opener: opener),
      accountWords: "mara@tilde.example")
    application = Application(driver: driver, clock: clock, keymap: keymap, theme: .terminal)
    main.registerActions(of: application)
    application.process = self
    application.window.rootViewController = main
    try application.launch()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Waits until no work is in progress and its results are visible.
  func settle() async {
    await ledger.settleWithMainQueue()
  }

  /// The program's keymap.
  private static func keymap() throws -> Keymap {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return try Keymap(
      text: String(contentsOf: root.appendingPathComponent("Resources/keymap.txt"), encoding: .utf8))
  }
}

extension PlayedScreen: ApplicationProcess {
  func end(status: Int32) { hasEnded = true }
}

@MainActor
private final class NoBrowser: URLOpener {
  func open(_ address: WebAddress, in program: OutsideProgram) throws(URLOpenerError) {}
}
