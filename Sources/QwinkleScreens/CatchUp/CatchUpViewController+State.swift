import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// Loading: pausing, and the changes of the posts.
extension CatchUpViewController {
  var canPause: Bool { catchUp.state == .loading || catchUp.state == .paused }

  func pauseOrResume() {
    if catchUp.state == .paused { catchUp.resume() } else { catchUp.pause() }
  }

  /// The state of loading, for the base class and the bars.
  var feedState: FeedState {
    var state = FeedState()
    switch catchUp.state {
    case .idle, .paused: break
    case .loading: state.isLoadingMore = true
    case .finished(let end): state.isComplete = end == .complete
    case .failed(let error): state.error = error
    }
    return state
  }

  /// The start of the span, such as `09:12`.
  var since: String? { catchUp.startDate.map(time) }

  /// Progress for the status bar while posts are being loaded or loading is paused.
  var progressWords: String? {
    let progress = catchUp.progress
    let reached = progress.reachedDate.map(time)
    return switch catchUp.state {
    case .loading: CatchUpWords.progress(progress.posts, reached: reached)
    case .paused: CatchUpWords.paused(progress.posts, reached: reached)
    case .idle, .finished, .failed: nil
    }
  }

  /// The text of a list without rows.
  var emptyWords: PlaceholderWords.Lines {
    if !catchUp.items.isEmpty {
      return PlaceholderWords.nothing(CatchUpWords.nothing(in: shownView), CatchUpWords.showsAll)
    }
    switch catchUp.state {
    case .failed(let error):
      var state = FeedState()
      state.error = error
      return PlaceholderWords.state(state, fetching: "") ?? []
    case .idle, .loading: return [[TextRun(CatchUpWords.fetching(since: since), .dim)]]
    case .paused: return PlaceholderWords.nothing(CatchUpWords.pausedPlaceholder, CatchUpWords.resumes)
    case .finished(.cancelled):
      return PlaceholderWords.nothing(CatchUpWords.cancelled, CatchUpWords.startsAgain)
    case .finished:
      return PlaceholderWords.nothing(
        CatchUpWords.nothing(since: since), CatchUpWords.opensHome, CatchUpWords.startsAgain)
    }
  }

  /// The text below the last row: the reason why posts are missing, if any, and the number of hidden posts.
  var endWords: String {
    let end =
      switch catchUp.state {
      case .idle, .failed: ""
      case .loading: PlaceholderWords.fetchingMore
      case .paused: CatchUpWords.pausedFooter
      case .finished(.complete): PlaceholderWords.endOfList
      case .finished(.cancelled): CatchUpWords.cancelledFooter
      case .finished(.limit): CatchUpWords.limited(catchUp.progress.posts)
      case .finished(.incomplete): CatchUpWords.incomplete
      }
    return ([end] + (catchUp.hiddenCount > 0 ? [CatchUpWords.hidden(catchUp.hiddenCount)] : []))
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

extension CatchUpViewController: AccountObserver {
  func catchUpDidChangeRows(_ catchUp: CatchUp) {
    guard !isMarking else { return }
    takeRows()
    updateWords()
  }

  func catchUpDidChangeState(_ catchUp: CatchUp) {
    if catchUp.state == .loading, catchUp.items.isEmpty { hasActed = false }
    updateWords()
  }

  func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    // A revealed qwink hasn't changed, but looks different.
    reloadRows(keepsPlace: true) { row in row.rowIDs.contains { $0.status == qwink.originalID } }
    pictures?.lookSoon()
    navigator?.selectionDidChange(in: self)
  }

  func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { row in row.rowIDs.contains { qwinks.contains($0.status) } }
  }
}
