import Synchronization

/// Caches the latest answer about a long text: a screen asks the same several times a key.
final class LatestAnswer<Question: Equatable & Sendable, Answer: Sendable>: Sendable {
  private let known = Mutex<(question: Question, answer: Answer)?>(nil)

  func callAsFunction(to question: Question, _ find: () -> Answer) -> Answer {
    if let known = known.withLock({ $0 }), known.question == question { return known.answer }
    let answer = find()
    known.withLock { $0 = (question, answer) }
    return answer
  }
}
