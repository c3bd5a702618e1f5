public import Terminal

/// A rectangle of the screen that draws itself and contains other views. Subclasses override ``draw(in:)``,
/// ``layout(in:)`` and the handlers of key and mouse events.
@MainActor
open class View: Responder {
  public private(set) weak var superview: View?
  public private(set) var subviews: [View] = []

  /// Position and size, in the superview's coordinates.
  public var frame: Rect = .zero {
    didSet {
      guard frame != oldValue else { return }
      if frame.size != oldValue.size {
        setNeedsUpdateProperties()
        setNeedsLayout()
      }
      superview?.setNeedsDisplay(rows: oldValue.rows)
      superview?.setNeedsDisplay(rows: frame.rows)
      setNeedsDisplay()
    }
  }

  public var isHidden = false {
    didSet {
      guard isHidden != oldValue else { return }
      superview?.setNeedsDisplay(rows: frame.rows)
      setNeedsDisplay()
      window?.visibilityDidChange()
    }
  }

  /// Whether the view can be the first responder.
  public var acceptsFirstResponder = false

  /// Whether the view's static text, such as a label's, doesn't fit and is cut off at the moment.
  var isTextCut: Bool { false }

  /// Whether the first row is drawn again after views behind or before this one have drawn the row above it.
  var dependsOnRowAbove: Bool { false }

  /// The controller whose root view this is.
  weak var controller: ViewController?
  weak var owningWindow: Window?

  /// Whether the superview's layout uses the view's intrinsic size.
  private var isSizedByContent = false
  private var needsUpdateProperties = true
  private(set) var needsLayout = true
  /// The rows to draw again, in the view's coordinates.
  private var dirtyRows = RangeSet<Int>()

  override open var nextResponder: Responder? { controller ?? superview ?? owningWindow }

  /// The position of the cursor while the view is first responder; nil hides the cursor.
  open var cursor: Point? { nil }

  /// The view's text in linear form (on terminals that only append text). The default is the controller's text.
  open var linearTexts: [LinearText] { controller?.linearTexts ?? [] }

  /// Draws the view, before its subviews are drawn. The default draws nothing.
  open func draw(in canvas: Canvas) {}

  /// Updates the view's properties and notifies other objects of changes, before layout. Called after
  /// ``setNeedsUpdateProperties()`` and after the view's size changed. The default does nothing.
  open func updateProperties() {}

  /// Returns the layout of the subviews. A subview that isn't in the layout gets an empty frame. If the result is nil,
  /// all frames stay unchanged. The method must not have side effects: defer them to ``updateProperties()``. The
  /// default is the controller's layout.
  open func layout(in size: Size) -> Layout? { controller?.layout(in: size) }

  /// Fits the view's content to its size. This method must not add views, notify other objects or fetch data. The
  /// default does nothing.
  open func layoutSubviews() {}

  /// Returns the size that the view wants in `room`. The default is the height that its controller prefers for a sheet,
  /// or all of `room` if the view has no controller.
  open func intrinsicSize(in room: Size) -> Size {
    guard let controller else { return room }
    return Size(rows: max(1, controller.preferredSheetRows(in: room)), columns: room.columns)
  }

  /// Handles a mouse event. Positions are relative to the view's upper left corner. Return false, the default, to pass
  /// the event to the superview. The view that handles a press also gets the drags that follow, which may be outside
  /// its bounds.
  open func mouseDown(with event: MouseEvent) -> Bool { false }
  open func mouseDragged(with event: MouseEvent) -> Bool { false }
  open func scrollWheel(with event: MouseEvent) -> Bool { false }

  /// Updates, lays out and draws the whole view again, because the width of text has changed.
  func textFormDidChange() {
    for subview in subviews { subview.textFormDidChange() }
    setNeedsUpdateProperties()
    setNeedsLayout()
    setNeedsDisplay()
  }

  public func addSubview(_ view: View) {
    assert(window?.isLayingOut != true, "layout must not add views")
    view.removeFromSuperview()
    view.superview = self
    subviews.append(view)
    setNeedsLayout()
    setNeedsDisplay(rows: view.frame.rows)
  }

  public func removeFromSuperview() {
    guard let superview else { return }
    assert(window?.isLayingOut != true, "layout must not remove views")
    superview.subviews.removeAll { $0 === self }
    superview.setNeedsLayout()
    superview.setNeedsDisplay(rows: frame.rows)
    self.superview = nil
  }

  /// The view's position in window coordinates.
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

  /// The rules for measuring and drawing text in this view, such as the width of ambiguous characters.
  public var textForm: TextForm { window?.textForm ?? .current }

  /// Whether the view is inside `ancestor` and isn't hidden, and no view between the two is hidden. If `ancestor` is
  /// nil, the view must be in a window instead.
  func isInSight(in ancestor: View? = nil) -> Bool {
    var view: View? = self
    while let current = view {
      if current === ancestor { return true }
      if current.isHidden { return false }
      if ancestor == nil, current.owningWindow != nil { return true }
      view = current.superview
    }
    return false
  }

  public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// Marks `rows`, or the whole view if `rows` is nil, to be drawn in the next frame.
  public func setNeedsDisplay(rows: Range<Int>? = nil) {
    dirtyRows.insert(contentsOf: rows ?? bounds.rows)
    window?.setNeedsFrame()
  }

  /// Requests a call to ``updateProperties()`` before the next frame.
  public func setNeedsUpdateProperties() {
    needsUpdateProperties = true
    window?.setNeedsFrame()
  }

  /// Requests layout of the subviews before the next frame.
  public func setNeedsLayout() {
    needsLayout = true
    window?.setNeedsFrame()
  }

  /// Call this when the result of ``intrinsicSize(in:)`` has changed. Superviews that use it lay out the view again.
  public func invalidateIntrinsicSize() {
    guard isSizedByContent, let superview else { return }
    superview.setNeedsLayout()
    superview.invalidateIntrinsicSize()
  }

  /// Updates the properties of this view and its descendants where requested. Returns whether any were updated.
  func updatePropertiesIfNeeded() -> Bool {
    var didUpdate = needsUpdateProperties
    if needsUpdateProperties {
      needsUpdateProperties = false
      controller?.updateProperties()
      updateProperties()
    }
    for subview in subviews where subview.updatePropertiesIfNeeded() { didUpdate = true }
    return didUpdate
  }

  /// Lays out this view and its descendants where requested. Returns whether any were laid out.
  func layoutIfNeeded() -> Bool {
    var didLayout = needsLayout
    if needsLayout {
      needsLayout = false
      if let layout = layout(in: frame.size) { arrange(layout) }
      layoutSubviews()
    }
    for subview in subviews where subview.layoutIfNeeded() { didLayout = true }
    return didLayout
  }

  private func arrange(_ layout: Layout) {
    let placements = layout.placements(in: frame.size)
    assert(placements.allSatisfy { $0.view.superview === self }, "a layout can contain only subviews of this view")
    for subview in subviews {
      let placement = placements.first { $0.view === subview }
      subview.isSizedByContent = placement?.isIntrinsic ?? false
      subview.frame = placement?.frame ?? .zero
    }
  }

  /// Draws the dirty rows, and the rows in front of parts of the screen that views behind this one have drawn in this
  /// frame. Then displays the subviews. `drawn` contains the drawn parts in window coordinates. This method adds the
  /// parts that it draws.
  func display(on surface: Surface, origin: Point, clip: Rect, theme: Theme, drawn: inout [Rect]) {
    let place = frame.offset(by: origin)
    var dirty = dirtyRows
    dirtyRows = RangeSet()
    guard !isHidden, !place.isEmpty else { return }
    let visible = place.intersection(clip)
    for below in drawn.lazy.map({ $0.intersection(visible) }) where !below.isEmpty {
      dirty.insert(contentsOf: (below.rows.lowerBound - place.origin.row)..<(below.rows.upperBound - place.origin.row))
    }
    if dependsOnRowAbove, drawn.contains(where: { $0.rows.contains(place.origin.row - 1) }) {
      dirty.insert(contentsOf: 0..<1)
    }
    for rows in dirty.ranges {
      let part = Rect(row: rows.lowerBound, column: 0, rows: rows.count, columns: place.size.columns)
        .offset(by: place.origin).intersection(visible)
      guard !part.isEmpty else { continue }
      surface.grid.fill(part, style: theme[.text])
      draw(in: Canvas(surface: surface, frame: place, clip: part, theme: theme))
      drawn.append(part)
    }
    for subview in subviews {
      subview.display(on: surface, origin: place.origin, clip: visible, theme: theme, drawn: &drawn)
    }
  }
}
