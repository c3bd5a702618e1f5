public import QwinkleModel
import QwinkleService

/// How I stand to others: following, and no longer. It shows at once; the server's answer corrects it if need be.
@MainActor
public final class Follows {
  let connection: AccountConnection
  private let undoHistory: UndoHistory
  /// How I stand to those whose page or name was looked at.
  var relationships: [Qwinker.ID: Relationship] = [:]
  /// Whose relationship the server is being asked for.
  private var asked: Set<Qwinker.ID> = []
  /// How I stood to those whom a follow under way is about, by the server's last word.
  private var relationshipsBefore: [Qwinker.ID: Relationship] = [:]
  private var switches = Switches<Qwinker.ID>()
  /// Whom the last follow of each is about, and whether it undid something.
  private var followedQwinkers: [Qwinker.ID: (Qwinker, isUndo: Bool)] = [:]
  /// How requests to follow me were answered here.
  var answeredRequests: [Qwinker.ID: Bool] = [:]
  /// Whose requests to follow me are being answered.
  var requestsUnderWay: Set<Qwinker.ID> = []

  init(_ connection: AccountConnection, undoHistory: UndoHistory) {
    self.connection = connection
    self.undoHistory = undoHistory
  }

  /// How I stand to somebody, as far as that is known.
  public func relationship(to id: Qwinker.ID) -> Relationship? { relationships[id] }

  /// Whether the server has yet to say what became of a follow, or of its end.
  public func isUnderWay(_ id: Qwinker.ID) -> Bool { switches.isUnderWay(id) }

  /// Asks the server how I stand to somebody. Observers hear of it; if it cannot be had, nothing is missing but it.
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

  /// Follows somebody, or no longer if `isOn` is false. ``Account/undo()`` reverses it. Observers hear how one stands
  /// to them then.
  public func follow(_ qwinker: Qwinker, isOn: Bool) {
    undoHistory.remember(.follow(qwinker, isOn: isOn))
    send(qwinker, isOn: isOn, isUndo: false)
  }

  /// Follows somebody who is not followed, and no longer somebody who is, or has been asked to be. `done` hears what is
  /// so then; if that is not known yet, after the server has said how I stand to them.
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

  /// As ``follow(_:isOn:)``, but is not itself undone if it undoes something.
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

  /// Takes in what the server answered.
  private func didFollow(_ id: Qwinker.ID, isOn: Bool, now answer: Relationship) {
    var relationship = answer
    relationship.id = id
    let before = relationshipsBefore.updateValue(relationship, forKey: id)
    // What is wanted since shows already.
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
