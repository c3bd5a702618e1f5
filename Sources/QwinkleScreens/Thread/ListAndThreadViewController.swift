import PaneKit
import QwinkleModel
import QwinkleStore

/// A list of qwinks and the thread of the selected qwink.
@MainActor
final class ListAndThreadViewController: ListAndDetailViewController {
  private let thread: ThreadViewController

  init(list: any Screen, thread: ThreadViewController) {
    self.thread = thread
    super.init(
      list: list, secondary: thread, detailKey: "thread", minimumColumns: ContentWidth.listAndThread)
  }

  /// A thread that the user opened needs less room than a preview is worth.
  override func detailDidOpenOrClose() {
    split.minimumColumns = isDetailOpen ? SizeClass.wide.minimumColumns : ContentWidth.listAndThread
  }

  override var detail: (any Screen)? { thread }
  override var hasDetail: Bool { thread.qwink != nil }
  override var selectedPlace: Place? { main.selectedQwink.map { .thread($0) } }

  override func show(_ place: Place) -> Bool {
    // The qwink isn't always the selected one. For example, the user may have followed a link to it.
    guard case .thread(let qwink) = place, !isInDetail, main.selectedQwink?.rowID == qwink.rowID else { return false }
    thread.show(main.selectedQwink)
    return true
  }

  /// If the thread is visible, shows the thread of the list's selected qwink, or of its previewed qwink if no qwink is
  /// selected. A focused thread isn't replaced by the thread of another qwink, not even if the focused thread's qwink
  /// leaves the list.
  override func updateDetail() {
    let isRead = isInDetail
    guard isRead || isSideBySide else { return }
    let selected = main.selectedQwink
    if isRead, let read = thread.qwink, read.rowID != selected?.rowID { return }
    thread.show(selected ?? main.previewedQwink)
  }

  override var restorableDetail: String? { thread.qwink?.restorableText }

  override func restoreDetail(_ text: String) -> Bool {
    guard let cached = Qwink(restorableText: text) else { return false }
    let selected = main.selectedQwink
    thread.show(selected?.id == cached.id ? selected : cached)
    return true
  }
}
