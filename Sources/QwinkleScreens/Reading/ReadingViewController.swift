public import PaneKit
import QwinkleModel
import QwinkleStore
public import Terminal

/// A list of qwinks and the thread of the selected one: beside the list in a wide window, else in its place.
@MainActor
public final class ReadingViewController: ViewController, Pane {
  public let list: any Screen
  public let thread: ThreadViewController
  private let split: SplitViewController
  /// The qwink whose thread was open at the end of the last run.
  private var keptThread: Qwink?

  public init(list: any Screen, thread: ThreadViewController) {
    self.list = list
    self.thread = thread
    split = SplitViewController(primary: list, secondary: thread)
    super.init()
    split.restorationIdentifier = "split"
    addChild(split)
    // The thread may be seen now.
    split.didChangeDisplayMode.add(self) { $0.follow() }
  }

  public var main: any Screen { list }
  public var titles: [String] { [list.title] }

  public func showTitles(above: [String]) {
    list.showTitles(above: above)
    thread.showTitle(isSideBySide ? [thread.title] : above + [list.title, thread.title])
  }

  /// The side that has the keys; in a narrow window the one that is seen.
  public var front: any Screen { isReadingThread ? thread : list }

  override public var initialFirstResponder: Responder {
    // A list may answer differently each time, as one with a search field does.
    (split.showsSecondary ? thread : list).initialFirstResponder
  }

  override public func layout(in size: Size) -> Layout? { .layers([split.view]) }

  // MARK: From run to run

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["thread"] = (keptThread ?? (isReadingThread ? thread.qwink : nil))?.restorableText
  }

  override public func decodeRestorableState(with state: RestorableState) {
    keptThread = state["thread"].flatMap { Qwink(restorableText: $0) }
  }

  /// The list has selected its row again, or will once it has fetched it.
  override public func didRestoreChildren() {
    guard let kept = keptThread else { return }
    keptThread = nil
    let selected = list.selectedQwink
    split.showSecondary(givesKeys: window?.rootResponder?.chain.contains { $0 === self } ?? true)
    thread.show(selected?.id == kept.id ? selected : kept)
  }

  // MARK: The thread

  /// Shows the thread of the selected qwink if it can be seen. An open thread stays even if its row left the list.
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
    // A link may lead to another qwink than the selected one.
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

  /// Makes the thread of the selected qwink first responder.
  public func openThread() {
    split.showSecondary()
    thread.show(list.selectedQwink)
  }

  /// Goes back to the list. Returns false if that has the keys already.
  @discardableResult
  public func closeDetail() -> Bool {
    guard isReadingThread else { return false }
    split.showPrimary()
    follow()
    return true
  }

  /// Whether list and thread are both seen.
  public var isSideBySide: Bool { split.isSideBySide }

  private var isReadingThread: Bool {
    split.isSideBySide ? window?.rootResponder === thread.initialFirstResponder : split.showsSecondary
  }
}
