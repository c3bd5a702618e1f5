public import QwinkleModel
public import QwinkleService
import QwinkleStore
import Timekeeping

/// How sending an entry ended.
public enum PostOutcome: Sendable {
  /// It was posted, now or before.
  case posted(Qwink)
  /// It was not posted, or that is unknown: see ``OutgoingEntry/attempts``.
  case failed(DownloadError)
  /// It may have arrived before and couldn't be looked for, so it was not sent again.
  case notLookedFor(DownloadError?)
  /// An earlier text of it, thought lost, had arrived. This one was not sent.
  case arrivedBefore(Qwink)
}

/// An entry being sent.
struct Posting {
  var outgoing: OutgoingEntry
  /// The entry as the server gets it.
  var entry: Entry
  /// The qwink it replaces, if it is an edit.
  var edited: Qwink.ID?
  /// The search for it, if it may have arrived.
  var search: PostSearch?
  var fetch: Fetch?
}

/// Posting, editing and deleting. An entry is written to disk before it is sent. If it may have arrived already, it is
/// looked for among my latest qwinks first, as some servers post twice what is sent twice.
@MainActor
public final class Posts {
  private let connection: AccountConnection
  private let identity: Identity
  private let timelines: Timelines
  /// Keeps entries until they have arrived.
  private let drafts: OutgoingStore?
  /// Entries being sent, by id.
  private var postings: [String: Posting] = [:] {
    didSet { connection.noteUnderWay() }
  }
  /// The qwinks that entries became.
  private var arrivedPosts: Set<Qwink.ID> = []

  init(_ connection: AccountConnection, identity: Identity, timelines: Timelines, drafts: OutgoingStore?) {
    self.connection = connection
    self.identity = identity
    self.timelines = timelines
    self.drafts = drafts
  }

  /// Entries on their way to the server.
  var underWay: [UnderWay] { postings.values.map { $0.edited == nil ? .post : .edit } }

  // MARK: Posting

  /// Posts an entry. Observers hear whether it worked.
  public func post(_ entry: Entry) {
    connection.ask(.post(entry), as: isWrittenDown(entry) ? nil : .post) { [weak self] result in
      switch result {
      case .success(let qwink): self?.takeInPosted(qwink, from: entry)
      case .failure(let error): self?.takeInFailure(error, of: entry)
      }
    }
  }

  /// Replaces what a qwink said by an entry. Observers hear whether it worked as of a post.
  public func edit(_ id: Qwink.ID, _ entry: Entry) {
    connection.ask(.edit(id, entry), as: isWrittenDown(entry) ? nil : .edit) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let qwink):
        timelines.takeInEdited(qwink, insteadOf: id)
        didPost(entry, as: qwink)
      case .failure(let error): takeInFailure(error, of: entry)
      }
    }
  }

  private func isWrittenDown(_ entry: Entry) -> Bool {
    postings.values.contains { $0.entry.idempotencyKey == entry.idempotencyKey }
  }

  /// Sends `entry`, which is `outgoing` in the server's form, or replaces `edited` by it. Observers hear how it ends.
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

  /// Notes on disk that it may have arrived from now on, then sends it.
  private func writeDown(_ id: String) {
    guard var posting = postings[id] else { return }
    posting.search = nil
    posting.fetch = nil
    let key = posting.entry.idempotencyKey
    if posting.edited == nil, !posting.outgoing.attempts.contains(where: { $0.entry.idempotencyKey == key }) {
      posting.outgoing.attempts.append(.init(entry: posting.entry, at: connection.clock.now))
    }
    postings[id] = posting
    guard let drafts else { return start(posting) }
    // If the disk is full, the entry stays open until it has arrived.
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

  /// Shows an entry that has been posted, now or before.
  private func takeInPosted(_ qwink: Qwink, from entry: Entry) {
    timelines.takeInOwn(qwink)
    didPost(entry, as: qwink)
  }

  /// Ends the sending of an entry that became `qwink`.
  private func didPost(_ entry: Entry, as qwink: Qwink) {
    connection.observers.forEach { $0.posts(self, didPost: qwink, from: entry) }
    arrivedPosts.insert(qwink.id)
    guard let posting = takePosting(of: entry) else { return }
    if posting.edited == nil {
      drafts?.forget(posting.outgoing.id, arrivedAs: qwink.id)
    } else {
      drafts?.forget(posting.outgoing.id)
    }
    tell(.posted(qwink), of: posting)
  }

  private func takeInFailure(_ error: DownloadError, of entry: Entry) {
    connection.observers.forEach { $0.posts(self, didFailToPost: entry, with: error) }
    guard var posting = takePosting(of: entry) else { return }
    let index = posting.outgoing.attempts.firstIndex { $0.entry.idempotencyKey == entry.idempotencyKey }
    if let index {
      // An earlier attempt may have arrived.
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

  /// Keeps an entry that was not posted, and releases it.
  private func end(_ posting: Posting, with outcome: PostOutcome) {
    postings[posting.outgoing.id] = nil
    let id = posting.outgoing.id
    drafts?.keep(posting.outgoing) { _ in }
    tell(outcome, of: posting)
    drafts?.release(id)
  }

  private func tell(_ outcome: PostOutcome, of posting: Posting) {
    connection.observers.forEach { $0.posts(self, didSend: posting.outgoing, outcome) }
  }

  // MARK: Looking for what may have arrived

  private func look(for id: String) {
    guard let me = identity.me, let posting = postings[id] else {
      identity.identify()
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
    postings[id]?.fetch =
      switch place {
      case .timeline(let name, let cursor):
        fetch(
          cursor.map { .timelinePage(name, $0) } ?? .timeline(name, limit: PostSearch.pageSize), for: id,
          isNeeded: name == .qwinker(identity.me?.id ?? "")
        ) { posts, page in
          guard let attempts = posts.postings[id]?.outgoing.attempts else { return [] }
          posts.postings[id]?.search?.goOn(name, after: page, for: attempts)
          return page.items
        }
      case .conversations:
        fetch(.conversations(limit: PostSearch.pageSize), for: id, isNeeded: false) { $1.items.compactMap(\.lastQwink) }
      }
  }

  /// Fetches a page in which an entry may be. Servers may lack the lists that aren't needed.
  private func fetch<Item>(
    _ request: Request<Page<Item>>, for id: String, isNeeded: Bool,
    qwinks: @escaping @MainActor (Posts, Page<Item>) -> [Qwink]
  ) -> Fetch {
    connection.fetch(request) { [weak self] result in
      guard let self, let posting = postings[id] else { return }
      switch result {
      case .success(let page): examine(qwinks(self, page), for: id)
      case .failure(.notFound) where !isNeeded: lookFurther(for: id)
      case .failure(let error): end(posting, with: .notLookedFor(error))
      }
    }
  }

  private func examine(_ qwinks: [Qwink], for id: String) {
    guard var posting = postings[id], let search = posting.search else { return }
    let mine = qwinks.filter { $0.author.id == identity.me?.id && !search.arrived.contains($0.id) }
    let attempts = posting.outgoing.attempts
    // Compare the text to send first.
    let same = attempts.indices.filter { attempts[$0].entry.saysSame(as: posting.entry) }
    for index in same + attempts.indices.filter({ !same.contains($0) }) {
      let attempt = attempts[index]
      guard let qwink = mine.first(where: { attempt.became($0) }) else { continue }
      if same.contains(index) {
        takeInPosted(qwink, from: posting.entry)
      } else {
        posting.outgoing.attempts.remove(at: index)
        end(posting, with: .arrivedBefore(qwink))
        // Only now: the search above must not take it for another's.
        arrivedPosts.insert(qwink.id)
        drafts?.noteArrived(qwink.id)
      }
      return
    }
    lookFurther(for: id)
  }

  // MARK: Deleting

  /// Deletes one's own qwink.
  public func delete(_ qwink: Qwink) {
    let id = qwink.originalID
    connection.ask(.delete(id), as: .deletion) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: timelines.remove(id)
      case .failure(let error): didFailToDelete(id, with: error)
      }
    }
  }

  /// Asks whether the qwink is still there: a server that can't delete answers as if it weren't.
  private func didFailToDelete(_ id: Qwink.ID, with refusal: DownloadError) {
    guard refusal.mayMeanUndeletable else { return tellNotDeleted(refusal) }
    connection.ask(.qwink(id)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success: connection.observers.forEach { $0.posts(self, cannotDelete: id, because: refusal) }
      // Deleted by this request, or by an earlier one whose answer was lost.
      case .failure(.notFound): timelines.remove(id)
      case .failure(let error): tellNotDeleted(error)
      }
    }
  }

  private func tellNotDeleted(_ error: DownloadError) {
    guard !error.isCancelled else { return }
    connection.observers.forEach { $0.account(didFail: FeedFailure("Deleting", error)) }
  }
}

extension DownloadError {
  /// Whether the server may not know the call for deleting.
  fileprivate var mayMeanUndeletable: Bool {
    switch self {
    case .notFound: true
    case .unexpectedStatus(_, let status): status == 405
    case .serverFailed(_, let status): status == 501
    default: false
    }
  }
}
