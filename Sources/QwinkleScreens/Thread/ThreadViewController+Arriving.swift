import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal

/// Replies that the server fetches from other servers while the thread is open.
extension ThreadViewController {
  /// Watches the server's search for more replies, if it has begun one and the screen is visible.
  func watchReplies(_ refresh: AsyncRefresh?) {
    arrivingFetch = nil
    arriving = nil
    pausedRefresh = isOnScreen ? nil : refresh
    guard let refresh, isOnScreen else { return }
    arriving = AsyncRefreshWatch(
      refresh, through: account.connection, didChange: { [weak self] in self?.arrivalDidChange() },
      didFindResults: { [weak self] in self?.fetchArrived() })
  }

  /// Stops the requests while the thread isn't visible.
  func pauseWatching() {
    guard let refresh = arriving?.refresh else { return }
    watchReplies(nil)
    pausedRefresh = refresh
  }

  private func arrivalDidChange() {
    if arriving?.refresh.isRunning == false, arrivingFetch == nil { arriving = nil }
    updateWords()
  }

  /// Fetches the thread again without the signs of a refresh. The selection and the reading position stay.
  private func fetchArrived() {
    guard let qwink, arrivingFetch == nil else { return }
    arrivingFetch = account.fetch(.thread(qwink.originalID)) { [weak self] result in
      guard let self, self.qwink?.rowID == qwink.rowID else { return }
      arrivingFetch = nil
      // Some servers begin another search with each answer. Only the first one is watched.
      if case .success(let thread) = result {
        take(thread)
        account.timelines.keep(thread, of: qwink)
      }
      updateWords()
    }
  }

  /// The line below the thread while the server searches.
  var arrivingFooter: [TextRun<StyleRole>]? {
    arriving.map { [TextRun(ThreadWords.arriving($0.refresh.resultCount ?? 0), .dim)] }
  }
}
