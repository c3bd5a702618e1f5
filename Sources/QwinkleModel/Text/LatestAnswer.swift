import Synchronization

/// Caches the latest result of an expensive computation on a long text. A screen needs the same result several times
/// per key press.
final class LatestAnswer<Question: Equatable & Sendable, Answer: Sendable>: Sendable {
  private let known = Mutex<(question: Question, answer: Answer)?>(nil)

  func callAsFunction(to question: Question, _ find: () -> Answer) -> Answer {
    if let known = known.withLock({ $0 }), known.question == question { return known.answer }
    let answer = find()
    known.withLock { $0 = (question, answer) }
    return answer
  }
}
