import FoundationEssentials
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Searching for an item that may have arrived, before it is sent again.
extension Outbox {
  func look(for id: String) {
    guard let me = identity.me, let entry = queue[id]?.entry else {
      needIdentity.insert(id)
      identity.identify()
      return queue.pause(id, until: connection.clock.now.addingTimeInterval(OutboxQueue.firstWait))
    }
    let search: @MainActor (Set<Qwink.ID>) -> Void = { [weak self] arrived in
      guard let self, queue[id] != nil else { return }
      let start = entry.attempts.map(earliest).min() ?? connection.clock.now
      searches[id] = PostSearch(for: entry, by: me.id, from: start, arrived: arrived.union(self.arrived))
      lookFurther(for: id)
    }
    guard let store else { return search([]) }
    store.arrived { search($0) }
  }

  private func earliest(of attempt: OutgoingEntry.Attempt) -> Date {
    attempt.earliest(serverDate: connection.serverDate(at: attempt.at))
  }

  private func lookFurther(for id: String) {
    guard var search = searches[id] else { return }
    guard !search.places.isEmpty else { return begin(id) }
    let place = search.places.removeFirst()
    searches[id] = search
    // A response shared with another request may predate the end of the attempt, and lack the post.
    switch place {
    case .timeline(let name, let cursor):
      let request = Request<Page<Qwink>>.timelineWithDirect(name, at: cursor, limit: PostSearch.pageSize)
      start(request.unshared, for: .search(id, place), isKept: true)
    case .conversations:
      let request = Request<Page<Conversation>>.conversations(limit: PostSearch.pageSize)
      start(request.unshared, for: .search(id, place), isKept: true)
    case .thread(let parent):
      start(Request<QwinkThread>.thread(parent).unshared, for: .search(id, place), isKept: true)
    }
  }

  /// Searches a response, which is a page of a list or a thread, for the item.
  func didSearch(_ place: PostSearch.Place, for id: String, _ answer: some Sendable) {
    guard searches[id] != nil else { return }
    switch (place, answer) {
    case (.timeline(let name, _), let page as Page<Qwink>):
      searches[id]?.goOn(name, after: page)
      examine(page.items, for: id)
    case (_, let page as Page<Conversation>): examine(page.items.compactMap(\.lastQwink), for: id)
    case (_, let thread as QwinkThread): examine(thread.descendants, for: id)
    default: break
    }
  }

  func didFailSearch(for id: String, in place: PostSearch.Place, with error: DownloadError) {
    guard let search = searches[id] else { return }
    guard case .notFound = error else { return cannotLook(for: id, error) }
    if case .thread(let parent) = place {
      if let item = queue[id] { handler(of: item)?.outbox(self, didMiss: parent) }
      searches[id]?.isOrphan = true
      searches[id]?.searchLists()
    } else if search.needs(place) {
      return cannotLook(for: id, .notFound(host: "", message: ""))
    }
    lookFurther(for: id)
  }

  /// Handles a failed search for an item that may have arrived. The item isn't sent again until a search succeeds.
  private func cannotLook(for id: String, _ error: DownloadError) {
    if error.isTransient || error.isCancelled {
      end(id, .doubtful(reason: error.summary), .waits(error))
    } else {
      end(id, .refused(reason: "\(error.summary) \(EntryProblem.unchecked)"), .notLookedFor(error))
    }
  }

  private static let earlierWords = "Your earlier version was posted after all; this one was not sent."

  /// Adds the user's qwinks on a page to the search. Matches them only after the last page of the list, because the
  /// oldest match counts.
  private func examine(_ qwinks: [Qwink], for id: String) {
    guard var search = searches[id] else { return }
    search.found += qwinks.filter { $0.author.id == identity.me?.id && !search.arrived.contains($0.id) }
    searches[id] = search
    guard !search.isWithinList, let item = queue[id], let entry = item.entry,
      let (index, qwink) = match(of: id, among: search.found, isOrphan: search.isOrphan)
    else { return lookFurther(for: id) }
    if entry.attempts[index].entry.saysSame(as: entry.sent ?? entry.entry) {
      didSend(item, as: .qwink(qwink), isFound: true)
    } else {
      arrived.insert(qwink.id)
      store?.noteArrived(qwink.id)
      queue.change(id) { _ = $0.entry?.attempts.remove(at: index) }
      end(id, .refused(reason: Self.earlierWords), .arrivedBefore(qwink))
    }
  }

  /// Completes an uncertain item if its qwink is among `qwinks`, which are all by the user.
  func settle(_ id: String, with qwinks: [Qwink], isOrphan: Bool) {
    guard let item = queue[id], item.state == .uncertain, mayChange(id),
      let (index, qwink) = match(of: id, among: qwinks.filter { !arrived.contains($0.id) }, isOrphan: isOrphan),
      let entry = item.entry, entry.attempts[index].entry.saysSame(as: entry.sent ?? entry.entry)
    else { return }
    queue.begin(id)
    didSend(item, as: .qwink(qwink), isFound: true)
  }

  /// Returns the qwink that an item became, and the attempt that posted it. Tries attempts with the current text first,
  /// then earlier texts. Of several equal qwinks, returns the oldest: a newer one may belong to a later item.
  func match(of id: String, among qwinks: [Qwink], isOrphan: Bool) -> (attempt: Int, qwink: Qwink)? {
    guard let entry = queue[id]?.entry else { return nil }
    let attempts = entry.attempts
    let same = attempts.indices.filter { attempts[$0].entry.saysSame(as: entry.sent ?? entry.entry) }
    for index in same + attempts.indices.filter({ !same.contains($0) }) {
      let earliest = earliest(of: attempts[index])
      let found = qwinks.filter { attempts[index].became($0, earliest: earliest, isOrphan: isOrphan) }
        .min { $0.createdAt < $1.createdAt }
      if let found { return (index, found) }
    }
    return nil
  }
}
