public import QwinkleModel
import QwinkleService

/// Accepting and refusing follow requests.
extension Follows {
  /// My answer to somebody's follow request; nil if there is none.
  public func requestAnswer(to id: Qwinker.ID) -> Bool? { answeredRequests[id] }

  /// Notes who asks to follow, as the list of requests or news says: also those who ask again.
  public func noteRequesters(_ ids: [Qwinker.ID]) {
    requesters.formUnion(ids)
    for id in ids { answeredRequests[id] = nil }
  }

  /// Whether somebody's follow request is known to wait for an answer.
  public func hasRequest(from id: Qwinker.ID) -> Bool {
    requesters.contains(id) || relationships[id]?.isAskingToFollow == true
  }

  /// Whether somebody's follow request is being answered.
  public func isAnsweringRequest(of id: Qwinker.ID) -> Bool { requestsUnderWay.contains(id) }

  /// Accepts or refuses somebody's follow request. Observers hear the result.
  public func answerRequest(of qwinker: Qwinker, accepts: Bool) {
    guard requestsUnderWay.insert(qwinker.id).inserted else { return }
    let name = "\(FailureWords.answering(accepts: accepts)) @\(qwinker.handle)"
    let finish = undoHistory.begin(name) { [weak self] (result: Result<Relationship, DownloadError>) in
      guard let self else { return }
      switch result {
      case .success(let answer):
        answeredRequests[qwinker.id] = accepts
        requestHasEnded(of: qwinker, now: answer, accepted: accepts)
      case .failure(.notFound):
        // It was withdrawn, or answered elsewhere.
        requestHasEnded(of: qwinker, now: relationships[qwinker.id], accepted: nil)
      case .failure(let error):
        let lack = error.lacking(.followRequests)
        if let lack { connection.note(lack) }
        tellFailure(FeedFailure(FailureWords.answering(accepts: accepts), lack ?? error))
      }
      requestsUnderWay.remove(qwinker.id)
    }
    connection.ask(.answerFollowRequest(qwinker.id, accepts: accepts), as: .requestReply, finish)
  }

  private func requestHasEnded(of qwinker: Qwinker, now relationship: Relationship?, accepted: Bool?) {
    requesters.remove(qwinker.id)
    if var relationship {
      relationship.id = qwinker.id
      relationship.isAskingToFollow = false
      takeIn(relationship)
    }
    connection.observers.forEach { $0.follows(self, didAnswerRequestOf: qwinker, accepted: accepted) }
  }
}
