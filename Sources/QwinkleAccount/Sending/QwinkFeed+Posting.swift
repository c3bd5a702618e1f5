import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import QwinkleStore
import Timekeeping

/// What became of an entry that was sent.
public enum PostOutcome: Sendable {
  /// It was posted, or had been: this is what it became.
  case posted(Qwink)
  /// It was not, or nobody knows: ``OutgoingEntry/attempts`` tells.
  case failed(DownloadError)
  /// It may have arrived before, and cannot be looked for, so that it was not sent again.
  case notLookedFor(DownloadError?)
  /// Another text of it, which was thought lost, had arrived. This one was not sent.
  case arrivedBefore(Qwink)
}

/// An entry on its way.
struct Posting {
  var outgoing: OutgoingEntry
  /// As it is sent.
  var entry: Entry
  /// What it takes the place of, where it is an edit.
  var edited: Qwink.ID?
  /// What may be, and where it is looked for next.
  var search: PostSearch?
  var fetch: Fetch?
}

/// The way through lists in which something that was posted may be.
struct PostSearch {
  static let pageSize = 40
  private static let mostPages = 5

  /// Where it has not been looked for.
  var places: [DownloadRequest]
  /// What others became.
  var arrived: Set<Qwink.ID>
  var pages = 0

  /// The lists that have what `author` wrote for `visibility`: not every server has everything in each of them.
  init(author: Qwinker.ID, visibility: Visibility, arrived: Set<Qwink.ID>) {
    places = [.timeline(.qwinker(author), limit: Self.pageSize)]
    if visibility == .private || visibility == .direct { places.append(.timeline(.home, limit: Self.pageSize)) }
    if visibility == .direct { places.append(.conversations(limit: Self.pageSize)) }
    self.arrived = arrived
  }

  /// Goes on behind a page of `place`: below it where what is looked for may be older, as far as that goes.
  mutating func goOn(_ place: DownloadRequest, after page: Page<Qwink>, for attempts: [OutgoingEntry.Attempt]) {
    let start = attempts.map(\.at).min()?.addingTimeInterval(-OutgoingEntry.Attempt.clockTolerance)
    guard let start, let oldest = page.items.last, (oldest.boostedAt ?? oldest.createdAt) > start else { return }
    guard let older = page.older, pages < Self.mostPages, let name = place.timelineName else { return }
    pages += 1
    places.insert(.timelinePage(name, older), at: 0)
  }
}

/// Sending what was written. It is written down before; and where it may have arrived already it is looked for among
/// what I wrote last, as some servers post twice what is sent twice.
extension QwinkFeed {
  /// Sends `entry`, which is `outgoing` as servers want it, or puts it in the place of what `edited` says. Observers
  /// hear what became of it.
  public func send(_ outgoing: OutgoingEntry, as entry: Entry, edited: Qwink.ID? = nil) {
    guard postings[outgoing.id] == nil else { return }
    var outgoing = outgoing
    for index in outgoing.attempts.indices where outgoing.attempts[index].reason == nil {
      outgoing.attempts[index].reason = OutgoingEntry.Attempt.endedReason
    }
    postings[outgoing.id] = Posting(outgoing: outgoing, entry: entry, edited: edited)
    drafts?.hold(outgoing.id)
    if edited == nil, outgoing.isDoubtful { look(for: outgoing.id) } else { writeDown(outgoing.id) }
  }

  /// Whether an entry is on its way.
  public func isPosting(_ id: String) -> Bool { postings[id] != nil }

  /// Notes that it may have arrived from now on, on the disk before anything is sent.
  private func writeDown(_ id: String) {
    guard var posting = postings[id] else { return }
    posting.search = nil
    posting.fetch = nil
    let key = posting.entry.idempotencyKey
    if posting.edited == nil, !posting.outgoing.attempts.contains(where: { $0.entry.idempotencyKey == key }) {
      posting.outgoing.attempts.append(.init(entry: posting.entry, at: clock.now))
    }
    postings[id] = posting
    guard let drafts else { return start(posting) }
    // Where it cannot be written, it stays where it was typed until it has arrived.
    drafts.keep(posting.outgoing) { [weak self] result in
      guard let self, var posting = postings.removeValue(forKey: id) else { return }
      if case .success(let kept) = result { posting.outgoing.id = kept }
      postings[posting.outgoing.id] = posting
      start(posting)
    }
  }

  private func start(_ posting: Posting) {
    if let edited = posting.edited { edit(edited, posting.entry) } else { post(posting.entry) }
  }

  /// What the server made of an entry.
  func didPost(_ entry: Entry, as qwink: Qwink) {
    arrivedPosts.insert(qwink.id)
    guard let posting = takePosting(of: entry) else { return }
    if posting.edited == nil {
      drafts?.forget(posting.outgoing.id, arrivedAs: qwink.id)
    } else {
      drafts?.forget(posting.outgoing.id)
    }
    tell(.posted(qwink), of: posting)
  }

  func didFailToPost(_ entry: Entry, with error: DownloadError) {
    guard var posting = takePosting(of: entry) else { return }
    let index = posting.outgoing.attempts.firstIndex { $0.entry.idempotencyKey == entry.idempotencyKey }
    if let index {
      // What may have arrived an earlier time still may.
      let wasDoubtful = posting.outgoing.attempts[index].reason != nil
      if error.mayHaveArrived {
        posting.outgoing.attempts[index].reason = error.summary
      } else if !wasDoubtful {
        posting.outgoing.attempts.remove(at: index)
      }
    }
    end(posting, with: .failed(error))
  }

  private func takePosting(of entry: Entry) -> Posting? {
    let id = postings.first { $0.value.entry.idempotencyKey == entry.idempotencyKey }?.key
    return id.flatMap { postings.removeValue(forKey: $0) }
  }

  /// Notes how it is with an entry that was not posted, and leaves it to who wrote it, or who wants it next.
  private func end(_ posting: Posting, with outcome: PostOutcome) {
    postings[posting.outgoing.id] = nil
    let id = posting.outgoing.id
    drafts?.keep(posting.outgoing) { _ in }
    tell(outcome, of: posting)
    drafts?.release(id)
  }

  private func tell(_ outcome: PostOutcome, of posting: Posting) {
    forEachObserver { $0.feed(self, didSend: posting.outgoing, outcome) }
  }

  // MARK: Looking for what may have arrived

  private func look(for id: String) {
    guard let me, let posting = postings[id] else {
      identify()
      if let posting = postings[id] { end(posting, with: .notLookedFor(nil)) }
      return
    }
    let search: @MainActor (Set<Qwink.ID>) -> Void = { [weak self] arrived in
      guard let self, postings[id] != nil else { return }
      postings[id]?.search = PostSearch(
        author: me.id, visibility: posting.entry.visibility, arrived: arrived.union(arrivedPosts))
      lookFurther(for: id)
    }
    guard let drafts else { return search([]) }
    drafts.arrived { search($0) }
  }

  private func lookFurther(for id: String) {
    guard var posting = postings[id] else { return }
    guard let place = posting.search?.places.first else { return writeDown(id) }
    posting.search?.places.removeFirst()
    postings[id] = posting
    postings[id]?.fetch = fetch(place) { [weak self] result in
      guard let self, let posting = postings[id] else { return }
      switch result {
      case .success(.qwinks(let page)):
        postings[id]?.search?.goOn(place, after: page, for: posting.outgoing.attempts)
        examine(page.items, for: id)
      case .success(.conversations(let page)): examine(page.items.compactMap(\.lastQwink), for: id)
      case .success: lookFurther(for: id)
      case .failure(let error):
        // Some servers have no such list besides the one that all have.
        if case .notFound = error, place.timelineName != .qwinker(me?.id ?? "") { return lookFurther(for: id) }
        end(posting, with: .notLookedFor(error))
      }
    }
  }

  private func examine(_ qwinks: [Qwink], for id: String) {
    guard var posting = postings[id], let search = posting.search else { return }
    let mine = qwinks.filter { $0.author.id == me?.id && !search.arrived.contains($0.id) }
    let attempts = posting.outgoing.attempts
    // What is to be sent now comes first.
    let same = attempts.indices.filter { attempts[$0].entry.saysSame(as: posting.entry) }
    for index in same + attempts.indices.filter({ !same.contains($0) }) {
      let attempt = attempts[index]
      guard let qwink = mine.first(where: { attempt.became($0) }) else { continue }
      if same.contains(index) {
        takeInPosted(qwink, from: posting.entry)
      } else {
        posting.outgoing.attempts.remove(at: index)
        end(posting, with: .arrivedBefore(qwink))
        // Only now: it must not be known for another's while this one still looks for it.
        arrivedPosts.insert(qwink.id)
        drafts?.noteArrived(qwink.id)
      }
      return
    }
    lookFurther(for: id)
  }
}

extension DownloadRequest {
  /// The timeline that it asks for.
  fileprivate var timelineName: TimelineName? {
    switch self {
    case .timeline(let name, _), .timelinePage(let name, _): name
    default: nil
    }
  }
}
