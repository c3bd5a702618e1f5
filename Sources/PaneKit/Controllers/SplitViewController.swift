public import Terminal

/// A list and its detail, side by side if the window is wide enough, otherwise one at a time.
@MainActor
public final class SplitViewController: ViewController {
  public let primary: ViewController
  public let secondary: ViewController

  /// Whether the detail was focused or shown more recently than the list. A narrow window shows only the more recent of
  /// the two.
  public private(set) var showsSecondary = false

  /// Sent after the split view has started or stopped showing both sides.
  public var didChangeDisplayMode = TargetActions()

  /// The list's share of the columns while both sides are visible.
  public var primaryFraction: Double {
    didSet { view.setNeedsLayout() }
  }

  /// Whether there is a detail to show. If false, one side uses all columns even in a wide window: the list, unless
  /// ``showsSecondary`` is true.
  public var hasSecondary = true {
    didSet { if hasSecondary != oldValue { view.setNeedsUpdateProperties() } }
  }

  /// A horizontal rule in the detail that begins at the dividing line. The two lines are drawn joined.
  public var joinedRule: RuleView? {
    get { rule.joinedRule }
    set { rule.joinedRule = newValue }
  }

  /// Minimum width for showing both sides.
  public var minimumColumns: Int {
    didSet { if minimumColumns != oldValue { view.setNeedsUpdateProperties() } }
  }
  private let usualFraction: Double
  private let rule = RuleView(.vertical)
  private var wasSideBySide = false

  /// - Parameter minimumColumns: Minimum width for showing both sides.
  public init(
    primary: ViewController, secondary: ViewController, minimumColumns: Int, primaryFraction: Double = 0.55
  ) {
    self.primary = primary
    self.secondary = secondary
    self.minimumColumns = minimumColumns
    self.primaryFraction = primaryFraction
    usualFraction = primaryFraction
    super.init()
    addChild(primary)
    addChild(secondary)
    view.addSubview(rule)
    rule.beginsInRule = true
    rule.didDrag.add(self) { $0.moveRule(by: $0.rule.dragDistance) }
    preferredFirstResponder = primary.initialFirstResponder
    hideOther()
  }

  override public func viewDidAppear() {
    window?.firstResponderDidChange.add(self) { $0.followKeys() }
  }

  override public func viewDidDisappear() {
    window?.firstResponderDidChange.remove(self)
  }

  /// Whether both sides are visible.
  public var isSideBySide: Bool { hasRoom(columns: view.frame.size.columns) }

  private func hasRoom(columns: Int) -> Bool { hasSecondary && columns >= minimumColumns }

  /// Shows the detail. In a narrow window, the detail replaces the list. Also focuses the detail if `givesKeys` is
  /// true.
  public func showSecondary(givesKeys: Bool = true) {
    showsSecondary = true
    hideOther()
    guard givesKeys else { return }
    window?.makeFirstResponder(secondary.initialFirstResponder)
  }

  /// Shows and focuses the list.
  public func showPrimary() {
    showsSecondary = false
    hideOther()
    window?.makeFirstResponder(primary.initialFirstResponder)
  }

  private func moveRule(by columns: Int) {
    let all = view.frame.size.columns
    guard all > 0 else { return }
    let left = min(max(rule.frame.origin.column + columns, all / 4), all * 3 / 4)
    primaryFraction = (Double(left) + 0.5) / Double(all)
    view.setNeedsDisplay()
  }

  /// Records the focused side, which remains visible if the window becomes narrow.
  private func followKeys() {
    guard isSideBySide else { return }
    if secondary.hasKeys == true { showsSecondary = true }
    if primary.hasKeys == true { showsSecondary = false }
  }

  /// Shows both sides if ``isSideBySide`` is true, otherwise only the side selected by ``showsSecondary``.
  private func hideOther() {
    let both = isSideBySide
    rule.isHidden = !both
    // Show one side before hiding the other, so that there is always a visible responder to focus.
    let (seen, other) = showsSecondary ? (secondary, primary) : (primary, secondary)
    seen.view.isHidden = false
    other.view.isHidden = !both
    view.setNeedsLayout()
    view.setNeedsDisplay()
  }

  override public func updateProperties() {
    hideOther()
    guard isSideBySide != wasSideBySide else { return }
    wasSideBySide.toggle()
    didChangeDisplayMode.send()
  }

  /// Saves the position of the dividing line if the user moved it.
  override public func encodeRestorableState(with state: inout RestorableState) {
    state["fraction"] = primaryFraction == usualFraction ? nil : "\(primaryFraction)"
  }

  override public func decodeRestorableState(with state: RestorableState) {
    guard let fraction = state["fraction"].flatMap(Double.init), (0...1).contains(fraction) else { return }
    primaryFraction = fraction
  }

  override public func layout(in size: Size) -> Layout? {
    guard hasRoom(columns: size.columns) else { return .layers([primary.view, secondary.view]) }
    return .columns([.fraction(primaryFraction): primary.view, .fixed(1): rule, .fill: secondary.view])
  }
}
