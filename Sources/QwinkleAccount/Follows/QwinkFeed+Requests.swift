public import QwinkleModel
import QwinkleService

/// Accepting those who ask to follow me, or refusing them.
extension QwinkFeed {
  /// How somebody's request to follow me was answered here; nil where it was not.
  public func requestAnswer(to id: Qwinker.ID) -> Bool? { answeredRequests[id] }

  /// Accepts or refuses somebody's request to follow me. Observers hear what became of it.
  public func answerRequest(of qwinker: Qwinker, accepts: Bool) {
    guard !isAnsweringRequest(of: qwinker.id) else { return }
    purposes[service.start(.answerFollowRequest(qwinker.id, accepts: accepts), delegate: self)] =
      .answerRequest(qwinker, accepts: accepts)
  }

  /// Whether an answer to somebody's request is on its way.
  public func isAnsweringRequest(of id: Qwinker.ID) -> Bool {
    purposes.values.contains { if case .answerRequest(let qwinker, _) = $0 { qwinker.id == id } else { false } }
  }

  func didAnswerRequest(of qwinker: Qwinker, accepts: Bool, now answer: Relationship) {
    answeredRequests[qwinker.id] = accepts
    var relationship = answer
    relationship.id = qwinker.id
    relationship.isAskingToFollow = false
    takeIn(relationship)
    forEachObserver { $0.feed(self, didAnswerRequestOf: qwinker, accepted: accepts) }
  }

  func didFailToAnswerRequest(of qwinker: Qwinker, accepts: Bool, with error: DownloadError) {
    guard case .notFound = error else {
      return forEachObserver { $0.feed(self, didFail: FeedFailure(accepts ? "Accepting" : "Refusing", error)) }
    }
    // It was withdrawn, or answered elsewhere.
    if var relationship = relationships[qwinker.id] {
      relationship.isAskingToFollow = false
      takeIn(relationship)
    }
    forEachObserver { $0.feed(self, didAnswerRequestOf: qwinker, accepted: nil) }
  }
}
