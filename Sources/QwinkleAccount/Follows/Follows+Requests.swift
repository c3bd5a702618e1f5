public import QwinkleModel
import QwinkleService

/// Accepting and rejecting follow requests.
extension Follows {
  /// Returns the user's answer to a qwinker's follow request, or nil if the request hasn't been answered.
  public func requestAnswer(to id: Qwinker.ID) -> Bool? { answeredRequests[id] }

  /// Records qwinkers with a pending follow request, received in the list of requests or a notification. Clears the
  /// user's earlier answers, because a qwinker may ask again.
  public func noteRequesters(_ ids: [Qwinker.ID]) {
    requesters.formUnion(ids)
    for id in ids { answeredRequests[id] = nil }
  }

  /// Whether a qwinker has a pending follow request.
  public func hasRequest(from id: Qwinker.ID) -> Bool {
    requesters.contains(id) || relationships[id]?.isAskingToFollow == true
  }

  /// Whether the answer to a qwinker's follow request is being sent.
  public func isAnsweringRequest(of id: Qwinker.ID) -> Bool { requestsInProgress.contains(id) }

  /// Accepts or rejects a qwinker's follow request. Observers are notified of the result.
  public func answerRequest(of qwinker: Qwinker, accepts: Bool) {
    guard requestsInProgress.insert(qwinker.id).inserted else { return }
    let name = "\(FailureWords.answering(accepts: accepts)) @\(qwinker.handle)"
    let finish = undoHistory.begin(name) { [weak self] (result: Result<Relationship, DownloadError>) in
      guard let self else { return }
      switch result {
      case .success(let answer):
        answeredRequests[qwinker.id] = accepts
        requestHasEnded(of: qwinker, now: answer, accepted: accepts)
      case .failure(.notFound):
        // The request was withdrawn, or answered in another client.
        requestHasEnded(of: qwinker, now: relationships[qwinker.id], accepted: nil)
      case .failure(let error):
        let lack = error.lacking(.followRequests)
        if let lack { connection.note(lack) }
        tellFailure(FeedFailure(FailureWords.answering(accepts: accepts), lack ?? error))
      }
      requestsInProgress.remove(qwinker.id)
    }
    connection.ask(.answerFollowRequest(qwinker.id, accepts: accepts), as: .requestReply, finish)
  }

  private func requestHasEnded(of qwinker: Qwinker, now relationship: Relationship?, accepted: Bool?) {
    requesters.remove(qwinker.id)
    if var relationship {
      relationship.id = qwinker.id
      relationship.isAskingToFollow = false
      merge(relationship)
    }
    connection.observers.forEach { $0.follows(self, didAnswerRequestOf: qwinker, accepted: accepted) }
  }
}
