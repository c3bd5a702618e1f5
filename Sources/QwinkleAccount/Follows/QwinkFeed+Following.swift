public import QwinkleModel
import QwinkleService

/// Following, and no longer. It shows at once; the server's answer corrects it where it has to.
extension QwinkFeed {
  /// How I stand to somebody, as far as that is known.
  public func relationship(to id: Qwinker.ID) -> Relationship? { relationships[id] }

  /// Asks the server how I stand to somebody. Observers hear of it; where it cannot be had, nothing is missing but it.
  public func loadRelationship(to id: Qwinker.ID) {
    guard isSignedIn, relationshipFetches[id] == nil, !isFollowUnderWay(id) else { return }
    relationshipFetches[id] = fetch(.relationship(id)) { [weak self] result in
      self?.relationshipFetches[id] = nil
      if case .success(.relationship(let relationship)) = result { self?.takeIn(relationship) }
    }
  }

  /// Follows somebody, or no longer where `isOn` is false. ``undo()`` reverses it. Observers hear how one stands to
  /// them then.
  public func follow(_ qwinker: Qwinker, isOn: Bool) {
    remember(.follow(qwinker, isOn: isOn))
    sendFollow(qwinker, isOn: isOn, isUndo: false)
  }

  /// Follows somebody who is not followed, and no longer somebody who is, or has been asked to be. `done` hears what is
  /// so then; where that is not known yet, after the server has said how I stand to them.
  public func toggleFollow(_ qwinker: Qwinker, done: @escaping @MainActor (_ isOn: Bool) -> Void) {
    if let known = relationships[qwinker.id] {
      let isOn = !(known.isFollowing || known.isRequested)
      follow(qwinker, isOn: isOn)
      return done(isOn)
    }
    relationshipFetches[qwinker.id] = fetch(.relationship(qwinker.id)) { [weak self] result in
      guard let self else { return }
      relationshipFetches[qwinker.id] = nil
      switch result {
      case .success(.relationship(let relationship)):
        takeIn(relationship)
        toggleFollow(qwinker, done: done)
      case .success: break
      case .failure(let error): forEachObserver { $0.feed(self, didFail: FeedFailure("Following", error)) }
      }
    }
  }

  /// As ``follow(_:isOn:)``, but is not itself undone where it undoes something.
  func sendFollow(_ qwinker: Qwinker, isOn: Bool, isUndo: Bool = true) {
    followedQwinkers[qwinker.id] = (qwinker, isUndo)
    let before = relationships[qwinker.id] ?? Relationship(id: qwinker.id)
    if isFollowUnderWay(qwinker.id) {
      // Two at once could arrive in any order.
      wantedFollows[qwinker.id] = isOn
    } else {
      relationshipsBefore[qwinker.id] = before
      startFollow(qwinker.id, isOn: isOn)
    }
    var wanted = before
    wanted.isFollowing = isOn && !qwinker.isLocked
    wanted.isRequested = isOn && qwinker.isLocked
    takeIn(wanted)
  }

  /// Takes in what the server answered.
  func didFollow(_ id: Qwinker.ID, isOn: Bool, now answer: Relationship) {
    var relationship = answer
    relationship.id = id
    let before = relationshipsBefore.updateValue(relationship, forKey: id)
    // What is wanted since shows already.
    guard wantedFollows[id] ?? isOn == isOn else { return }
    takeIn(relationship)
    guard let (qwinker, isUndo) = followedQwinkers[id] else { return }
    let outcome = FollowOutcome(qwinker: qwinker, isOn: isOn, before: before, now: relationship, isUndo: isUndo)
    forEachObserver { $0.feed(self, didFollow: outcome) }
  }

  func didFailToFollow(_ id: Qwinker.ID, isOn: Bool, with error: DownloadError) {
    wantedFollows[id] = nil
    forgetAct { $0.isFollow(id) }
    if let before = relationshipsBefore[id] { takeIn(before) }
    let failure = FeedFailure(isOn ? "Following" : "Unfollowing", error) { [weak self] in
      guard let self, !isFollowUnderWay(id) else { return false }
      return relationships[id].map { ($0.isFollowing || $0.isRequested) != isOn } ?? true
    }
    forEachObserver { $0.feed(self, didFail: failure) }
  }

  /// Sends what was wanted while an earlier one was under way.
  func sendWantedFollow(_ id: Qwinker.ID, after isOn: Bool) {
    guard let wanted = wantedFollows.removeValue(forKey: id), wanted != isOn else {
      relationshipsBefore[id] = nil
      followedQwinkers[id] = nil
      return
    }
    startFollow(id, isOn: wanted)
  }

  func takeIn(_ relationship: Relationship) {
    relationships[relationship.id] = relationship
    forEachObserver { $0.feed(self, didChange: relationship) }
  }

  private func startFollow(_ id: Qwinker.ID, isOn: Bool) {
    purposes[service.start(.follow(id, isOn: isOn), delegate: self)] = .follow(id, isOn: isOn)
  }

  /// Whether the server has yet to say what became of a follow, or of its end.
  public func isFollowUnderWay(_ id: Qwinker.ID) -> Bool {
    purposes.values.contains { if case .follow(id, _) = $0 { true } else { false } }
  }
}
