public import QwinkleModel
import QwinkleService

/// Accepting those who ask to follow me, or refusing them.
extension Follows {
  /// How somebody's request to follow me was answered here; nil if it was not.
  public func requestAnswer(to id: Qwinker.ID) -> Bool? { answeredRequests[id] }

  /// Whether an answer to somebody's request is on its way.
  public func isAnsweringRequest(of id: Qwinker.ID) -> Bool { requestsUnderWay.contains(id) }

  /// Accepts or refuses somebody's request to follow me. Observers hear what became of it.
  public func answerRequest(of qwinker: Qwinker, accepts: Bool) {
    guard requestsUnderWay.insert(qwinker.id).inserted else { return }
    connection.ask(.answerFollowRequest(qwinker.id, accepts: accepts), as: .requestReply) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let answer):
        answeredRequests[qwinker.id] = accepts
        requestHasEnded(of: qwinker, now: answer, accepted: accepts)
      case .failure(.notFound):
        // It was withdrawn, or answered elsewhere.
        requestHasEnded(of: qwinker, now: relationships[qwinker.id], accepted: nil)
      case .failure(let error): tellFailure(FeedFailure(accepts ? "Accepting" : "Refusing", error))
      }
      requestsUnderWay.remove(qwinker.id)
    }
  }

  private func requestHasEnded(of qwinker: Qwinker, now relationship: Relationship?, accepted: Bool?) {
    if var relationship {
      relationship.id = qwinker.id
      relationship.isAskingToFollow = false
      takeIn(relationship)
    }
    connection.observers.forEach { $0.follows(self, didAnswerRequestOf: qwinker, accepted: accepted) }
  }
}
