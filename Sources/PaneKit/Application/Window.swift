public import Terminal

/// The whole screen: a root controller, the sheets over it, and who gets the keys.
@MainActor
public final class Window: Responder {
  private let root = View()
  var rootView: View { root }
  private var surface: Surface
  private struct PresentedSheet {
    let controller: ViewController
    weak var previousResponder: Responder?
  }
  private var sheets: [PresentedSheet] = []
  /// Where the mouse's button went down and has not come up again.
  weak var draggedView: View?

  public internal(set) weak var application: Application?

  public private(set) var size: Size
  public var theme: Theme {
    didSet { root.setNeedsDisplay() }
  }

  /// Where keys go first. Held weakly; the root controller gets them when it is gone.
  public weak var firstResponder: Responder? {
    didSet {
      guard firstResponder !== oldValue else { return }
      // Who has the keys may look so.
      (oldValue as? View)?.setNeedsDisplay()
      (firstResponder as? View)?.setNeedsDisplay()
      setNeedsFrame()
      didMoveKeys.send()
    }
  }

  /// Told after keys go elsewhere, or will when the sheets are gone.
  public var didMoveKeys = TargetActions()

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
    self.surface = Surface(size: size)
    super.init()
    root.owningWindow = self
    root.frame = Rect(origin: .zero, size: size)
    root.layout = { [weak self] size in self?.arrange(in: size) }
  }

  override public var nextResponder: Responder? { application }

  public var traits: Traits { Traits(size: size) }

  /// The sheet on top.
  public var topSheet: ViewController? { sheets.last?.controller }

  /// Where the next key goes.
  public var effectiveFirstResponder: Responder {
    firstResponder ?? topSheet?.initialFirstResponder ?? rootViewController?.initialFirstResponder ?? self
  }

  /// Which part of the root controller has the keys, or gets them back when the sheets are gone.
  public var rootResponder: Responder? {
    sheets.isEmpty ? firstResponder : sheets[0].previousResponder
  }

  /// Gives the keys to a part of the root controller; while sheets have them, once those are gone.
  public func giveKeys(to responder: Responder?) {
    guard !sheets.isEmpty else { return firstResponder = responder }
    sheets[0].previousResponder = responder
    didMoveKeys.send()
  }

  func resize(to size: Size) {
    guard size != self.size else { return }
    self.size = size
    surface = Surface(size: size)
    root.frame = Rect(origin: .zero, size: size)
    root.setNeedsLayout()
    root.setNeedsDisplay()
    rootViewController?.traitsChanged(traits)
    for sheet in sheets { sheet.controller.traitsChanged(traits) }
  }

  /// Lays everything out anew, as text takes other columns now.
  func textFormDidChange() {
    surface = Surface(size: size)
    root.textFormDidChange()
    rootViewController?.traitsChanged(traits)
    for sheet in sheets { sheet.controller.traitsChanged(traits) }
  }

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

  /// Asks for the root controller and the sheets to be arranged again, as when a sheet wants more rows.
  public func setNeedsLayout() {
    root.setNeedsLayout()
  }

  func setNeedsFrame() {
    application?.setNeedsFrame()
  }

  /// Arranges and draws what asked for it.
  func render() -> Frame {
    // Arranging one view may ask for another to be arranged; a few rounds settle that.
    var rounds = 0
    while rounds < 4, root.layoutIfNeeded() || takeKeysFromHidden() { rounds += 1 }
    var drawn: [Rect] = []
    root.display(on: surface, origin: .zero, clip: root.bounds, theme: theme, drawn: &drawn)
    return Frame(grid: surface.grid, cursor: cursor)
  }

  /// What is not seen does not keep the keys: nobody would know what they do. Returns whether others have them now.
  private func takeKeysFromHidden() -> Bool {
    guard let view = firstResponder as? View, !view.isInSight(below: root) else { return false }
    let other = (topSheet ?? rootViewController)?.responderInSight
    guard let other, other !== view else { return false }
    firstResponder = other
    return true
  }

  private var cursor: Point? {
    guard let view = firstResponder as? View, let cursor = view.cursor else { return nil }
    let origin = view.originInWindow
    let point = Point(row: origin.row + cursor.row, column: origin.column + cursor.column)
    return root.bounds.contains(point) ? point : nil
  }

  /// The root controller fills the window; sheets stand at its foot.
  private func arrange(in size: Size) {
    rootViewController?.view.frame = Rect(origin: .zero, size: size)
    for sheet in sheets {
      let wanted = sheet.controller.preferredSheetRows?(size) ?? size.rows / 2
      let rows = min(size.rows, max(1, wanted))
      sheet.controller.view.frame = Rect(row: size.rows - rows, column: 0, rows: rows, columns: size.columns)
    }
  }
}
