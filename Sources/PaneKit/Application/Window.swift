public import Terminal

/// The whole screen: a root controller, sheets on top of it, and the first responder. A sheet is a controller presented
/// at the bottom of the window, such as a dialog.
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
  /// Whether layout is in progress. Layout only sets frames: it must not add or remove views, move focus or notify
  /// other objects.
  private(set) var isLayingOut = false
  private var didChangeVisibility = false
  private static let maximumRounds = 8

  /// The view that handled the press of the mouse button, until the button is released.
  weak var draggedView: View?

  public internal(set) weak var application: Application?

  public private(set) var size: Size
  /// The text form used to measure and draw text, from the driver.
  public private(set) var textForm = TextForm.unicode
  public var theme: Theme {
    didSet { root.setNeedsDisplay() }
  }

  /// The first responder to receive keys. Held weakly. If nil, the initial first responder of the top sheet receives
  /// them, or of the root controller if no sheet is open.
  public private(set) weak var firstResponder: Responder? {
    didSet {
      guard firstResponder !== oldValue else { return }
      assert(!isLayingOut, "layout must not move focus")
      // Views can look different when focused.
      (oldValue as? View)?.setNeedsDisplay()
      (firstResponder as? View)?.setNeedsDisplay()
      setNeedsFrame()
      oldValue?.didResignFirstResponder()
      firstResponderDidChange.send()
    }
  }

  /// Sent after ``firstResponder`` has changed, or after a change to the responder that is focused when a sheet is
  /// dismissed.
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

  public var topSheet: ViewController? { sheets.last?.controller }

  /// The responder that receives the next key.
  public var effectiveFirstResponder: Responder {
    firstResponder ?? topSheet?.initialFirstResponder ?? rootViewController?.initialFirstResponder ?? self
  }

  /// The first responder if there are no sheets. Otherwise, the responder that becomes first responder when all sheets
  /// are dismissed.
  public var rootResponder: Responder? {
    sheets.isEmpty ? firstResponder : sheets[0].previousResponder
  }

  /// Focuses `responder`. If a sheet covers the part of the window that contains `responder`, `responder` becomes first
  /// responder when that sheet is dismissed.
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
    surface = Surface(size: size, form: textForm, after: surface)
    root.frame = Rect(origin: .zero, size: size)
    root.setNeedsLayout()
    root.setNeedsDisplay()
  }

  /// Switches to another text form. The next frame lays out and draws all views again.
  func use(_ form: TextForm) {
    guard form != textForm else { return }
    textForm = form
    surface = Surface(size: size, form: form, after: surface)
    measuring { root.textFormDidChange() }
  }

  /// Runs `body`. While it runs, text is measured in this window's text form and with the key names of its keymap.
  func measuring<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Keymap.$current.withValue(application?.keymap) {
      textForm == .current ? try body() : try TextForm.$current.withValue(textForm, operation: body)
    }
  }

  /// Redraws everything, because texts contain the names of keys, which may have changed.
  func keymapDidChange() { root.setNeedsDisplay() }

  func present(_ sheet: ViewController) {
    guard !sheets.contains(where: { $0.controller === sheet }) else { return }
    sheets.append(PresentedSheet(controller: sheet, previousResponder: firstResponder))
    root.addSubview(sheet.view)
    // Set the first responder before `appear()`, because the sheet may dismiss itself as soon as it appears.
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

  /// Updates properties and layout in rounds, until a round changes nothing. Most frames take two rounds: one for the
  /// change, and one to check for consequences. Reports a programming error after too many rounds.
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

  /// Performs one round of layout, which only sets frames. Returns whether a view needed layout.
  func layoutViews() -> Bool {
    isLayingOut = true
    defer { isLayingOut = false }
    return root.layoutIfNeeded()
  }

  /// Updates the layout and draws views that need display.
  func render() -> Frame {
    layoutIfNeeded()
    if surface.grid.hasManyLinks { forgetLinks() }
    var drawn: [Rect] = []
    measuring { root.display(on: surface, origin: .zero, clip: root.bounds, theme: theme, drawn: &drawn) }
    return Frame(grid: surface.grid, cursor: cursor, changedRows: Self.rows(of: drawn))
  }

  private static func rows(of rects: [Rect]) -> RangeSet<Int> {
    // Neighbours are joined first, because inserting a range into a set is slow.
    var ranges: [Range<Int>] = []
    for rows in rects.lazy.map(\.rows) {
      if let last = ranges.last, rows.lowerBound <= last.upperBound, last.lowerBound <= rows.upperBound {
        let (start, end) = (min(last.lowerBound, rows.lowerBound), max(last.upperBound, rows.upperBound))
        ranges[ranges.count - 1] = start..<end
      } else {
        ranges.append(rows)
      }
    }
    return RangeSet(ranges)
  }

  /// Removes links that aren't visible any more, and with them all others, which are drawn again.
  private func forgetLinks() {
    surface.grid.removeLinks()
    root.setNeedsDisplay()
    application?.driver.redrawAll()
  }

  /// Returns the link that is drawn at a point of the window, if any.
  func link(at point: Point) -> TextLink? { surface.grid.link(at: point) }

  /// Called when a view is shown or hidden. Updates the appearance of the view controllers, or defers the update until
  /// layout has finished.
  func visibilityDidChange() {
    didChangeVisibility = isLayingOut
    guard !isLayingOut else { return }
    rootViewController?.updateAppearance()
    for sheet in sheets { sheet.controller.updateAppearance() }
  }

  /// Replaces a first responder that is hidden, removed or behind a sheet, because the user couldn't see the effect of
  /// keys. Returns whether the first responder changed.
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

  /// The window's layout: the root controller fills the window. Sheets are at the bottom, with their preferred number
  /// of rows.
  fileprivate var layout: Layout {
    let sheets = sheets.map { Layout.rows([.fill: nil, .intrinsic: $0.controller.view]) as any LayoutItem }
    return .layers((rootViewController.map { [$0.view] } ?? []) + sheets)
  }
}

private final class RootView: View {
  override func layout(in size: Size) -> Layout? { owningWindow?.layout }
}
