public import Terminal

/// The whole screen: a root controller, the sheets over it, and the first responder.
@MainActor
public final class Window: Responder {
  private let root = RootView()
  var rootView: View { root }
  private var surface: Surface
  private struct PresentedSheet {
    let controller: ViewController
    weak var previousResponder: Responder?
  }
  private var sheets: [PresentedSheet] = []
  /// Whether frames are being set: nothing is added, told or fetched meanwhile.
  private(set) var isLayingOut = false
  private var didChangeVisibility = false
  private static let maximumRounds = 8

  /// Where the mouse's button went down and has not come up again.
  weak var draggedView: View?

  public internal(set) weak var application: Application?

  public private(set) var size: Size
  /// The form of all text that is measured and drawn here: that of the driver.
  public private(set) var textForm = TextForm.unicode
  public var theme: Theme {
    didSet { root.setNeedsDisplay() }
  }

  /// Where keys go first. Held weakly; the root controller gets them when it is gone.
  public private(set) weak var firstResponder: Responder? {
    didSet {
      guard firstResponder !== oldValue else { return }
      assert(!isLayingOut, "layout gives nobody the keys")
      // The first responder may look different.
      (oldValue as? View)?.setNeedsDisplay()
      (firstResponder as? View)?.setNeedsDisplay()
      setNeedsFrame()
      oldValue?.didResignFirstResponder()
      firstResponderDidChange.send()
    }
  }

  /// Sent after another responder gets the keys, or will once the sheets are gone.
  public var firstResponderDidChange = TargetActions()

  public var rootViewController: ViewController? {
    didSet {
      oldValue?.disappear()
      oldValue?.view.removeFromSuperview()
      guard let rootViewController else { return }
      root.addSubview(rootViewController.view)
      rootViewController.appear()
      firstResponder = rootViewController.initialFirstResponder
    }
  }

  public init(size: Size, theme: Theme) {
    self.size = size
    self.theme = theme
    self.surface = Surface(size: size, form: textForm)
    super.init()
    root.owningWindow = self
    root.frame = Rect(origin: .zero, size: size)
  }

  override public var nextResponder: Responder? { application }

  public var traits: Traits { Traits(size: size) }

  /// The sheet on top.
  public var topSheet: ViewController? { sheets.last?.controller }

  /// Where the next key goes.
  public var effectiveFirstResponder: Responder {
    firstResponder ?? topSheet?.initialFirstResponder ?? rootViewController?.initialFirstResponder ?? self
  }

  /// The part of the root controller that has the keys, or gets them back when the sheets are gone.
  public var rootResponder: Responder? {
    sheets.isEmpty ? firstResponder : sheets[0].previousResponder
  }

  /// Gives the keys to `responder`. If sheets stand over the part of the window that it belongs to, it gets them once
  /// those are gone.
  public func makeFirstResponder(_ responder: Responder?) {
    let chain = responder?.chain ?? []
    let sheet = sheets.lastIndex { sheet in chain.contains { $0 === sheet.controller } } ?? -1
    guard sheet + 1 < sheets.count else { return firstResponder = responder }
    sheets[sheet + 1].previousResponder = responder
    firstResponderDidChange.send()
  }

  func resize(to size: Size) {
    guard size != self.size else { return }
    self.size = size
    surface = Surface(size: size, form: textForm)
    root.frame = Rect(origin: .zero, size: size)
    root.setNeedsLayout()
    root.setNeedsDisplay()
    rootViewController?.traitsChanged(traits)
    for sheet in sheets { sheet.controller.traitsChanged(traits) }
  }

  /// Lays everything out anew in another form of text.
  func use(_ form: TextForm) {
    guard form != textForm else { return }
    textForm = form
    surface = Surface(size: size, form: form)
    measuring {
      root.textFormDidChange()
      rootViewController?.traitsChanged(traits)
      for sheet in sheets { sheet.controller.traitsChanged(traits) }
    }
  }

  /// Does what measures text, in the form of this window and with the keys that sentences name.
  func measuring<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Keymap.$current.withValue(application?.keymap) {
      textForm == .current ? try body() : try TextForm.$current.withValue(textForm, operation: body)
    }
  }

  /// Draws everything again, as the keys that sentences name may have changed.
  func keymapDidChange() { root.setNeedsDisplay() }

  func present(_ sheet: ViewController) {
    guard !sheets.contains(where: { $0.controller === sheet }) else { return }
    sheets.append(PresentedSheet(controller: sheet, previousResponder: firstResponder))
    root.addSubview(sheet.view)
    // It may go again as soon as it appears.
    firstResponder = sheet.initialFirstResponder
    sheet.appear()
  }

  func dismiss(_ sheet: ViewController) {
    guard let index = sheets.firstIndex(where: { $0.controller === sheet }) else { return }
    let isOnTop = index == sheets.count - 1
    let presented = sheets.remove(at: index)
    sheet.disappear()
    sheet.view.removeFromSuperview()
    if isOnTop {
      firstResponder = presented.previousResponder
    } else {
      sheets[index].previousResponder = presented.previousResponder
    }
  }

  func dismissAll() {
    while let sheet = topSheet { dismiss(sheet) }
  }

  func setNeedsFrame() {
    application?.setNeedsFrame()
  }

  /// Updates properties, then frames, until nothing asks for more. Most frames take two rounds: a change, and a look
  /// whether anything follows from it.
  func layoutIfNeeded() {
    measuring { layoutUntilSettled() }
  }

  private func layoutUntilSettled() {
    for _ in 0..<Self.maximumRounds {
      let didUpdate = root.updatePropertiesIfNeeded()
      let didLayout = layoutViews()
      if didChangeVisibility { visibilityDidChange() }
      guard updateFirstResponder() || didUpdate || didLayout else { return }
    }
    ProgrammingError.report("layout does not settle")
  }

  /// The layout of one round, which sets frames and nothing else. Returns whether anything asked for it.
  func layoutViews() -> Bool {
    isLayingOut = true
    defer { isLayingOut = false }
    return root.layoutIfNeeded()
  }

  /// Lays out and draws what asked for it.
  func render() -> Frame {
    layoutIfNeeded()
    var drawn: [Rect] = []
    measuring { root.display(on: surface, origin: .zero, clip: root.bounds, theme: theme, drawn: &drawn) }
    return Frame(grid: surface.grid, cursor: cursor, changedRows: RangeSet(drawn.map(\.rows)))
  }

  /// A view was shown or hidden: has controllers appear and disappear, after layout.
  func visibilityDidChange() {
    didChangeVisibility = isLayingOut
    guard !isLayingOut else { return }
    rootViewController?.updateAppearance()
    for sheet in sheets { sheet.controller.updateAppearance() }
  }

  /// A first responder that is hidden, gone or behind a sheet resigns: nobody would know what keys do there. Returns
  /// whether another one has the keys now.
  @discardableResult
  func updateFirstResponder() -> Bool {
    guard let top = topSheet ?? rootViewController else { return false }
    let holder = effectiveFirstResponder
    let view = holder as? View ?? (holder as? ViewController)?.view
    guard view?.isInSight(in: top.view) == false, let other = top.responderInSight, other !== holder else {
      return false
    }
    firstResponder = other
    return true
  }

  private var cursor: Point? {
    guard let view = firstResponder as? View, let cursor = view.cursor else { return nil }
    let origin = view.originInWindow
    let point = Point(row: origin.row + cursor.row, column: origin.column + cursor.column)
    return root.bounds.contains(point) ? point : nil
  }

  /// The root controller fills the window; sheets stand at its foot with the rows that they want.
  fileprivate var layout: Layout {
    let sheets = sheets.map { Layout.rows([.fill: nil, .intrinsic: $0.controller.view]) as any LayoutItem }
    return .layers((rootViewController.map { [$0.view] } ?? []) + sheets)
  }
}

/// Holds the views of the root controller and of the sheets.
private final class RootView: View {
  override func layout(in size: Size) -> Layout? { owningWindow?.layout }
}
