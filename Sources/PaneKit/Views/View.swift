public import Terminal

/// A rectangle of the screen that draws itself and holds other views. What it looks like and how it arranges its
/// subviews is said by the closures ``drawing`` and ``layout``, or by a subclass.
@MainActor
open class View: Responder {
  public private(set) weak var superview: View?
  public private(set) var subviews: [View] = []

  /// Where it is in its superview.
  public var frame: Rect = .zero {
    didSet {
      guard frame != oldValue else { return }
      if frame.size != oldValue.size { setNeedsLayout() }
      superview?.setNeedsDisplay()
      setNeedsDisplay()
    }
  }

  public var isHidden = false {
    didSet { if isHidden != oldValue { (superview ?? self).setNeedsDisplay() } }
  }

  /// Draws the view; subviews draw themselves after it.
  public var drawing: (@MainActor (Canvas) -> Void)?

  /// Sets the subviews' frames, given the view's size.
  public var layout: (@MainActor (Size) -> Void)?

  /// Given what the mouse does over the view, with places counted from its upper left corner. Returns whether it was
  /// taken; otherwise the view around it is asked. After a press that was taken, what follows may lie outside the view.
  public var mouseHandler: (@MainActor (MouseEvent) -> Bool)?

  /// What it says in words, for a terminal to which text is only appended.
  public var saying: (@MainActor () -> [LinearText])?

  /// What of each kind was said last.
  var said: [LinearText.Kind: String] = [:]

  /// Whether keys can go to it first.
  public var acceptsFirstResponder = false

  /// The controller whose root view this is.
  weak var controller: ViewController?
  weak var owningWindow: Window?

  private(set) var needsLayout = true
  /// What has to be drawn again, in its own coordinates; nil: nothing.
  private(set) var dirtyRect: Rect?

  override open var nextResponder: Responder? { controller ?? superview ?? owningWindow }

  /// Where the cursor stands while the view is first responder; nil hides it.
  open var cursor: Point? { nil }

  /// For subclasses; the first form says what ``saying`` does.
  open var linearTexts: [LinearText] { saying?() ?? [] }

  /// For subclasses; the first form draws what ``drawing`` says.
  open func draw(in canvas: Canvas) {
    drawing?(canvas)
  }

  /// For subclasses; the first form does what ``layout`` says.
  open func layoutSubviews() {
    layout?(frame.size)
  }

  /// Forgets how wide text was drawn; the first form passes it on to the subviews.
  open func textFormDidChange() {
    for subview in subviews { subview.textFormDidChange() }
    setNeedsLayout()
    setNeedsDisplay()
  }

  public func addSubview(_ view: View) {
    view.removeFromSuperview()
    view.superview = self
    subviews.append(view)
    setNeedsLayout()
    setNeedsDisplay()
  }

  public func removeFromSuperview() {
    guard let superview else { return }
    superview.subviews.removeAll { $0 === self }
    superview.setNeedsLayout()
    superview.setNeedsDisplay()
    self.superview = nil
  }

  /// The view's place in its window, from the window's corner.
  public var originInWindow: Point {
    var point = frame.origin
    var view = superview
    while let current = view {
      point.row += current.frame.origin.row
      point.column += current.frame.origin.column
      view = current.superview
    }
    return point
  }

  public var window: Window? {
    var view: View? = self
    while let current = view {
      if let window = current.owningWindow { return window }
      view = current.superview
    }
    return nil
  }

  /// Whether neither it nor a view around it is hidden, up to `root`.
  func isInSight(below root: View) -> Bool {
    var view: View? = self
    while let current = view {
      if current === root { return true }
      if current.isHidden { return false }
      view = current.superview
    }
    return false
  }

  public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// Asks to be drawn in the next frame; only `rect` where it is given.
  public func setNeedsDisplay(_ rect: Rect? = nil) {
    let rect = rect ?? Rect(origin: .zero, size: frame.size)
    if let dirty = dirtyRect {
      let rows = min(dirty.rows.lowerBound, rect.rows.lowerBound)..<max(dirty.rows.upperBound, rect.rows.upperBound)
      let columns =
        min(dirty.columns.lowerBound, rect.columns.lowerBound)..<max(dirty.columns.upperBound, rect.columns.upperBound)
      dirtyRect = Rect(row: rows.lowerBound, column: columns.lowerBound, rows: rows.count, columns: columns.count)
    } else {
      dirtyRect = rect
    }
    window?.setNeedsFrame()
  }

  /// Asks for its subviews to be arranged again before the next frame.
  public func setNeedsLayout() {
    needsLayout = true
    window?.setNeedsFrame()
  }

  /// Arranges what asked for it, from here down. Returns whether anything did.
  func layoutIfNeeded() -> Bool {
    var didLayout = needsLayout
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for subview in subviews where subview.layoutIfNeeded() { didLayout = true }
    return didLayout
  }

  /// Draws what is dirty, and what stands over something that was drawn: `drawn`, in the window's coordinates.
  func display(on surface: Surface, origin: Point, clip: Rect, theme: Theme, drawn: inout [Rect]) {
    let place = frame.offset(by: origin)
    guard !isHidden, !place.isEmpty else {
      dirtyRect = nil
      return
    }
    let visible = place.intersection(clip)
    var dirty = dirtyRect.map { $0.offset(by: place.origin).intersection(visible) }
    dirtyRect = nil
    if drawn.contains(where: { !$0.intersection(visible).isEmpty }) { dirty = visible }
    if let dirty, !dirty.isEmpty {
      surface.grid.fill(dirty, style: theme[.text])
      draw(in: Canvas(surface: surface, frame: place, clip: dirty, theme: theme))
      drawn.append(dirty)
    }
    for subview in subviews {
      subview.display(on: surface, origin: place.origin, clip: visible, theme: theme, drawn: &drawn)
    }
  }
}
