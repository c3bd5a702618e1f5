public import QwinkleModel
import QwinkleService

/// My relationships: following and unfollowing, through the outbox. A change shows at once; the server's answer
/// corrects it if need be.
@MainActor
public final class Follows {
  let connection: AccountConnection
  let undoHistory: UndoHistory
  private let outbox: Outbox
  /// The known relationships.
  var relationships: [Qwinker.ID: Relationship] = [:]
  /// Relationships being fetched, one at a time and many at once.
  private var asked: Set<Qwinker.ID> = []
  private var askedTogether: Set<Qwinker.ID> = []
  var changes = ChangeCounts()
  /// The server's last word on relationships with a follow under way.
  private var relationshipsBefore: [Qwinker.ID: Relationship] = [:]
  /// The qwinker of each follow under way, and whether it is an undo.
  private var followedQwinkers: [Qwinker.ID: (Qwinker, isUndo: Bool)] = [:]
  /// My answers to follow requests.
  var answeredRequests: [Qwinker.ID: Bool] = [:]
  /// Who asks to follow, as the list of requests says.
  var requesters: Set<Qwinker.ID> = []
  /// Follow requests being answered.
  var requestsUnderWay: Set<Qwinker.ID> = []
  /// The hidden qwinkers. Its index has the handles of all whose relationship is known or fetched.
  var people: HiddenPeople

  /// Numbers of changes by this program. The answer to an earlier request reports the state before the change, even if
  /// the server answers that request last.
  struct ChangeCounts {
    var users: [Qwinker.ID: Int] = [:]
    /// By ``Qwinker/hostForm(_:)``.
    var hosts: [String: Int] = [:]
  }

  init(_ connection: AccountConnection, undoHistory: UndoHistory, outbox: Outbox) {
    self.connection = connection
    self.undoHistory = undoHistory
    self.outbox = outbox
    people = HiddenPeople(serverURL: connection.serverURL)
    outbox.setHandler(self, of: .follow)
  }

  /// My relationship to somebody; nil if unknown.
  public func relationship(to id: Qwinker.ID) -> Relationship? { relationships[id] }

  /// Whether a follow or unfollow is under way, or waits to be sent.
  public func isUnderWay(_ id: Qwinker.ID) -> Bool { outbox.target(of: Self.key(of: id)) != nil }

  private static func key(of id: Qwinker.ID) -> String { OutgoingChange(.follow, of: id.rawValue).key }

  /// Fetches my relationship to somebody, and tells observers. A failure is ignored.
  public func loadRelationship(to qwinker: Qwinker) {
    guard connection.isSignedIn, !asked.contains(qwinker.id), !isUnderWay(qwinker.id) else { return }
    askRelationship(to: qwinker) { _ in }
  }

  /// Fetches my relationships to people in one request, if they are unknown or in `known`. A failure is ignored.
  public func loadRelationships(to qwinkers: [Qwinker], evenKnown known: Set<Qwinker.ID> = []) {
    for qwinker in qwinkers { people.index.insert(qwinker) }
    loadRelationships(toAll: Set(qwinkers.map(\.id)).filter { relationships[$0] == nil || known.contains($0) })
  }

  /// Fetches relationships in one request, also known ones. A failure is ignored.
  func loadRelationships(toAll ids: Set<Qwinker.ID>) {
    let wanted = ids.filter { !asked.contains($0) && !askedTogether.contains($0) && !isUnderWay($0) }
    guard connection.isSignedIn, !wanted.isEmpty else { return }
    askedTogether.formUnion(wanted)
    let before = changes
    connection.ask(.relationships(wanted.sorted { $0.rawValue < $1.rawValue })) { [weak self] result in
      guard let self else { return }
      askedTogether.subtract(wanted)
      if case .success(let answers) = result {
        apply(answers.filter { wanted.contains($0.id) }, fetchedAfter: before)
      }
    }
  }

  private func askRelationship(to qwinker: Qwinker, done: @escaping @MainActor (DownloadError?) -> Void) {
    let id = qwinker.id
    people.index.insert(qwinker)
    asked.insert(id)
    let before = changes
    connection.ask(.relationship(id)) { [weak self] result in
      guard let self else { return }
      asked.remove(id)
      switch result {
      case .success(let relationship):
        apply([relationship], fetchedAfter: before)
        done(nil)
      case .failure(let error): done(error)
      }
    }
  }

  /// Follows somebody, or unfollows them if `isOn` is false. ``Account/undo()`` reverses it. Observers hear the result.
  public func follow(_ qwinker: Qwinker, isOn: Bool) {
    undoHistory.remember(.follow(qwinker, isOn: isOn))
    send(qwinker, isOn: isOn, isUndo: false)
  }

  /// Follows or unfollows somebody; withdraws a follow request. `done` gets which, after fetching the relationship if
  /// it is unknown.
  public func toggleFollow(_ qwinker: Qwinker, done: @escaping @MainActor (_ isOn: Bool) -> Void) {
    if let known = relationships[qwinker.id] {
      let isOn = !(known.isFollowing || known.isRequested)
      follow(qwinker, isOn: isOn)
      return done(isOn)
    }
    askRelationship(to: qwinker) { [weak self] error in
      if let error {
        self?.tellFailure(FeedFailure(FailureWords.following(isOn: true), error))
      } else {
        self?.toggleFollow(qwinker, done: done)
      }
    }
  }

  /// As ``follow(_:isOn:)``, without an undo if it is one.
  func send(_ qwinker: Qwinker, isOn: Bool, isUndo: Bool = true) {
    followedQwinkers[qwinker.id] = (qwinker, isUndo)
    let before = relationships[qwinker.id] ?? Relationship(id: qwinker.id)
    if !isUnderWay(qwinker.id) { relationshipsBefore[qwinker.id] = before }
    outbox.want(
      OutgoingChange(.follow, of: qwinker.id.rawValue, isOn: isOn, wasOn: !isOn, title: "@\(qwinker.handle)"))
    guard isUnderWay(qwinker.id) else {
      // It had not been sent, and is not.
      takeIn(relationshipsBefore[qwinker.id] ?? before)
      return forgetIfDone(qwinker.id)
    }
    var wanted = before
    wanted.isFollowing = isOn && !qwinker.isLocked
    wanted.isRequested = isOn && qwinker.isLocked
    takeIn(wanted)
  }

  private func forgetIfDone(_ id: Qwinker.ID) {
    guard !isUnderWay(id) else { return }
    relationshipsBefore[id] = nil
    followedQwinkers[id] = nil
  }

  private func didFollow(_ id: Qwinker.ID, isOn: Bool, now answer: Relationship) {
    var relationship = answer
    relationship.id = id
    let before = relationshipsBefore.updateValue(relationship, forKey: id)
    // A later wish shows already.
    guard !isUnderWay(id) else { return }
    takeIn(relationship)
    guard let (qwinker, isUndo) = followedQwinkers[id] else { return }
    let outcome = FollowOutcome(qwinker: qwinker, isOn: isOn, before: before, now: relationship, isUndo: isUndo)
    connection.observers.forEach { $0.follows(self, didFollow: outcome) }
  }

  private func takeBack(_ id: Qwinker.ID) {
    undoHistory.forget { $0.isFollow(id) }
    if let before = relationshipsBefore[id] { takeIn(before) }
  }

  /// Applies a relationship that this program changed, and counts the change.
  func takeIn(_ relationship: Relationship) {
    changes.users[relationship.id, default: 0] += 1
    var relationship = relationship
    // It may be from before its server was blocked or unblocked.
    if let host = people.index.host(of: relationship.id) {
      relationship.isBlockingDomain = people.hosts.contains(host)
    }
    apply([relationship])
  }

  /// Applies fetched relationships, without those that this program has changed since the request.
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

extension Follows: OutboxHandler {
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer) {
    guard let change = item.change, case .relationship(let relationship) = answer else { return }
    let id = Qwinker.ID(change.target)
    didFollow(id, isOn: change.isOn, now: relationship)
    forgetIfDone(id)
  }

  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool) {
    guard let change = item.change, case .refused(let error) = ending else { return }
    let id = Qwinker.ID(change.target)
    guard !isUnderWay(id) else { return }
    takeBack(id)
    tellFailure(
      FeedFailure(FailureWords.following(isOn: change.isOn), error) { [weak self] in
        guard let self, !isUnderWay(id) else { return false }
        return relationships[id].map { ($0.isFollowing || $0.isRequested) != change.isOn } ?? true
      })
    forgetIfDone(id)
  }

  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem) {
    guard let change = item.change else { return }
    let id = Qwinker.ID(change.target)
    guard !isUnderWay(id) else { return }
    takeBack(id)
    forgetIfDone(id)
  }
}
