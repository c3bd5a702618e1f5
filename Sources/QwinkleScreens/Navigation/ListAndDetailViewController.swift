public import PaneKit
import QwinkleModel
public import Terminal

/// Base class of panes with a list and the detail of its selected row: side by side if the pane is wide enough,
/// otherwise one at a time. A subclass provides the detail.
@MainActor
public class ListAndDetailViewController: ViewController, Pane {
  private let list: any Screen
  let split: SplitViewController
  /// The key of the detail in the pane's saved state.
  private let detailKey: String
  /// The detail that was open when the program last quit, until it is shown.
  private var restoredDetail: String?
  public private(set) var isDetailOpen = false {
    didSet {
      guard isDetailOpen != oldValue else { return }
      detailDidOpenOrClose()
      list.navigator?.detailDidOpenOrClose()
    }
  }

  /// - Parameters:
  ///   - secondary: The detail, or a container of the current detail.
  ///   - listFraction: The list's share of the columns.
  init(
    list: any Screen, secondary: ViewController, detailKey: String, minimumColumns: Int, listFraction: Double = 0.55
  ) {
    self.list = list
    self.detailKey = detailKey
    split = SplitViewController(
      primary: list, secondary: secondary, minimumColumns: minimumColumns, primaryFraction: listFraction)
    super.init()
    split.restorationIdentifier = "split"
    addChild(split)
    // The detail may have become visible.
    split.didChangeDisplayMode.add(self) { $0.view.setNeedsUpdateProperties() }
  }

  override public var initialFirstResponder: Responder {
    // Computed on each access, because a list with a search field may change its first responder.
    (split.showsSecondary ? split.secondary : list).initialFirstResponder
  }

  override public func layout(in size: Size) -> Layout? { .layers([split.view]) }

  // MARK: To override

  /// The screen of the detail. Nil, the default, if the pane shows none.
  var detail: (any Screen)? { nil }
  /// A text next to the detail's title while both sides are visible. The default is nil.
  var detailNote: String? { nil }
  /// The place of the selected row's detail. The default is nil.
  var selectedPlace: Place? { nil }
  /// Shows `place` as the detail, without focusing it. Returns false, the default, if the pane can't show it.
  func show(_ place: Place) -> Bool { false }
  /// Shows the detail of the selected row if that is visible. Called when another row may be selected.
  func updateDetail() {}
  /// Called after the user has opened or closed the detail. The default does nothing.
  func detailDidOpenOrClose() {}
  /// Text that identifies the detail in the next run. The default is nil.
  var restorableDetail: String? { nil }
  /// Shows the detail with a text from the last run. Returns false, the default, if the text is malformed.
  func restoreDetail(_ text: String) -> Bool { false }

  // MARK: Restoration

  override public func encodeRestorableState(with state: inout RestorableState) {
    state[detailKey] = restoredDetail ?? (isInDetail ? restorableDetail : nil)
  }

  override public func decodeRestorableState(with state: RestorableState) { restoredDetail = state[detailKey] }

  /// Reopens the detail that was open when the program last quit. By now, the list has restored its selection, unless
  /// it must fetch its rows first.
  override public func didRestoreChildren() {
    guard let text = restoredDetail else { return }
    restoredDetail = nil
    guard restoreDetail(text) else { return }
    isDetailOpen = true
    split.showSecondary(givesKeys: hasKeys ?? true)
  }

  // MARK: Pane

  public var main: any Screen { list }
  /// In a wide window, the detail if it is focused, otherwise the list. In a narrow window, the visible screen.
  public var front: any Screen { isInDetail ? detail ?? list : list }
  public var titles: [String] { [list.title] }
  public var hasDetail: Bool { detail != nil }
  public var isSideBySide: Bool { split.isSideBySide }

  public func showTitles(above: [String]) {
    list.showTitles(above: above)
    if isSideBySide {
      detail?.showTitle([detail?.title ?? ""], detail: detailNote)
    } else {
      detail?.showTitle(above + [list.title, detail?.title ?? ""])
    }
  }

  public func openDetail(_ place: Place) -> Bool {
    guard show(place) else { return false }
    isDetailOpen = true
    split.showSecondary()
    return true
  }

  @discardableResult
  public func closeDetail() -> Bool {
    guard isInDetail || isDetailOpen else { return false }
    isDetailOpen = false
    split.showPrimary()
    updateDetail()
    return true
  }

  public func focusDetail(_ isDetail: Bool) -> Bool {
    guard isSideBySide, isDetail != isInDetail else { return false }
    if isDetail {
      guard let selectedPlace, show(selectedPlace) else { return false }
      split.showSecondary()
    } else {
      split.showPrimary()
      updateDetail()
    }
    return true
  }

  public func follow(_ screen: any Screen) {
    // A change to the list may select one row and then another, so wait for the update.
    if screen === list || screen === detail { view.setNeedsUpdateProperties() }
  }

  // MARK: The detail

  /// Whether the detail is focused or, in a narrow pane, replaces the list.
  var isInDetail: Bool { split.isSideBySide ? split.secondary.hasKeys == true : split.showsSecondary }

  override public func viewDidAppear() { view.setNeedsUpdateProperties() }

  override public func updateProperties() {
    if isOnScreen { updateDetail() }
  }
}
