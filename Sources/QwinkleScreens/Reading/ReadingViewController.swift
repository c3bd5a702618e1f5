public import PaneKit
public import QwinkleModel
public import Terminal

/// A list of qwinks with the thread of the selected one: beside it where the window is wide, in its place below that.
@MainActor
public final class ReadingViewController: ViewController, Pane {
  public let list: any Screen
  public let thread: ThreadViewController
  private let split: SplitViewController
  /// The qwink whose thread was read at the end of the last run.
  private var keptThread: Qwink.ID?

  public init(list: any Screen, thread: ThreadViewController) {
    self.list = list
    self.thread = thread
    split = SplitViewController(primary: list, secondary: thread)
    super.init()
    split.restorationIdentifier = "split"
    addChild(split)
    // The thread may have come in sight.
    split.didChangeDisplayMode.add(self) { $0.follow() }
  }

  public var main: any Screen { list }

  public var titles: [String] {
    isReadingThread ? [list.title, thread.title] : [list.title]
  }

  /// Which of the two has the keys, or the screen where there is room for one only.
  public var front: any Screen { isReadingThread ? thread : list }

  override public var initialFirstResponder: Responder {
    // A list may want other keys each time, such as those of a prompt.
    (split.showsSecondary ? thread : list).initialFirstResponder
  }

  override public func layout(in size: Size) -> Layout? { .layers([split.view]) }

  // MARK: From run to run

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["thread"] = isReadingThread ? thread.qwink?.id.rawValue : nil
  }

  override public func decodeRestorableState(with state: RestorableState) {
    keptThread = state["thread"].map { Qwink.ID($0) }
  }

  /// The list has its row again, where that is still there.
  override public func didRestoreChildren() {
    if let keptThread, keptThread == list.selectedQwink?.id { openThread() }
    keptThread = nil
  }

  // MARK: The thread

  /// Has the thread show what is selected now, where it can be seen. An open thread stays even if its row left the list.
  public func follow() {
    let isRead = isReadingThread
    guard isRead || isSideBySide else { return }
    let selected = list.selectedQwink
    if isRead, let read = thread.qwink, read.rowID != selected?.rowID { return }
    thread.show(selected)
  }

  public func openThread(of qwink: Qwink) -> Bool {
    // What is asked for may be another than what is selected, such as what a link leads to.
    guard !isReadingThread, list.selectedQwink?.rowID == qwink.rowID else { return false }
    openThread()
    return true
  }

  /// Gives the thread of the selected qwink the keys.
  public func openThread() {
    split.showSecondary()
    thread.show(list.selectedQwink)
  }

  /// Goes back to the list. Returns false where it has the keys already.
  @discardableResult
  public func closeThread() -> Bool {
    guard isReadingThread else { return false }
    split.showPrimary()
    follow()
    return true
  }

  /// Whether both are seen at once.
  public var isSideBySide: Bool { split.isSideBySide }

  private var isReadingThread: Bool {
    split.isSideBySide ? window?.rootResponder === thread.initialFirstResponder : split.showsSecondary
  }
}
