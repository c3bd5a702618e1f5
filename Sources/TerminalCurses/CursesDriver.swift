import SafeText
public import Terminal

/// Draws with ncurses on the terminal that the program was started in, or on a ``MemoryTerminal``. The terminal is
/// restored after `stop()`, a signal, `exit` or a crash. Only one driver of this type can be running in a process.
@MainActor
public final class CursesDriver: ProcessDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  public var onTerminationSignal: (@MainActor (Int32) -> Void)?
  public var onReloadSignal: (@MainActor () -> Void)?
  public var onSuspendSignal: (@MainActor () -> Void)?

  /// Number of output sequences that the ``EscapeSequenceFilter`` has refused. More than 0 indicates a bug.
  public var refusedSequences: Int { filter.refused }

  private(set) var screen: CursesScreen?

  /// Smaller frames are not synchronized, because terminals show them without tearing anyway.
  private static let minimumSynchronizedBytes = 256

  private let connection: any TerminalConnection
  /// The form of text that the user has set. If nil, it depends on the locale and the terminal.
  private let form: TextForm?
  private var filter = EscapeSequenceFilter()
  private var counts = TerminalStatistics()
  /// The text form in a reply that arrived while the terminal was being released.
  private var lateForm: TextForm?
  /// Capabilities before the suspension. Replies that arrive during the suspension change the capabilities without an
  /// event, so `resume()` compares the capabilities with these.
  private var formerCapabilities: TerminalCapabilities?
  /// Whether the window's title has been pushed onto the terminal's stack.
  private var hasSavedTitle = false
  /// Whether the terminal supports synchronized output (mode 2026), which prevents it from showing half a frame.
  private var synchronizesOutput = false
  private var title = ""
  /// Whether the title must be sent with the next frame. Several changes to the title between two frames need only one
  /// write.
  private var titleIsStale = false
  private var reports = TerminalReports()
  private var pictures = PlacedPictures()
  private var drawn = InlinePictures()
  /// The latest frame, while the terminal is too busy to accept it.
  private var waitingFrame: Frame?

  /// Creates a driver for the terminal of two open descriptors, which the caller closes.
  ///
  /// - Parameters:
  ///   - input: The terminal's input. Can be an open `/dev/tty` if the standard input is not a terminal.
  ///   - form: The form of text that the user has set. If nil, it depends on the locale and the terminal.
  public convenience init(input: Int32 = 0, output: Int32 = 1, form: TextForm? = nil) {
    self.init(TerminalSession(input: input, output: output), form: form)
  }

  /// Creates a driver for a terminal with a given environment, in place of this process's environment.
  convenience init(_ descriptor: Int32, environment: TerminalEnvironment, form: TextForm? = nil) {
    self.init(TerminalSession(input: descriptor, output: descriptor, environment: environment), form: form)
  }

  /// Creates a driver for a terminal in memory.
  public convenience init(_ terminal: MemoryTerminal) {
    self.init(terminal, form: nil)
  }

  private init(_ connection: any TerminalConnection, form: TextForm?) {
    self.connection = connection
    self.form = form
    connection.handler = { [weak self] in self?.handle($0) }
  }

  public var size: Size { screen?.size ?? connection.windowSize ?? .zero }

  public var capabilities: TerminalCapabilities {
    var capabilities = screen?.capabilities ?? TerminalCapabilities(colors: 0)
    capabilities.placesPictures = reports.graphics.placesPictures
    capabilities.drawsPictures = reports.cellSize == nil ? nil : reports.graphics.drawing
    capabilities.cellSize = reports.cellSize
    capabilities.background = reports.background
    return capabilities
  }

  public var usesMouse = true {
    didSet {
      guard usesMouse != oldValue, isRunning, let screen, screen.capabilities.reportsMouse else { return }
      screen.modes.usesMouse = usesMouse
      connection.send(filter.passing(Array((usesMouse ? MouseSequence.on : MouseSequence.off).utf8)))
      connection.restoreAfterCrash(by: restoring)
    }
  }

  public var colors = ColorChoice.auto {
    didSet {
      guard colors != oldValue, let screen else { return }
      let former = capabilities
      screen.use(colors)
      if isRunning, !capabilities.looks(like: former) { tell(.capabilities(capabilities)) }
    }
  }

  public var statistics: TerminalStatistics {
    var statistics = counts
    (statistics.bytes, statistics.writes) = connection.traffic
    statistics.rows = screen?.rowsCompared ?? statistics.rows
    statistics.cells = screen?.cellsChanged ?? statistics.cells
    return statistics
  }

  public func start() throws {
    guard connection.state == .closed else { return }
    try connection.open()
    do {
      try openScreen()
    } catch {
      connection.close(sending: [])
      throw error
    }
    connection.begin(.ofOpenScreen(), sending: takingOver(), restoring: restoring)
  }

  public func present(_ frame: Frame) {
    guard let screen else { return }
    guard isRunning, !connection.isBusy else {
      screen.skip(frame)
      waitingFrame = isRunning ? frame : nil
      return
    }
    waitingFrame = nil
    counts = counts.counting {
      let frame = takeDrawn(from: frame, on: screen)
      screen.present(frame)
      let sent = takePictures(on: screen)
      var bytes = takeTitle() + filter.passing(StyleSequences.shortened(screen.takeOutput()), allowing: .links)
      let queries = reports.takeQueries(size: size, screen.capabilities, isAsked: connection.repliesToQueries)
      if !queries.isEmpty { bytes += filter.passing(asking(queries, on: screen, frame), allowing: [.queries, .links]) }
      if synchronizesOutput, bytes.count >= Self.minimumSynchronizedBytes { bytes = Self.synchronized(bytes) }
      connection.send(sent + bytes + drawing(on: screen), asking: Set(queries))
    }
  }

  public func append(_ text: String) {}

  public func copy(_ text: String) -> Bool {
    guard isRunning, capabilities.takesClipboard, let bytes = Clipboard.sequence(for: text) else { return false }
    connection.send(filter.passing(bytes, allowing: .clipboard))
    return true
  }

  public func callAttention(_ text: String?) {
    guard isRunning, let screen else { return }
    let said = text.map { DisplayWidth.plain($0, form: screen.capabilities.textForm) }
    let bytes = AttentionCall(connection.environment).bytes(saying: said)
    connection.send(filter.passing(bytes, allowing: .attention))
  }

  public func setTitle(_ title: String) {
    self.title = SafeText.line(title)
    titleIsStale = true
  }

  public func place(_ picture: PixelPicture) -> PicturePlacement? {
    guard isRunning else { return nil }
    if reports.graphics.placesPictures { return pictures.place(picture) }
    guard let drawing = capabilities.drawsPictures, (drawing == .sixel) == (picture.format == .sixel) else {
      return nil
    }
    return drawn.place(picture)
  }

  public func use(_ form: TextForm) {
    guard isRunning, let screen, form != screen.capabilities.textForm else { return }
    screen.use(form)
    tell(.capabilities(capabilities))
  }

  public func redrawAll() {
    pictures.sendAgain(shown: screen?.shown)
    screen?.redrawAll()
  }

  public func suspend() {
    guard isRunning, let screen else { return }
    // In the background nothing is sent, so the title stays on the terminal's stack.
    let keepsTitle = hasSavedTitle && connection.isInBackground
    formerCapabilities = capabilities
    screen.suspend()
    connection.suspend(sending: givingBack(screen))
    hasSavedTitle = keepsTitle
  }

  public func resume() {
    guard connection.state == .suspended, let screen else { return }
    retake(screen)
    let form = lateForm ?? screen.capabilities.textForm
    lateForm = nil
    guard form == screen.capabilities.textForm else { return use(form) }
    if isRunning, let formerCapabilities, !capabilities.looks(like: formerCapabilities) {
      tell(.capabilities(capabilities))
    }
  }

  public func stop() {
    guard connection.state != .closed else { return }
    counts = statistics
    if let screen {
      screen.close()
      connection.close(sending: givingBack(screen))
      screen.closeFile()
    }
    screen = nil
  }

  private var isRunning: Bool { connection.state == .running }

  private func openScreen() throws(TerminalError) {
    var environment = connection.environment
    if let form { environment.textForm = form }
    reports.begin(connection)
    pictures = PlacedPictures()
    drawn = InlinePictures()
    counts = TerminalStatistics()
    let screen = try CursesScreen(
      environment, colors: colors, size: connection.windowSize ?? Size(rows: 24, columns: 80))
    screen.modes.usesMouse = usesMouse && screen.capabilities.reportsMouse
    self.screen = screen
  }

  // MARK: Output through the filter

  /// Returns the first output after the terminal was acquired.
  private func takingOver() -> [UInt8] {
    guard let screen else { return [] }
    let modes = screen.modes.taking(savesTitle: !hasSavedTitle)
    hasSavedTitle = true
    titleIsStale = true
    let bytes =
      filter.passing(screen.takeOutput(), allowing: .links) + filter.passing(Array(modes.utf8), allowing: .title)
    return bytes + takeTitle()
  }

  /// Returns the last output before the terminal is released.
  private func givingBack(_ screen: CursesScreen) -> [UInt8] {
    waitingFrame = nil
    hasSavedTitle = false
    let erasing = drawn.isShown && connection.state == .running ? drawn.erasing() : []
    return filter.passing(erasing) + filter.passing(pictures.forgetAll(shown: screen.shown), allowing: .pictures)
      + filter.passing(Array(screen.modes.givingBack.utf8), allowing: .title)
      + filter.passing(StyleSequences.shortened(screen.takeOutput()), allowing: .links)
  }

  /// The output that restores the terminal after a crash. It begins by terminating a sequence and a link that the crash
  /// may have cut off.
  private var restoring: [UInt8] {
    screen.map {
      Array("\u{1B}\\".utf8) + ($0.drawsLinks ? LinkSequences.end : [])
        + filter.passing($0.restoreString, allowing: .title)
    } ?? []
  }

  private func retake(_ screen: CursesScreen) {
    screen.resume()
    connection.resume(sending: takingOver(), restoring: restoring)
    noteCellSize()
    fitToWindow()
  }

  /// Returns the commands that send the frame's missing pictures and delete surplus ones.
  private func takePictures(on screen: CursesScreen) -> [UInt8] {
    guard pictures.count > 0 else { return [] }
    let bytes = pictures.takeUnsent() + pictures.forgetSurplus(shown: screen.shown)
    return filter.passing(bytes, allowing: .pictures)
  }

  /// Returns the frame without the pictures that are drawn over its cells. Pictures that the frame no longer contains
  /// are erased by redrawing their rows.
  private func takeDrawn(from frame: Frame, on screen: CursesScreen) -> Frame {
    screen.movesCells = !drawn.isInUse
    guard drawn.isInUse else { return frame }
    let (blanked, erased) = drawn.take(from: frame, onScreenOf: screen.size)
    screen.forget(rows: erased)
    return blanked
  }

  /// Returns the output that draws the frame's pictures over its cells.
  private func drawing(on screen: CursesScreen) -> [UInt8] {
    guard drawn.isInUse else { return [] }
    return filter.passing(
      drawn.drawing(rows: screen.writtenRows, repaints: screen.repaints), allowing: .inlinePictures)
  }

  /// Returns the sequence that sets the window's title, if the title has changed.
  private func takeTitle() -> [UInt8] {
    guard titleIsStale, let screen, screen.modes.keepsTitle, !title.isEmpty else { return [] }
    titleIsStale = false
    let title = DisplayWidth.plain(title, form: screen.capabilities.textForm)
    return filter.passing(Array("\u{1B}]2;\(title)\u{1B}\\".utf8), allowing: .title)
  }

  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  /// Returns the bytes of `queries`, followed by output that redraws the row in which the terminal may have printed
  /// them.
  private func asking(_ queries: [TerminalQuery], on screen: CursesScreen, _ frame: Frame) -> [UInt8] {
    screen.redraw(row: TerminalQuery.row - 1, of: frame)
    return TerminalQuery.bytes(asking: queries) + screen.takeOutput()
  }

  // MARK: Events

  private func handle(_ event: ConnectionEvent) {
    switch event {
    case .input(let input):
      take(input.replies)
      if !input.events.isEmpty { delegate?.terminalDriver(self, didReceive: input.events) }
    case .drained:
      if let frame = waitingFrame { present(frame) }
    case .windowChange:
      noteCellSize()
      guard let screen, connection.windowSize == screen.size else { return fitToWindow() }
      // A terminal that was briefly smaller has lost its contents, although its size is the same again.
      screen.forget()
      tell(.resize(screen.size))
    case .continuation:
      guard let screen else { return }
      screen.suspend()
      _ = screen.takeOutput()
      retake(screen)
    case .suspension: suspendForSignal()
    case .reload: onReloadSignal?()
    case .termination(let number): stop(forSignal: number)
    }
  }

  private func tell(_ event: TerminalEvent) { delegate?.terminalDriver(self, didReceive: [event]) }

  /// Updates the cell size after the window has changed.
  private func noteCellSize() {
    if reports.note(cellSize: connection.cellSize) { tell(.capabilities(capabilities)) }
  }

  private func fitToWindow() {
    guard let screen, let size = connection.windowSize, size != screen.size else { return }
    screen.resize(to: size)
    tell(.resize(screen.size))
  }

  /// Processes all replies before changing the text form, because each change of the form needs a new frame.
  private func take(_ replies: [TerminalReply]) {
    guard let old = lateForm ?? screen?.capabilities.textForm else { return }
    let former = capabilities
    var form = old
    for reply in replies {
      if reply.confirmsSynchronizedOutput, !synchronizesOutput {
        synchronizesOutput = true
        screen?.modes.endsFrames = true
        connection.restoreAfterCrash(by: restoring)
      } else if !reports.take(reply, onScreenOf: size), reply.measuresText, reports.close(reply) {
        if self.form == nil || reply.query != .ambiguousWidth { form = reply.textForm(changing: form) }
      }
    }
    guard form != old else {
      if isRunning, !capabilities.looks(like: former) { tell(.capabilities(capabilities)) }
      return
    }
    if isRunning { use(form) } else { lateForm = form }
  }
}
