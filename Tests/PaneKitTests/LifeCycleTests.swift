import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// Calls of the application's delegate.
@MainActor
@Suite(.bounded) struct LifeCycleTests {
  enum Event {
    case suspend, startEditor, endEditor, quit, quitRefused, terminate, hangup, abandon
  }

  /// Records each call of the delegate, with the application's phase and the driver's last call at that moment.
  private final class Recorder: ApplicationDelegate {
    let driver: MemoryDriver
    var calls: [String] = []
    var agrees = true

    init(_ driver: MemoryDriver) {
      self.driver = driver
    }

    private func note(_ application: Application, call: String = #function) {
      let name = call.prefix { $0 != "(" }.dropFirst("application".count)
      calls.append("\(name), \(application.phase), \(driver.calls.last ?? "none")")
    }

    func applicationWillFinishLaunching(_ application: Application) {
      note(application)
      application.window.rootViewController = ViewController()
      #expect(driver.frames.isEmpty)
    }

    func applicationDidFinishLaunching(_ application: Application) {
      note(application)
      #expect(driver.frames.count == 1)
    }

    func applicationDidEnterBackground(_ application: Application) { note(application) }
    func applicationWillEnterForeground(_ application: Application) { note(application) }
    func applicationDidReceiveMemoryWarning(_ application: Application) { note(application) }
    func applicationWillTerminate(_ application: Application) { note(application) }
    func applicationShouldTerminate(_ application: Application) -> Bool {
      note(application)
      return agrees
    }
  }

  nonisolated private static let background = "DidEnterBackground, background, suspend"
  nonisolated private static let warning = "DidReceiveMemoryWarning, background, suspend"
  nonisolated private static let foreground = "WillEnterForeground, background, suspend"
  nonisolated private static let question = "ShouldTerminate, active, start"
  nonisolated private static let end = "WillTerminate, terminating, start"

  /// Events after launch and the calls that they cause.
  nonisolated static let table: [(events: [Event], calls: [String])] = [
    ([], []),
    ([.suspend], [background, warning, foreground]),
    ([.startEditor], [background]),
    ([.startEditor, .startEditor, .endEditor, .endEditor], [background, foreground]),
    ([.startEditor, .suspend, .endEditor], [background, foreground]),
    ([.startEditor, .terminate], [background, "WillTerminate, terminating, suspend"]),
    ([.quit], [question, end]),
    ([.quit, .quit, .terminate], [question, end]),
    ([.quitRefused], [question]),
    ([.quitRefused, .terminate], [question, end]),
    ([.hangup, .hangup], [end]),
    ([.abandon, .terminate, .startEditor], []),
  ]

  @Test(arguments: table) func `each event calls the delegate once`(events: [Event], calls: [String]) throws {
    let driver = MemoryDriver(rows: 5, columns: 40)
    let application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: Theme([:]))
    let (recorder, process) = (Recorder(driver), TestProcess())
    application.delegate = recorder
    application.process = process
    process.stopping = { #expect(recorder.calls.last == Self.warning) }
    try application.launch()
    #expect(recorder.calls == ["WillFinishLaunching, launching, none", "DidFinishLaunching, active, start"])
    recorder.calls = []
    for event in events {
      recorder.agrees = event != .quitRefused
      switch event {
      case .suspend: application.suspend()
      case .startEditor: _ = application.enterBackground()
      case .endEditor: application.enterForeground()
      case .quit, .quitRefused: application.quit()
      case .terminate: application.terminate(status: 143)
      case .hangup: driver.hangUp()
      case .abandon: application.abandon()
      }
    }
    #expect(recorder.calls == calls)
  }
}
