import Terminal

/// A list and its detail: side by side where the size class is wide, one at a time below that.
@MainActor
public final class SplitViewController: ViewController {
  public let primary: ViewController
  public let secondary: ViewController

  /// Whether the detail is what is seen where there is room for one only.
  public private(set) var showsSecondary = false

  /// The part of the columns that the primary has where both are seen.
  public var primaryFraction = 0.55 {
    didSet { view.setNeedsLayout() }
  }

  private let rule = RuleView(.vertical)
  /// Whether both were seen when they were arranged last.
  private var wasSideBySide = false

  public init(primary: ViewController, secondary: ViewController) {
    self.primary = primary
    self.secondary = secondary
    super.init()
    addChild(primary)
    addChild(secondary)
    view.addSubview(rule)
    rule.didDrag = { [weak self] columns in self?.moveRule(by: columns) }
    view.layout = { [weak self] size in self?.arrange(in: size) }
    preferredFirstResponder = primary.initialFirstResponder
  }

  /// Whether both are seen at once.
  public var isSideBySide: Bool { SizeClass(columns: view.frame.size.columns) == .wide }

  /// Gives the detail the keys, and the screen where there is room for one only.
  public func showSecondary() {
    showsSecondary = true
    secondary.view.isHidden = false
    view.setNeedsLayout()
    view.setNeedsDisplay()
    window?.giveKeys(to: secondary.initialFirstResponder)
  }

  /// Goes back to the list.
  public func showPrimary() {
    showsSecondary = false
    view.setNeedsLayout()
    view.setNeedsDisplay()
    window?.giveKeys(to: primary.initialFirstResponder)
  }

  private func moveRule(by columns: Int) {
    let all = view.frame.size.columns
    guard all > 0 else { return }
    let left = min(max(rule.frame.origin.column + columns, all / 4), all * 3 / 4)
    primaryFraction = (Double(left) + 0.5) / Double(all)
    view.setNeedsDisplay()
  }

  /// Where there is room for one only from now on, that is the one with the keys.
  private func followKeys() {
    guard wasSideBySide, let chain = window?.rootResponder?.chain else { return }
    if chain.contains(where: { $0 === secondary }) { showsSecondary = true }
    if chain.contains(where: { $0 === primary }) { showsSecondary = false }
  }

  private func arrange(in size: Size) {
    let both = isSideBySide
    if !both { followKeys() }
    wasSideBySide = both
    primary.view.isHidden = !both && showsSecondary
    secondary.view.isHidden = !both && !showsSecondary
    rule.isHidden = !both
    guard both else {
      primary.view.frame = Rect(origin: .zero, size: size)
      secondary.view.frame = Rect(origin: .zero, size: size)
      return
    }
    let left = Int(Double(size.columns) * primaryFraction)
    primary.view.frame = Rect(row: 0, column: 0, rows: size.rows, columns: left)
    rule.frame = Rect(row: 0, column: left, rows: size.rows, columns: 1)
    secondary.view.frame = Rect(row: 0, column: left + 1, rows: size.rows, columns: size.columns - left - 1)
  }
}
