import Synchronization

/// The posts of a load, shared by its threads.
final class SharedLog: Sendable {
  private struct State {
    /// The time at which each post was sent, by its number.
    var sent: [ContinuousClock.Instant] = []
    var acknowledged: Set<Int> = []
    var failures: [String] = []
    var postTimes: [Double] = []
    var eventTimes: [Float] = []
  }

  private let state = Mutex(State())

  /// Returns the number of a post that is sent now.
  func begin() -> Int {
    state.withLock { state in
      state.sent.append(.now)
      return state.sent.count - 1
    }
  }

  func acknowledge(_ post: Int) {
    let now = ContinuousClock.now
    state.withLock { state in
      state.acknowledged.insert(post)
      state.postTimes.append(state.sent[post].duration(to: now) / .milliseconds(1))
    }
  }

  func fail(_ reason: String) { state.withLock { $0.failures.append(reason) } }

  /// Records that a stream received these posts.
  func receive(_ posts: [Int]) {
    let now = ContinuousClock.now
    state.withLock { state in
      for post in posts where state.sent.indices.contains(post) {
        state.eventTimes.append(Float(state.sent[post].duration(to: now) / .milliseconds(1)))
      }
    }
  }

  var acknowledged: Set<Int> { state.withLock { $0.acknowledged } }
  var failures: [String] { state.withLock { $0.failures } }
  var eventCount: Int { state.withLock { $0.eventTimes.count } }
  var postTimes: [Double] { state.withLock { $0.postTimes } }
  var eventTimes: [Double] { state.withLock { $0.eventTimes.map(Double.init) } }
}
