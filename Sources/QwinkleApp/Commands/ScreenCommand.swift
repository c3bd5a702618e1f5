import ArgumentParser
import Foundation
import Logging
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import QwinkleWire
import Terminal
import TerminalCurses
import Timekeeping

/// `qwinkle screen`, and `qwinkle` alone: shows the screen.
struct ScreenCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen", abstract: "Open the full-screen client (the default).")

  @OptionGroup var options: ServerOptions

  @OptionGroup(title: "Terminal options") var screen: ScreenOptions

  @MainActor private static var process: ScreenProcess?

  func start() throws {
    try Self.start(options.choice, screen.form)
  }

  @MainActor
  static func start(_ choice: SessionChoice, _ form: ScreenForm = ScreenForm(), recording: Recording? = nil) throws {
    guard isatty(1) != 0 else {
      return CommandRunner.run(choice) { session, clock in
        try await TimelineCommand.print(
          .named(.public), without: HiddenQwinks(rules: UserConfig.hideRules), try ListOptions.parse([]),
          try TranslateOption.parse([]), session, PlainStyle(clock))
      }
    }
    WarmUp.begin()
    let clock = SystemClock()
    let ledger = ActivityLedger()
    let paths = Paths()
    // Record with the recording's own home folder, so that the result doesn't depend on this machine's configuration.
    let screenPaths = recording.map { Paths(environment: ["HOME": $0.home]) } ?? paths
    let config = ConfigCenter(screenPaths)
    config.isMetered = form.isMetered
    let form = form.completed(by: config.config)
    let link = form.link ?? .off
    let conditioner = link == .off ? nil : LinkConditioner(clock: clock, condition: link)
    let record = recording?.recorder(clock)
    let wrappers = AccountSession.TransportWrappers(
      requests: { transport in
        let treated = conditioner.map { transport.conditioned(by: $0) } ?? transport
        return record?(treated) ?? treated
      },
      streams: { streams in conditioner.map { streams.conditioned(by: $0, ledger: ledger) } ?? streams })
    var begun = try AccountSession.begin(choice, paths: paths, clock: clock, ledger: ledger, wrappers: wrappers)
    // The replay of a recording fetches nothing in advance either.
    if recording != nil { begun.fetchesAhead = false }
    let session = begun
    // A recording shows a single account.
    let others =
      recording == nil ? BookAccounts(paths: paths, clock: clock, ledger: ledger, wrappers: wrappers) : nil
    let input = choice.takesTokenFromStandardInput ? try keyboard() : 0
    let driver = DriverChoice.driver(isLinear: form.isLinear, input: input, form: form.text)
    driver.usesMouse = form.usesMouse ?? true
    let log = FileLog.logger(directory: paths.state, clock: clock)
    if session.service != nil, let distrust = SharedTimeline.distrust(paths) { log.warning("\(distrust)") }
    let browser = SystemBrowser()
    let graph = try ScreenGraph(
      session: session, driver: driver, clock: clock, ledger: ledger,
      paths: screenPaths, log: log, opener: browser, isFresh: form.isFresh, config: config, others: others)
    let application = graph.application
    let process = ScreenProcess(graph, driver: driver, form: form, recording: recording, log: log)
    self.process = process
    application.process = process
    let crashReport = CrashReport(directory: paths.state)
    let crash = crashReport.tell()
    let first = [crash, config.remark].compactMap(\.self).joined(separator: " ")
    if !first.isEmpty { graph.main.announce(first) }
    let editor = OutsideEditor(application: application, directory: paths.state, input: input)
    editor.chosen = config[.editor].text
    application.externalEditor = editor
    let player = OutsidePlayer(application: application, input: input)
    player.didFail = { [weak graph] in graph?.main.announce($0) }
    browser.playInTerminal = { player.play($0, by: $1) }
    driver.onReloadSignal = { [weak graph] in graph?.reload() }
    driver.onSuspendSignal = { [weak application] in application?.suspend() }
    driver.onTerminationSignal = { [weak application] signal in application?.terminate(status: 128 + signal) }
    let tour = FirstTour(directory: paths.state)
    let showsTour = recording == nil && !form.isLinear && !form.isFresh && tour.isDue
    try application.launch()
    if let tape = recording?.tape { process.recorder = InputRecorder(driver, clock: clock, file: tape) }
    if showsTour {
      graph.main.showTour(of: place(of: session))
      tour.noteShown()
    }
    // Run after the first frame, which doesn't need any of this.
    Task {
      crashReport.arm()
      do {
        try await session.becomeReady()
      } catch {
        process.failure = error
        return application.terminate(status: AppError(error).status)
      }
      if let remark = graph.remark {
        graph.main.announce([crash, config.remark, remark].compactMap(\.self).joined(separator: " "))
      }
    }
  }

  private static func place(of session: AccountSession) -> TourPlace {
    if session.service != nil { return .machine }
    if session.shared != nil { return .host(name: session.words) }
    return session.isSignedIn ? .account : .visitor(server: session.words)
  }

  /// Opens the terminal to read keys from. Standard input can't be used, since the token is read from it.
  private static func keyboard() throws(AppError) -> Int32 {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .failed("No terminal to read keys from. To print instead: qwinkle timeline public")
    }
    return descriptor
  }
}

/// Suspends the process of a screen for ^Z, and ends it after cleaning up.
@MainActor
private final class ScreenProcess: ApplicationProcess {
  /// The error that prevented the session from becoming ready, if any.
  var failure: (any Error)?

  /// Records the user's input, if requested.
  var recorder: InputRecorder?

  private let graph: ScreenGraph
  private let driver: any ProcessDriver
  private let form: ScreenForm
  private let recording: Recording?
  private let log: Logger

  init(_ graph: ScreenGraph, driver: any ProcessDriver, form: ScreenForm, recording: Recording?, log: Logger) {
    self.graph = graph
    self.driver = driver
    self.form = form
    self.recording = recording
    self.log = log
  }

  let canStop = true

  func stop() { ProcessControl.stopJob() }

  func end(status: Int32) {
    log.info("\(driver.statistics.sentence)")
    if form.tellsStatistics { StandardOutput.remark(driver.statistics.sentence) }
    graph.close()
    FileLog.flush()
    recording?.removeHome()
    do {
      if let failure {
        // The session never became ready, so don't finish the recording: `discardIfEmpty()` removes a new file, and an
        // existing file keeps its content.
        recording?.discardIfEmpty()
        throw failure
      }
      try recording?.finish()
    } catch {
      QwinkleProgram.end(with: error)
    }
    QwinkleProgram.end(status: status)
  }
}
