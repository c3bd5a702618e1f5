import Synchronization

/// Caches the latest result of an expensive computation on a long text, for callers that need the same result several
/// times in a row. Can be used from any thread.
public final class LatestAnswer<Question: Equatable & Sendable, Answer: Sendable>: Sendable {
  private let known = Mutex<(question: Question, answer: Answer)?>(nil)

  public init() {}

  /// Returns the result for the latest question without calling `find` if `question` is equal to it.
  public func callAsFunction(to question: Question, _ find: () -> Answer) -> Answer {
    if let known = known.withLock({ $0 }), known.question == question { return known.answer }
    let answer = find()
    known.withLock { $0 = (question, answer) }
    return answer
  }
}
