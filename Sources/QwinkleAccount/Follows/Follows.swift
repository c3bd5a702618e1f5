public import QwinkleModel
public import QwinkleService

/// The user's relationships. Follows and unfollows are sent through the outbox. A change is shown at once and corrected
/// by the server's response if necessary.
@MainActor
public final class Follows {
  let connection: AccountConnection
  let undoHistory: UndoHistory
  private let outbox: Outbox
  var relationships: [Qwinker.ID: Relationship] = [:]
  /// Qwinkers whose relationship is being fetched: by a request for one relationship, and by a request for several.
  private var asked: Set<Qwinker.ID> = []
  private var askedTogether: Set<Qwinker.ID> = []
  /// Relationships requested from the server.
  private var downloads: [DownloadIdentifier: Download] = [:]
  var changes = ChangeCounts()
  /// The last relationship confirmed by the server, for each qwinker with a follow or unfollow in progress.
  private var relationshipsBefore: [Qwinker.ID: Relationship] = [:]
  /// The qwinker of each follow or unfollow in progress, and whether it is an undo.
  private var followedQwinkers: [Qwinker.ID: (Qwinker, isUndo: Bool)] = [:]
  /// The user's answers to follow requests.
  var answeredRequests: [Qwinker.ID: Bool] = [:]
  /// Qwinkers with a pending follow request.
  var requesters: Set<Qwinker.ID> = []
  /// Follow requests being answered.
  var requestsInProgress: Set<Qwinker.ID> = []
  /// The hidden qwinkers. The index has the handle of every qwinker whose relationship has been loaded or is being
  /// fetched.
  var people: HiddenPeople

  /// Number of changes that this program has made to each relationship and server block. If a count has changed since a
  /// request was sent, the response may contain the old state.
  struct ChangeCounts {
    var users: [Qwinker.ID: Int] = [:]
    /// Keyed by ``Qwinker/hostForm(_:)``.
    var hosts: [String: Int] = [:]
  }

  init(_ connection: AccountConnection, undoHistory: UndoHistory, outbox: Outbox) {
    self.connection = connection
    self.undoHistory = undoHistory
    self.outbox = outbox
    people = HiddenPeople(serverURL: connection.serverURL)
    outbox.setHandler(self, of: .follow)
  }

  /// Returns the user's relationship to a qwinker, if known.
  public func relationship(to id: Qwinker.ID) -> Relationship? { relationships[id] }

  /// Whether a follow or unfollow is in progress or queued.
  public func isInProgress(_ id: Qwinker.ID) -> Bool { outbox.target(of: Self.key(of: id)) != nil }

  private static func key(of id: Qwinker.ID) -> String { OutgoingChange(.follow, of: id.rawValue).key }

  /// Fetches the user's relationship to a qwinker and notifies observers. Ignores failures.
  public func loadRelationship(to qwinker: Qwinker) {
    guard connection.isSignedIn, !asked.contains(qwinker.id), !isInProgress(qwinker.id) else { return }
    askRelationship(to: qwinker) { _ in }
  }

  /// Fetches the relationships to `qwinkers` in one request. Skips relationships that are already loaded, except for
  /// the ids in `known`. Ignores failures.
  public func loadRelationships(to qwinkers: [Qwinker], evenKnown known: Set<Qwinker.ID> = []) {
    for qwinker in qwinkers { people.index.insert(qwinker) }
    loadRelationships(toAll: Set(qwinkers.map(\.id)).filter { relationships[$0] == nil || known.contains($0) })
  }

  /// Fetches relationships in one request, even if they are already loaded. Ignores failures.
  func loadRelationships(toAll ids: Set<Qwinker.ID>) {
    let wanted = ids.filter { !asked.contains($0) && !askedTogether.contains($0) && !isInProgress($0) }
    guard connection.isSignedIn, !wanted.isEmpty else { return }
    askedTogether.formUnion(wanted)
    let request = Request<[Relationship]>.relationships(wanted.sorted { $0.rawValue < $1.rawValue })
    downloads[connection.start(request, delegate: self)] = .several(wanted, after: changes)
  }

  private func askRelationship(to qwinker: Qwinker, done: @escaping @MainActor (DownloadError?) -> Void) {
    let id = qwinker.id
    people.index.insert(qwinker)
    asked.insert(id)
    let request = Request<Relationship>.relationship(id)
    downloads[connection.start(request, delegate: self)] = .one(id, after: changes, done)
  }

  private func didFail(_ download: Download, with error: DownloadError) {
    switch download {
    case .one(let id, _, let done):
      asked.remove(id)
      done(error)
    case .several(let ids, _): askedTogether.subtract(ids)
    }
  }

  /// Follows a qwinker, or unfollows them if `isOn` is false. If the user already follows them, changes the options of
  /// the follow. ``Account/undo()`` reverses it. Observers are notified of the result.
  public func follow(_ qwinker: Qwinker, isOn: Bool, options: FollowOptions? = nil) {
    let before = relationships[qwinker.id].flatMap { $0.isFollowing || $0.isRequested ? $0.followOptions : nil }
    undoHistory.remember(.follow(qwinker, isOn: isOn, before: before?.restoring(options)))
    send(qwinker, isOn: isOn, options: options, isUndo: false)
  }

  /// Follows or unfollows a qwinker, or withdraws a follow request. First fetches the relationship if it is unknown.
  /// Calls `done` when the change has been queued. If the relationship can't be fetched, notifies observers instead.
  public func toggleFollow(_ qwinker: Qwinker, done: @escaping @MainActor (_ isOn: Bool) -> Void) {
    findRelationship(to: qwinker) { [weak self] known in
      let isOn = !(known.isFollowing || known.isRequested)
      self?.follow(qwinker, isOn: isOn)
      done(isOn)
    }
  }

  /// Calls `done` with the user's relationship to a qwinker before they follow them. First fetches the relationship if
  /// it is unknown. If it can't be fetched, notifies observers instead.
  public func findRelationship(to qwinker: Qwinker, done: @escaping @MainActor (Relationship) -> Void) {
    if let known = relationships[qwinker.id] { return done(known) }
    askRelationship(to: qwinker) { [weak self] error in
      guard let self else { return }
      if let error { return tellFailure(FeedFailure(FailureWords.following(isOn: true), error)) }
      done(relationships[qwinker.id] ?? Relationship(id: qwinker.id))
    }
  }

  /// Like ``follow(_:isOn:)``, but doesn't add the change to the undo history.
  func send(_ qwinker: Qwinker, isOn: Bool, options: FollowOptions? = nil, isUndo: Bool = true) {
    followedQwinkers[qwinker.id] = (qwinker, isUndo)
    let before = relationships[qwinker.id] ?? Relationship(id: qwinker.id)
    if !isInProgress(qwinker.id) { relationshipsBefore[qwinker.id] = before }
    let isChange = isOn && options != nil && (before.isFollowing || before.isRequested)
    outbox.want(
      OutgoingChange(
        .follow, of: qwinker.id.rawValue, isOn: isOn, wasOn: isChange || !isOn, title: "@\(qwinker.handle)",
        options: options))
    guard isInProgress(qwinker.id) else {
      // The opposite change was still queued, so the two cancelled each other.
      merge(relationshipsBefore[qwinker.id] ?? before)
      return forgetIfDone(qwinker.id)
    }
    var wanted = before
    if !isChange {
      wanted.isFollowing = isOn && !qwinker.isLocked
      wanted.isRequested = isOn && qwinker.isLocked
    }
    if isOn { wanted.followOptions = (isChange ? FollowOptions() : .usual).merged(with: options) }
    merge(wanted)
  }

  private func forgetIfDone(_ id: Qwinker.ID) {
    guard !isInProgress(id) else { return }
    relationshipsBefore[id] = nil
    followedQwinkers[id] = nil
  }

  private func didFollow(_ id: Qwinker.ID, _ change: OutgoingChange, now answer: Relationship) {
    var relationship = answer
    relationship.id = id
    let before = relationshipsBefore.updateValue(relationship, forKey: id)
    // If a later change is queued, ignore the response: the later change is already shown.
    guard !isInProgress(id) else { return }
    merge(relationship)
    guard let (qwinker, isUndo) = followedQwinkers[id] else { return }
    let outcome = FollowOutcome(
      qwinker: qwinker, isOn: change.isOn, before: before, now: relationship, isUndo: isUndo, options: change.options)
    connection.observers.forEach { $0.follows(self, didFollow: outcome) }
  }

  private func revert(_ id: Qwinker.ID) {
    undoHistory.forget { $0.isFollow(id) }
    if let before = relationshipsBefore[id] { merge(before) }
  }

  /// Applies a relationship that this program changed, and counts the change.
  func merge(_ relationship: Relationship) {
    changes.users[relationship.id, default: 0] += 1
    var relationship = relationship
    // The response may predate the block or unblock of the qwinker's server, so use the known state of the block.
    if let host = people.index.host(of: relationship.id) {
      relationship.isBlockingDomain = people.hosts.contains(host)
    }
    apply([relationship])
  }

  /// Applies fetched relationships, except relationships that this program has changed since the request.
  private func apply(_ answers: [Relationship], fetchedAfter before: ChangeCounts) {
    var fresh = answers.filter { changes.users[$0.id] == before.users[$0.id] }
    for index in fresh.indices {
      let host = people.index.host(of: fresh[index].id)
      if let host, changes.hosts[host] != before.hosts[host] {
        fresh[index].isBlockingDomain = people.hosts.contains(host)
      }
    }
    apply(fresh)
  }

  private func apply(_ fresh: [Relationship]) {
    for relationship in fresh {
      relationships[relationship.id] = relationship
      connection.observers.forEach { $0.follows(self, didChange: relationship) }
    }
    noteHidden(by: fresh)
  }

  func tellFailure(_ failure: FeedFailure) {
    guard !failure.error.isCancelled else { return }
    connection.observers.forEach { $0.account(didFail: failure) }
  }
}

extension Follows {
  /// A request for relationships. Its second value contains the changes at the time of the request.
  private enum Download {
    case one(Qwinker.ID, after: ChangeCounts, @MainActor (DownloadError?) -> Void)
    case several(Set<Qwinker.ID>, after: ChangeCounts)
  }
}

extension Follows: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    switch (downloads.removeValue(forKey: identifier), answer) {
    case (.one(let id, let changes, let done), let relationship as Relationship):
      asked.remove(id)
      apply([relationship], fetchedAfter: changes)
      done(nil)
    case (.several(let ids, let changes), let relationships as [Relationship]):
      askedTogether.subtract(ids)
      apply(relationships.filter { ids.contains($0.id) }, fetchedAfter: changes)
    default: break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if let download = downloads.removeValue(forKey: identifier) { didFail(download, with: error) }
  }
}

extension Follows: OutboxHandler {
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer) {
    guard let change = item.change, case .relationship(let relationship) = answer else { return }
    let id = Qwinker.ID(change.target)
    didFollow(id, change, now: relationship)
    forgetIfDone(id)
  }

  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool) {
    guard let change = item.change, case .refused(let error) = ending else { return }
    let id = Qwinker.ID(change.target)
    guard !isInProgress(id) else { return }
    revert(id)
    tellFailure(
      FeedFailure(FailureWords.following(isOn: change.isOn), error) { [weak self] in
        guard let self, !isInProgress(id) else { return false }
        guard let now = relationships[id], (now.isFollowing || now.isRequested) == change.isOn else { return true }
        return change.options.map { !now.ignored(of: $0).isEmpty } ?? false
      })
    forgetIfDone(id)
  }

  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem) {
    guard let change = item.change else { return }
    let id = Qwinker.ID(change.target)
    guard !isInProgress(id) else { return }
    revert(id)
    forgetIfDone(id)
  }
}
