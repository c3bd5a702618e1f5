import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Merging of streamed events. A timeline is live once it has merged a page that was requested after its stream opened:
/// from then on no new post is missed. A post that is streamed while a page is loading is queued until the page is
/// merged, since the page may have been created before the post.
extension Timelines {
  /// Maximum number of queued posts. If a stream sends more, the queue is discarded and the timeline is fetched again.
  private static let mostHeld = 2000
  /// Delay before the refresh that finds the positions of streamed rows that can't be placed by their ids.
  private static let placingTime = Duration.seconds(2)

  /// Whether a timeline receives every new post from its stream.
  public func isLive(_ name: TimelineName) -> Bool { entries[name]?.stream.isLive ?? false }

  /// Called when the stream of a timeline has opened. Fetches earlier posts.
  func streamDidOpen(_ name: TimelineName) {
    streamed.insert(name)
    catchUpWithStream(name)
  }

  /// Discards queued posts and refreshes the timeline, because posts may be missing above the known rows. Doesn't
  /// refresh a timeline that was never fetched and that no view shows.
  func catchUpWithStream(_ name: TimelineName) {
    guard let entry = entries[name] else { return }
    entries[name]?.stream.isLive = false
    entries[name]?.stream.held = []
    guard entry.state.refreshedAt != nil || !entry.window.readers.isEmpty || entry.state.isRefreshing else { return }
    entries[name]?.gaps.catchesUp = entry.state.refreshedAt != nil
    if entry.state.isRefreshing {
      entries[name]?.refresh.isStreamed = false
      entries[name]?.refresh.repeats = true
    } else {
      refresh(name, cause: .poll)
    }
  }

  /// Called when the stream of a timeline has closed.
  func streamDidClose(_ name: TimelineName) {
    streamed.remove(name)
    entries[name]?.stream.isLive = false
    entries[name]?.refresh.isStreamed = false
    entries[name]?.refresh.repeats = false
    entries[name]?.stream.held = []
    if entries[name] != nil { tellState(name) }
  }

  /// Called when a refresh has ended. `isFresh` is true if the refresh fetched a page.
  func noteRefreshed(_ name: TimelineName, isFresh: Bool) {
    guard let entry = entries[name] else { return }
    if isFresh, entry.refresh.isStreamed, streamed.contains(name) {
      entries[name]?.stream.isLive = true
    } else if !entry.stream.isLive {
      entries[name]?.stream.held = []
    }
    entries[name]?.refresh.isStreamed = false
    mergePending(name)
  }

  func refreshAgain(_ name: TimelineName) {
    guard entries[name]?.refresh.repeats == true, entries[name]?.state.isRefreshing == false else { return }
    entries[name]?.refresh.repeats = false
    refresh(name, cause: .poll)
  }

  /// Handles events from a timeline's stream, in order.
  func take(_ events: [StreamEvent], of name: TimelineName) {
    for event in events {
      switch event {
      case .deleted(let id): streamedChanges.noteDeleted(id)
      case .edited(let qwink): streamedChanges.noteEdited(qwink)
      default: break
      }
    }
    if let entry = entries[name], isBusy(entry), entry.stream.isLive || entry.refresh.isStreamed {
      entries[name]?.stream.held += events.filter(\.isPost)
      if entry.stream.held.count > Self.mostHeld { catchUpWithStream(name) }
      return applyChanges(events)
    }
    applyChanges(events)
    insert(events, in: name)
  }

  /// Inserts posts that were queued while a page was loading.
  func mergePending(_ name: TimelineName) {
    guard let entry = entries[name], !entry.stream.held.isEmpty, !isBusy(entry) else { return }
    entries[name]?.stream.held = []
    insert(entry.stream.held, in: name)
  }

  private func isBusy(_ entry: Entry) -> Bool { entry.state.isRefreshing || entry.state.isLoadingMore }

  /// Applies edits and deletions, which affect all lists.
  private func applyChanges(_ events: [StreamEvent]) {
    for event in events {
      switch event {
      case .deleted(let id): remove(id, cause: .stream)
      // Events can arrive out of order. An older edit must not replace a newer edit, even in rows that only the cache
      // has.
      case .edited(let qwink) where streamedChanges.isNewest(qwink): mergeStreamed(qwink)
      default: break
      }
    }
  }

  private func mergeStreamed(_ edit: Qwink) {
    guard let known = known(edit.originalID) else { return merge(edit) }
    guard !known.isEditedLater(than: edit) else { return }
    merge(known.original.edited(by: edit))
  }

  private func insert(_ events: [StreamEvent], in name: TimelineName) {
    guard let entry = entries[name], entry.stream.isLive else { return }
    var sources: [Qwink.RowID: (json: [UInt8], isChanged: Bool)] = [:]
    var qwinks: [Qwink] = []
    for case .posted(let qwink, let source) in events where !streamedChanges.isDeleted(qwink) {
      let newest = streamedChanges.newest(qwink)
      sources[qwink.rowID] = (source, isChanged: newest != qwink)
      qwinks.append(newest)
    }
    guard !qwinks.isEmpty, let result = entries[name]?.timeline.insertStreamed(qwinks) else { return }
    let unplaced = Set(result.unplaced.map(\.rowID))
    let placed = qwinks.filter { !unplaced.contains($0.rowID) }.map { qwink in
      let source = sources[qwink.rowID]
      return (qwink: qwink, source: source?.json ?? [], isChanged: source?.isChanged ?? false)
    }
    let above = Set(result.above.map(\.rowID))
    if !placed.isEmpty {
      cache.insertStreamed(placed, in: name) { [weak self] new in
        guard let self, !above.isDisjoint(with: new) else { return }
        let rows = placed.map(\.qwink.rowID).filter { above.contains($0) && new.contains($0) }
        connection.observers.forEach { $0.timelines(self, didKeepNew: rows, in: name) }
        countAbove(name)
      }
    }
    tell(result.change, name, .stream)
    if !unplaced.isEmpty { fetchPlaces(in: name) }
    trim(name)
  }

  /// Refreshes to find the positions of streamed rows that can't be placed by their ids.
  private func fetchPlaces(in name: TimelineName) {
    guard placing[name]?.isPending != true else { return }
    placing[name] = connection.clock.schedule(after: Self.placingTime) { [weak self] in
      guard let self else { return }
      if entries[name]?.state.isRefreshing == true { entries[name]?.refresh.repeats = true }
      refresh(name, cause: .poll)
    }
  }
}

extension StreamEvent {
  fileprivate var isPost: Bool {
    if case .posted = self { true } else { false }
  }
}
