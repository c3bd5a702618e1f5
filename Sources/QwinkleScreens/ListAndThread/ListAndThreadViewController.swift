public import PaneKit
import QwinkleModel
import QwinkleStore
public import Terminal

/// A list of qwinks and the thread of the selected qwink. In a wide window the thread is next to the list; otherwise it
/// replaces the list.
@MainActor
public final class ListAndThreadViewController: ViewController, Pane {
  public let list: any Screen
  public let thread: ThreadViewController
  private let split: SplitViewController
  /// The qwink whose thread was open when the program last quit.
  private var restoredThread: Qwink?

  public init(list: any Screen, thread: ThreadViewController) {
    self.list = list
    self.thread = thread
    split = SplitViewController(primary: list, secondary: thread, minimumColumns: ContentWidth.listAndThread)
    super.init()
    split.restorationIdentifier = "split"
    addChild(split)
    // The thread may have become visible.
    split.didChangeDisplayMode.add(self) { $0.follow() }
  }

  public var main: any Screen { list }
  public var titles: [String] { [list.title] }

  public func showTitles(above: [String]) {
    list.showTitles(above: above)
    thread.showTitle(isSideBySide ? [thread.title] : above + [list.title, thread.title])
  }

  /// In a wide window, the thread if it has the keyboard focus, otherwise the list. In a narrow window, the visible
  /// screen.
  public var front: any Screen { isReadingThread ? thread : list }

  override public var initialFirstResponder: Responder {
    // Computed on each access, because a list with a search field may change its first responder.
    (split.showsSecondary ? thread : list).initialFirstResponder
  }

  override public func layout(in size: Size) -> Layout? { .layers([split.view]) }

  // MARK: Restoration

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["thread"] = (restoredThread ?? (isReadingThread ? thread.qwink : nil))?.restorableText
  }

  override public func decodeRestorableState(with state: RestorableState) {
    restoredThread = state["thread"].flatMap { Qwink(restorableText: $0) }
  }

  /// Reopens the thread that was open when the program last quit. By now, the list has restored its selection, unless
  /// it must fetch its rows first.
  override public func didRestoreChildren() {
    guard let cached = restoredThread else { return }
    restoredThread = nil
    let selected = list.selectedQwink
    split.showSecondary(givesKeys: window?.rootResponder?.chain.contains { $0 === self } ?? true)
    thread.show(selected?.id == cached.id ? selected : cached)
  }

  // MARK: The thread

  /// If the thread is visible, shows the thread of the list's selected qwink, or of its previewed qwink if no qwink is
  /// selected. A focused thread isn't replaced by the thread of another qwink, not even if the focused thread's qwink
  /// leaves the list.
  public func follow() {
    let isRead = isReadingThread
    guard isRead || isSideBySide else { return }
    let selected = list.selectedQwink
    if isRead, let read = thread.qwink, read.rowID != selected?.rowID { return }
    thread.show(selected ?? list.previewedQwink)
  }

  public var hasDetail: Bool { thread.qwink != nil }

  public func openDetail(_ place: Place) -> Bool {
    guard case .thread(let qwink) = place else { return false }
    // The qwink isn't always the selected one. For example, the user may have followed a link to it.
    guard !isReadingThread, list.selectedQwink?.rowID == qwink.rowID else { return false }
    openThread()
    return true
  }

  public func openDetail() -> Bool {
    list.selectedQwink.map { openDetail(.thread($0)) } ?? false
  }

  public func follow(_ screen: any Screen) {
    if screen === list || screen === thread { follow() }
  }

  /// Shows the thread of the selected qwink and focuses it.
  public func openThread() {
    split.showSecondary()
    thread.show(list.selectedQwink)
  }

  /// Returns to the list. Returns false if the list is already focused.
  @discardableResult
  public func closeDetail() -> Bool {
    guard isReadingThread else { return false }
    split.showPrimary()
    follow()
    return true
  }

  /// Whether the list and the thread are both visible.
  public var isSideBySide: Bool { split.isSideBySide }

  private var isReadingThread: Bool {
    split.isSideBySide ? window?.rootResponder === thread.initialFirstResponder : split.showsSecondary
  }
}
