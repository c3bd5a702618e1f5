public import QwinkleModel
import QwinkleService

/// My relationships: following and unfollowing. A change shows at once; the server's answer corrects it if need be.
@MainActor
public final class Follows {
  let connection: AccountConnection
  private let undoHistory: UndoHistory
  /// The known relationships.
  var relationships: [Qwinker.ID: Relationship] = [:]
  /// Relationships being fetched.
  private var asked: Set<Qwinker.ID> = []
  /// The server's last word on relationships with a follow under way.
  private var relationshipsBefore: [Qwinker.ID: Relationship] = [:]
  private var switches = Switches<Qwinker.ID>()
  /// The qwinker of each follow under way, and whether it is an undo.
  private var followedQwinkers: [Qwinker.ID: (Qwinker, isUndo: Bool)] = [:]
  /// My answers to follow requests.
  var answeredRequests: [Qwinker.ID: Bool] = [:]
  /// Follow requests being answered.
  var requestsUnderWay: Set<Qwinker.ID> = []

  init(_ connection: AccountConnection, undoHistory: UndoHistory) {
    self.connection = connection
    self.undoHistory = undoHistory
  }

  /// My relationship to somebody; nil if unknown.
  public func relationship(to id: Qwinker.ID) -> Relationship? { relationships[id] }

  /// Whether a follow or unfollow is under way.
  public func isUnderWay(_ id: Qwinker.ID) -> Bool { switches.isUnderWay(id) }

  /// Fetches my relationship to somebody, and tells observers. A failure is ignored.
  public func loadRelationship(to id: Qwinker.ID) {
    guard connection.isSignedIn, !asked.contains(id), !isUnderWay(id) else { return }
    askRelationship(to: id) { _ in }
  }

  private func askRelationship(to id: Qwinker.ID, done: @escaping @MainActor (DownloadError?) -> Void) {
    asked.insert(id)
    connection.ask(.relationship(id)) { [weak self] result in
      guard let self else { return }
      asked.remove(id)
      switch result {
      case .success(let relationship):
        takeIn(relationship)
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
    askRelationship(to: qwinker.id) { [weak self] error in
      if let error {
        self?.tellFailure(FeedFailure("Following", error))
      } else {
        self?.toggleFollow(qwinker, done: done)
      }
    }
  }

  /// As ``follow(_:isOn:)``, without an undo if it is one.
  func send(_ qwinker: Qwinker, isOn: Bool, isUndo: Bool = true) {
    followedQwinkers[qwinker.id] = (qwinker, isUndo)
    let before = relationships[qwinker.id] ?? Relationship(id: qwinker.id)
    if switches.want(isOn, for: qwinker.id) {
      relationshipsBefore[qwinker.id] = before
      start(qwinker.id, isOn: isOn)
    }
    var wanted = before
    wanted.isFollowing = isOn && !qwinker.isLocked
    wanted.isRequested = isOn && qwinker.isLocked
    takeIn(wanted)
  }

  private func start(_ id: Qwinker.ID, isOn: Bool) {
    connection.ask(.follow(id, isOn: isOn), as: .follow) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let answer): didFollow(id, isOn: isOn, now: answer)
      case .failure(let error): didFailToFollow(id, isOn: isOn, with: error)
      }
      if let next = switches.next(after: id) { return start(id, isOn: next) }
      relationshipsBefore[id] = nil
      followedQwinkers[id] = nil
    }
  }

  private func didFollow(_ id: Qwinker.ID, isOn: Bool, now answer: Relationship) {
    var relationship = answer
    relationship.id = id
    let before = relationshipsBefore.updateValue(relationship, forKey: id)
    // A later wish shows already.
    guard switches.target(of: id) == isOn else { return }
    takeIn(relationship)
    guard let (qwinker, isUndo) = followedQwinkers[id] else { return }
    let outcome = FollowOutcome(qwinker: qwinker, isOn: isOn, before: before, now: relationship, isUndo: isUndo)
    connection.observers.forEach { $0.follows(self, didFollow: outcome) }
  }

  private func didFailToFollow(_ id: Qwinker.ID, isOn: Bool, with error: DownloadError) {
    switches.dropWanted(id)
    undoHistory.forget { $0.isFollow(id) }
    if let before = relationshipsBefore[id] { takeIn(before) }
    tellFailure(
      FeedFailure(isOn ? "Following" : "Unfollowing", error) { [weak self] in
        guard let self, !isUnderWay(id) else { return false }
        return relationships[id].map { ($0.isFollowing || $0.isRequested) != isOn } ?? true
      })
  }

  func takeIn(_ relationship: Relationship) {
    relationships[relationship.id] = relationship
    connection.observers.forEach { $0.follows(self, didChange: relationship) }
  }

  func tellFailure(_ failure: FeedFailure) {
    guard !failure.error.isCancelled else { return }
    connection.observers.forEach { $0.account(didFail: failure) }
  }
}
