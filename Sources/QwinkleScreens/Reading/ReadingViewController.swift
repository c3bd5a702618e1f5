public import PaneKit
public import QwinkleModel
import Terminal

/// A list of qwinks with the thread of the selected one: beside it where the window is wide, in its place below that.
@MainActor
public final class ReadingViewController: ViewController, Pane {
  public let list: any Screen
  public let thread: ThreadViewController
  private let split: SplitViewController
  /// Whether it was the thread that had the keys last.
  private var leadsToThread = false

  public init(list: any Screen, thread: ThreadViewController) {
    self.list = list
    self.thread = thread
    split = SplitViewController(primary: list, secondary: thread)
    super.init()
    addChild(split)
    view.layout = { [weak self] size in self?.arrange(in: size) }
  }

  public var main: any Screen { list }

  public var titles: [String] {
    isReadingThread ? [list.title, thread.title] : [list.title]
  }

  /// Which of the two has the keys, or the screen where there is room for one only.
  public var front: any Screen { isReadingThread ? thread : list }

  override public var initialFirstResponder: Responder {
    // A list may want other keys each time, such as those of a prompt.
    (leadsToThread ? thread : list).initialFirstResponder
  }

  private func arrange(in size: Size) {
    noteReader()
    split.view.frame = Rect(origin: .zero, size: size)
    // It may have come in sight.
    follow()
  }

  /// A click may have given the keys to one of the two.
  private func noteReader() {
    guard let chain = window?.rootResponder?.chain else { return }
    if chain.contains(where: { $0 === thread }) { leadsToThread = true }
    if chain.contains(where: { $0 === list }) { leadsToThread = false }
  }

  /// Has the thread show what is selected now, where it can be seen. One that is being read stays, though its row may
  /// have gone from the list, as what is no longer marked does.
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
    leadsToThread = true
  }

  /// Goes back to the list. Returns false where it has the keys already.
  @discardableResult
  public func closeThread() -> Bool {
    guard isReadingThread else { return false }
    split.showPrimary()
    leadsToThread = false
    follow()
    return true
  }

  /// Whether both are seen at once.
  public var isSideBySide: Bool { split.isSideBySide }

  private var isReadingThread: Bool {
    split.isSideBySide ? window?.rootResponder === thread.initialFirstResponder : split.showsSecondary
  }
}
