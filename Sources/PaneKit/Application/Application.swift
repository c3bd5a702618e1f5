import Dispatch
public import Terminal
public import Timekeeping

/// A terminal application. It runs on the main queue: it receives events from the driver, routes keys to responders,
/// and draws at most one frame per turn of the queue.
@MainActor
public final class Application: Responder, TerminalDriverDelegate {
  public let driver: any TerminalDriver
  public let clock: any ProgramClock
  public let window: Window
  public weak var delegate: (any ApplicationDelegate)?
  /// Requests the user's confirmation before a large text is pasted. Held weakly. If nil, large texts are pasted
  /// without confirmation.
  public weak var pasteDelegate: (any PasteDelegate)?
  /// The process that the application runs in, for suspending and ending it. Held weakly. If nil, the application can't
  /// be suspended, and the process continues after the application has terminated.
  public weak var process: (any ApplicationProcess)?
  /// Saves the state of the screen between runs.
  public var restoration: (any RestorationStore)?
  public private(set) var phase = ApplicationPhase.launching

  /// Whether the application draws each frame as soon as one is needed. If false, only ``showFrame()`` draws frames, so
  /// that their number doesn't depend on timing.
  public var showsFramesAtOnce = true

  /// Edits texts in another program on the same terminal. Nil if no such program is available.
  public var externalEditor: (any ExternalEditor)?

  /// The keys pressed so far of an incomplete sequence or count, such as `g`.
  public var pendingKeys: [Key] { router.pending }

  /// Number of keys pressed by the user or by macros.
  public private(set) var keyCount = 0

  /// Sent after a responder has handled a key or a sequence.
  public var didHandleKey = TargetActions()

  /// Sent before a key or a mouse event is routed.
  public var willHandleInput = TargetActions()

  /// Sent after a mouse event has been routed.
  public var didHandleMouse = TargetActions()
  /// Sent after the terminal's known capabilities have changed.
  public var didChangeCapabilities = TargetActions()

  public var didChangePendingKeys = TargetActions()

  private let router: KeyRouter
  private static let mostMacros = 4
  private var macroDepth = 0
  private let linear = LinearPresenter()
  private var observers = ObserverList<any ApplicationObserver>()
  private var needsFrame = false
  private var isFrameScheduled = false
  private var isHandlingEvents = false
  private static let fewestBurstCharacters = 16
  /// Whether the events being handled are text of several lines that was read at once, as an unbracketed paste is.
  public private(set) var isInTextBurst = false

  /// Delay between a change and saving the state. Further changes don't extend it.
  private static let saveDelay = Duration.seconds(3)
  private var saveTimer: ProgramTimer?
  /// The state last loaded from or saved to the store. Another process may have changed the stored state since then.
  private var savedState: StateArchive?
  /// Whether ``restoration`` must still be notified of the first frame.
  private var awaitsFirstFrame = false

  public init(driver: any TerminalDriver, clock: any ProgramClock, keymap: Keymap, theme: Theme) {
    self.driver = driver
    self.clock = clock
    self.router = KeyRouter(keymap: keymap)
    self.window = Window(size: driver.size, theme: theme)
    super.init()
    window.application = self
    driver.delegate = self
  }

  public var keymap: Keymap { router.keymap }

  /// Creates a theme that suits a terminal's capabilities. If nil, the theme stays the same for all terminals.
  public var makeTheme: (@MainActor (TerminalCapabilities) -> Theme)? {
    didSet { if phase == .active { adaptTheme(to: driver.capabilities) } }
  }

  private func adaptTheme(to capabilities: TerminalCapabilities) {
    guard let theme = makeTheme?(capabilities), theme != window.theme else { return }
    window.theme = theme
    setNeedsFrame()
  }

  /// Replaces the keymap. Discards an incomplete key sequence.
  public func use(_ keymap: Keymap) {
    router.forgetPending()
    router.keymap = keymap
    window.keymapDidChange()
    didChangePendingKeys.send()
  }

  /// Runs a prompt command that is bound to a key.
  public var runCommand: (@MainActor (String) -> Void)?

  override public var nextResponder: Responder? { nil }

  /// Sets up the terminal, restores the state of the last run, and draws the first frame.
  ///
  /// - Throws: The driver's error if it can't use the terminal.
  public func launch() throws {
    delegate?.applicationWillFinishLaunching(self)
    try driver.start()
    window.use(driver.capabilities.textForm)
    adaptTheme(to: driver.capabilities)
    window.resize(to: driver.size)
    restoreState()
    awaitsFirstFrame = true
    phase = .active
    presentFrame()
    tellObservers()
    delegate?.applicationDidFinishLaunching(self)
  }

  /// Terminates the application, unless its delegate refuses. Call this when the user quits; signals can't be refused.
  public func quit() {
    guard phase != .terminating, delegate?.applicationShouldTerminate(self) ?? true else { return }
    terminate()
  }

  /// Saves the state, restores the terminal and ends the process.
  public func terminate(status: Int32 = 0) {
    guard phase != .terminating else { return }
    saveState(isLeaving: true)
    phase = .terminating
    delegate?.applicationWillTerminate(self)
    tellObservers()
    driver.stop()
    process?.end(status: status)
  }

  /// Restores the terminal and ends the application, but not the process. Saves nothing and notifies no observers, as
  /// if the process had been killed.
  public func abandon() {
    guard phase != .terminating else { return }
    phase = .terminating
    saveTimer = nil
    driver.stop()
  }

  /// Restores the terminal and stops the process. After the process has been continued, sets up the terminal again.
  public func suspend() {
    guard let process, process.canStop, enterBackground() else { return }
    delegate?.applicationDidReceiveMemoryWarning(self)
    process.stop()
    enterForeground()
  }

  /// Releases the terminal to another program until ``enterForeground()``. Until then, the application draws nothing
  /// and receives no keys, but everything else continues. Returns false if the application isn't active.
  public func enterBackground() -> Bool {
    guard phase == .active else { return false }
    driver.suspend()
    saveState(isLeaving: true)
    phase = .background
    tellObservers()
    delegate?.applicationDidEnterBackground(self)
    return true
  }

  /// Sets up the terminal again after ``enterBackground()``, and redraws everything.
  public func enterForeground() {
    guard phase == .background else { return }
    delegate?.applicationWillEnterForeground(self)
    driver.resume()
    linear.forget()
    window.resize(to: driver.size)
    phase = .active
    tellObservers()
    setNeedsFrame()
  }

  /// Redraws the whole screen, in case another program has written to the terminal.
  public func redraw() {
    driver.redrawAll()
    linear.forget()
    setNeedsFrame()
  }

  public func addObserver(_ observer: some ApplicationObserver) {
    observers.add(observer) { $0 }
  }

  /// Requests a frame. Several requests in one turn of the main queue result in one frame.
  public func setNeedsFrame() {
    needsFrame = true
    guard phase == .active, showsFramesAtOnce, !isHandlingEvents, !isFrameScheduled else { return }
    isFrameScheduled = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        self?.isFrameScheduled = false
        self?.presentFrame()
      }
    }
  }

  public func terminalDriver(_ driver: any TerminalDriver, didReceive events: [TerminalEvent]) {
    isHandlingEvents = true
    isInTextBurst = Self.isTextBurst(events)
    for event in events where phase != .terminating { window.measuring { handle(event) } }
    isHandlingEvents = false
    isInTextBurst = false
    if showsFramesAtOnce { presentFrame(isAnswer: events.contains { $0.isTyped }) }
  }

  /// Whether text follows Enter in events that were read at once, or Enter follows more text than fingers type while a
  /// slow connection delays it.
  private static func isTextBurst(_ events: [TerminalEvent]) -> Bool {
    guard let enter = events.firstIndex(of: .key(Key(.enter))) else { return false }
    return events[enter...].contains { $0.typedCharacter != nil }
      || events.count { $0.typedCharacter != nil } >= fewestBurstCharacters
  }

  private func handle(_ event: TerminalEvent) {
    switch event {
    case .key(let key):
      window.updateFirstResponder()
      willHandleInput.send()
      let pending = router.pending
      keyCount += 1
      let first = window.effectiveFirstResponder
      let outcome = router.route(key, to: first)
      if router.pending != pending { didChangePendingKeys.send() }
      switch outcome {
      case .handled: didHandleKey.send()
      case .pending: break
      case .macro(let keys): press(keys)
      case .command(let line): runCommand?(line)
      case .ignored(let keys, let actions): _ = first.chain.contains { $0.didIgnore(keys, asking: actions) }
      }
    case .paste(let text):
      window.updateFirstResponder()
      let isTaken = window.effectiveFirstResponder.chain.contains { $0.pasteText(text) }
      if !isTaken { pasteDelegate?.applicationDidIgnorePaste(self) }
    case .pasteStalls:
      pasteDelegate?.applicationDidStallPaste(self)
    case .resize(let size):
      window.resize(to: size)
      setNeedsFrame()
    case .mouse(let event):
      willHandleInput.send()
      window.route(event)
      didHandleMouse.send()
      // A click cancels an incomplete key sequence.
      guard event.kind == .press, !router.pending.isEmpty else { return }
      router.forgetPending()
      didChangePendingKeys.send()
    case .capabilities(let capabilities):
      window.use(capabilities.textForm)
      adaptTheme(to: capabilities)
      didChangeCapabilities.send()
    case .hangup:
      terminate(status: 1)
    }
  }

  /// Handles `keys` as if the user had pressed them: the keys of a macro, or a key that a sheet forwards. A macro's
  /// keys can start other macros, up to a nesting limit.
  public func press(_ keys: [Key]) {
    guard macroDepth < Self.mostMacros else { return }
    macroDepth += 1
    for key in keys where phase == .active { handle(.key(key)) }
    macroDepth -= 1
  }

  /// Draws a frame if one was requested. Returns whether a frame was drawn.
  public func showFrame() -> Bool { presentFrame() }

  @discardableResult
  private func presentFrame(isAnswer: Bool = false) -> Bool {
    guard needsFrame, phase == .active else { return false }
    let frame = window.render()
    // During `render()`, layout requests a frame for views that need display. `render()` has just drawn them, so
    // discard the request.
    needsFrame = false
    defer { didShowFrame(isAnswer: isAnswer) }
    guard driver.capabilities.isLinear else {
      driver.present(frame)
      return true
    }
    let words = window.measuring { linear.text(of: window, isAnswer: isAnswer) }
    if !words.isEmpty { driver.append(words) }
    return true
  }

  private func didShowFrame(isAnswer: Bool) {
    if awaitsFirstFrame {
      awaitsFirstFrame = false
      restoration?.didShowFirstFrame()
    }
    saveStateSoon(isAnswer: isAnswer)
  }

  // MARK: State

  /// Shows `root` in place of the current root controller. Before that, saves the current controller's state and
  /// dismisses all sheets.
  ///
  /// - Parameter restoration: Saves the state of `root` from now on.
  /// - Parameter isNew: Whether `root` is a new controller, which restores its state from the last run.
  public func show(_ root: ViewController, restoredBy restoration: (any RestorationStore)?, isNew: Bool) {
    guard phase != .terminating, root !== window.rootViewController else { return }
    saveState(isLeaving: true)
    window.dismissAll()
    router.forgetPending()
    self.restoration = restoration
    savedState = nil
    window.measuring {
      window.rootViewController = root
      // The text form may have changed while the controller wasn't in the window.
      root.view.textFormDidChange()
    }
    if isNew {
      restoreState()
      awaitsFirstFrame = true
    }
    linear.forget()
    setNeedsFrame()
  }

  private var currentState: StateArchive { window.rootViewController?.archive() ?? [:] }

  /// Schedules saving the state if the frame responds to user input or the state has changed. Other frames schedule
  /// nothing, so that an idle program doesn't wake up for them.
  private func saveStateSoon(isAnswer: Bool) {
    guard restoration != nil, saveTimer == nil, isAnswer || currentState != savedState else { return }
    saveTimer = clock.schedule(after: Self.saveDelay) { [weak self] in self?.saveState(isLeaving: false) }
  }

  /// Saves the state if it has changed. If `isLeaving` is true, saves the state even if it is unchanged, because
  /// another process may have replaced it in the store, and waits until it is on disk.
  private func saveState(isLeaving: Bool) {
    saveTimer = nil
    guard let restoration, delegate?.applicationShouldSaveApplicationState(self) ?? true else { return }
    let state = currentState
    if isLeaving || state != savedState { restoration.save(state) }
    savedState = state
    if isLeaving { restoration.flush() }
  }

  private func restoreState() {
    guard let restoration, delegate?.applicationShouldRestoreApplicationState(self) ?? true else { return }
    guard let archive = restoration.load() else { return }
    savedState = archive
    window.measuring { _ = window.rootViewController?.restore(from: archive) }
  }

  private func tellObservers() {
    observers.forEach { $0.application(self, didChangeTo: phase) }
  }
}
