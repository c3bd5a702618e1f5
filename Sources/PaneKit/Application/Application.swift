import Dispatch
public import Terminal
public import Timekeeping

/// The program as the terminal's user sees it: takes events from the driver, hands keys to responders and shows at most
/// one frame a turn. The main queue is its run loop.
@MainActor
public final class Application: Responder, TerminalDriverDelegate {
  public let driver: any TerminalDriver
  public let clock: any ProgramClock
  public let window: Window
  public weak var delegate: (any ApplicationDelegate)?
  /// Asked and told about pastes. Held weakly; nil: large texts are pasted without a question.
  public weak var pasteDelegate: (any PasteDelegate)?
  /// Stops and ends the process. Held weakly; nil: it cannot be stopped, and goes on when the application has ended.
  public weak var process: (any ApplicationProcess)?
  /// Keeps the state of the screen for the next start; nil: nothing does.
  public var restoration: (any RestorationStore)?
  public private(set) var phase = ApplicationPhase.launching

  /// Whether frames are shown as soon as something asks for one. Otherwise only ``showFrame()`` shows them, so that the
  /// number of frames does not depend on the order in which things happen.
  public var showsFramesAtOnce = true

  /// Edits texts outside of this program, on its terminal. Set by whoever owns the process; nil: nothing does.
  public var externalEditor: (any ExternalEditor)?

  /// Keys typed so far of a sequence that goes on, such as `g`.
  public var pendingKeys: [Key] { router.pending }

  /// How many keys were pressed so far.
  public private(set) var keyCount = 0

  /// Sent after a key, or a sequence of keys, has done something.
  public var didHandleKey = TargetActions()

  /// Sent before a key is looked up, and before a click or a turn of the wheel is handed to a view.
  public var willHandleInput = TargetActions()

  /// Sent after a click, or a turn of the wheel, was handed to the view under it.
  public var didHandleMouse = TargetActions()
  /// The terminal has said that it can do something else than was known.
  public var didChangeCapabilities = TargetActions()

  /// Sent when ``pendingKeys`` change.
  public var didChangePendingKeys = TargetActions()

  private let router: KeyRouter
  private static let mostMacros = 4
  private var macroDepth = 0
  private let linear = LinearPresenter()
  private var observers = ObserverList<any ApplicationObserver>()
  private var needsFrame = false
  private var isFrameScheduled = false
  private var isHandlingEvents = false

  /// How long after a change the state is saved. The first of many changes counts.
  private static let saveDelay = Duration.seconds(3)
  private var saveTimer: ProgramTimer?
  /// The state that the store has, as far as this program knows.
  private var savedState: StateArchive?
  /// Whether ``restoration`` waits to hear of the first frame.
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

  /// Makes the theme for a terminal; nil: the one that there is fits all.
  public var makeTheme: (@MainActor (TerminalCapabilities) -> Theme)? {
    didSet { if phase == .active { adaptTheme(to: driver.capabilities) } }
  }

  private func adaptTheme(to capabilities: TerminalCapabilities) {
    guard let theme = makeTheme?(capabilities), theme != window.theme else { return }
    window.theme = theme
    setNeedsFrame()
  }

  /// Goes by other keys from now on.
  public func use(_ keymap: Keymap) {
    router.forgetPending()
    router.keymap = keymap
    window.keymapDidChange()
    didChangePendingKeys.send()
  }

  /// Runs a command of the prompt, for keys that ask for one.
  public var runCommand: (@MainActor (String) -> Void)?

  override public var nextResponder: Responder? { nil }

  /// Takes the terminal over and shows the first frame.
  ///
  /// - Throws: the driver's error if there is no terminal that it can use.
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

  /// Gives the terminal back and ends the program.
  public func terminate(status: Int32 = 0) {
    guard phase != .terminating else { return }
    saveState(isLeaving: true)
    phase = .terminating
    tellObservers()
    delegate?.applicationWillTerminate(self)
    driver.stop()
    process?.end(status: status)
  }

  /// Gives the terminal back and does nothing more, as after a kill: nobody is told, and nothing is saved.
  public func abandon() {
    guard phase != .terminating else { return }
    phase = .terminating
    saveTimer = nil
    driver.stop()
  }

  /// Gives the terminal back, stops the process, and goes on when it is continued.
  public func suspend() {
    guard let process, process.canStop, enterBackground() else { return }
    process.stop()
    enterForeground()
  }

  /// Gives the terminal back until ``enterForeground()``: nothing is drawn meanwhile, and keys are somebody else's. All
  /// else goes on. Returns false where it is not in use here.
  public func enterBackground() -> Bool {
    guard phase == .active else { return false }
    driver.suspend()
    saveState(isLeaving: true)
    phase = .background
    tellObservers()
    delegate?.applicationDidEnterBackground(self)
    return true
  }

  /// Takes the terminal again after ``enterBackground()``, and draws all anew.
  public func enterForeground() {
    guard phase == .background else { return }
    driver.resume()
    linear.forget()
    window.resize(to: driver.size)
    phase = .active
    delegate?.applicationWillEnterForeground(self)
    tellObservers()
    setNeedsFrame()
  }

  /// Draws the whole screen anew, for a terminal that something else has written to.
  public func redraw() {
    driver.redrawAll()
    linear.forget()
    setNeedsFrame()
  }

  public func addObserver(_ observer: some ApplicationObserver) {
    observers.add(observer) { $0 }
  }

  /// Asks for a frame at the end of this turn.
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
    for event in events where phase != .terminating { window.measuring { handle(event) } }
    isHandlingEvents = false
    if showsFramesAtOnce { presentFrame(isAnswer: events.contains { $0.isTyped }) }
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
      // A click ends a sequence of keys.
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

  /// Presses the keys of a macro, or one that a sheet passes on. Macros may press others, but not without end.
  public func press(_ keys: [Key]) {
    guard macroDepth < Self.mostMacros else { return }
    macroDepth += 1
    for key in keys where phase == .active { handle(.key(key)) }
    macroDepth -= 1
  }

  /// Shows the frame that was asked for, if any. Returns whether there was one.
  public func showFrame() -> Bool { presentFrame() }

  @discardableResult
  private func presentFrame(isAnswer: Bool = false) -> Bool {
    guard needsFrame, phase == .active else { return false }
    let frame = window.render()
    // Layout marks views that this pass has already drawn.
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

  /// Shows another screen in place of the root controller, whose sheets close and whose state is saved.
  ///
  /// - Parameters:
  ///   - restoration: keeps the state of `root` from now on.
  ///   - isNew: whether `root` takes up its state of the last run.
  public func show(_ root: ViewController, keptBy restoration: (any RestorationStore)?, isNew: Bool) {
    guard phase != .terminating, root !== window.rootViewController else { return }
    saveState(isLeaving: true)
    window.dismissAll()
    router.forgetPending()
    self.restoration = restoration
    savedState = nil
    window.measuring {
      window.rootViewController = root
      // The terminal may have told more while it was away.
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

  /// Has the state saved within moments of a frame that may show another one. What comes by itself mostly changes
  /// nothing: an idle program does not wake up for it.
  private func saveStateSoon(isAnswer: Bool) {
    guard restoration != nil, saveTimer == nil, isAnswer || currentState != savedState else { return }
    saveTimer = clock.schedule(after: Self.saveDelay) { [weak self] in self?.saveState(isLeaving: false) }
  }

  /// Saves the state if it has changed; on leaving in any case, as another program may have saved its own meanwhile.
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
