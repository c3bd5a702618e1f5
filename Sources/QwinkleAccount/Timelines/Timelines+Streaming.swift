import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// What streams tell. A timeline is live once a page that was asked for after its stream had opened is merged: from
/// then on it has all that comes. What is told while a page is under way is held until that is merged, since the page
/// may be older.
extension Timelines {
  /// The most events held. Beyond, the timeline is fetched anew.
  private static let mostHeld = 2000
  /// How long what has no known place waits for a page.
  private static let placingTime = Duration.seconds(2)

  /// Whether a timeline has all that comes, as it comes.
  public func isLive(_ name: TimelineName) -> Bool { entries[name]?.isLive ?? false }

  /// The stream of a timeline is open: fetches what came before.
  func streamDidOpen(_ name: TimelineName) {
    streamed.insert(name)
    catchUpWithStream(name)
  }

  /// Fetches all that may be missing above the rows that are there.
  func catchUpWithStream(_ name: TimelineName) {
    guard let entry = entries[name] else { return }
    entries[name]?.isLive = false
    entries[name]?.held = []
    guard entry.state.refreshedAt != nil || !entry.readers.isEmpty || entry.state.isRefreshing else { return }
    entries[name]?.catchesUp = entry.state.refreshedAt != nil
    if entry.state.isRefreshing {
      entries[name]?.isAskedWhileStreamed = false
      entries[name]?.refreshesAgain = true
    } else {
      refresh(name, cause: .poll)
    }
  }

  /// The stream of a timeline has ended.
  func streamDidClose(_ name: TimelineName) {
    streamed.remove(name)
    entries[name]?.isLive = false
    entries[name]?.isAskedWhileStreamed = false
    entries[name]?.refreshesAgain = false
    entries[name]?.held = []
    if entries[name] != nil { tellState(name) }
  }

  /// A refresh has ended; `isFresh` if it brought a page.
  func noteRefreshed(_ name: TimelineName, isFresh: Bool) {
    guard let entry = entries[name] else { return }
    if isFresh, entry.isAskedWhileStreamed, streamed.contains(name) {
      entries[name]?.isLive = true
    } else if !entry.isLive {
      entries[name]?.held = []
    }
    entries[name]?.isAskedWhileStreamed = false
    takeHeld(name)
  }

  func refreshAgain(_ name: TimelineName) {
    guard entries[name]?.refreshesAgain == true, entries[name]?.state.isRefreshing == false else { return }
    entries[name]?.refreshesAgain = false
    refresh(name, cause: .poll)
  }

  /// Takes what a stream tells of a timeline, in order.
  func take(_ events: [StreamEvent], of name: TimelineName) {
    for event in events {
      switch event {
      case .deleted(let id): streamedChanges.noteDeleted(id)
      case .edited(let qwink): streamedChanges.noteEdited(qwink)
      default: break
      }
    }
    if let entry = entries[name], isBusy(entry), entry.isLive || entry.isAskedWhileStreamed {
      entries[name]?.held += events.filter(\.isPost)
      if entry.held.count > Self.mostHeld { catchUpWithStream(name) }
      return takeChanges(events)
    }
    takeChanges(events)
    insert(events, in: name)
  }

  /// Takes in what was held while a page was under way.
  func takeHeld(_ name: TimelineName) {
    guard let entry = entries[name], !entry.held.isEmpty, !isBusy(entry) else { return }
    entries[name]?.held = []
    insert(entry.held, in: name)
  }

  private func isBusy(_ entry: Entry) -> Bool { entry.state.isRefreshing || entry.state.isLoadingMore }

  /// Takes edits and deletions, which concern all lists.
  private func takeChanges(_ events: [StreamEvent]) {
    for event in events {
      switch event {
      case .deleted(let id): remove(id, cause: .stream)
      case .edited(let qwink): takeInStreamed(qwink)
      default: break
      }
    }
  }

  private func takeInStreamed(_ edit: Qwink) {
    guard let known = known(edit.originalID) else { return takeIn(edit) }
    guard !known.isEditedLater(than: edit) else { return }
    takeIn(known.original.edited(by: edit))
  }

  private func insert(_ events: [StreamEvent], in name: TimelineName) {
    guard let entry = entries[name], entry.isLive else { return }
    var sources: [Qwink.RowID: [UInt8]] = [:]
    var qwinks: [Qwink] = []
    for case .posted(let qwink, let source) in events where !streamedChanges.isDeleted(qwink) {
      let newest = streamedChanges.newest(qwink)
      sources[qwink.rowID] = newest == qwink ? source : []
      qwinks.append(newest)
    }
    guard !qwinks.isEmpty, let result = entries[name]?.timeline.insertStreamed(qwinks) else { return }
    let unplaced = Set(result.unplaced.map(\.rowID))
    let kept = qwinks.filter { !unplaced.contains($0.rowID) }.map { (qwink: $0, source: sources[$0.rowID] ?? []) }
    let above = Set(result.above.map(\.rowID))
    if !kept.isEmpty {
      cache?.insertStreamed(kept, in: name) { [weak self] new in
        guard let self, !above.isDisjoint(with: new) else { return }
        let rows = kept.map(\.qwink.rowID).filter { above.contains($0) && new.contains($0) }
        connection.observers.forEach { $0.timelines(self, didKeepNew: rows, in: name) }
        countAbove(name)
      }
    }
    tell(result.change, name, .stream)
    if !unplaced.isEmpty { fetchPlaces(in: name) }
    trim(name)
  }

  /// Asks the server for the places of what came, as ids don't tell.
  private func fetchPlaces(in name: TimelineName) {
    guard placing?.isPending != true else { return }
    placing = connection.clock.schedule(after: Self.placingTime) { [weak self] in
      guard let self else { return }
      if entries[name]?.state.isRefreshing == true { entries[name]?.refreshesAgain = true }
      refresh(name, cause: .poll)
    }
  }
}

extension StreamEvent {
  fileprivate var isPost: Bool {
    if case .posted = self { true } else { false }
  }
}
