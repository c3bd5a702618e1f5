import Timekeeping

/// Priority of a request in the queue.
public enum RequestPriority: Int, Comparable, Sendable {
  /// Not urgent, such as polling for a timeline that isn't shown.
  case background
  case usual
  /// For visible content.
  case onScreen

  public static func < (one: RequestPriority, other: RequestPriority) -> Bool { one.rawValue < other.rawValue }

  /// A request of this priority starts only while fewer requests than this number are in progress. The number is
  /// highest for visible content, so that slow requests of lower priority can't occupy all slots.
  var maximumInProgress: Int {
    switch self {
    case .background: 3
    case .usual: 6
    case .onScreen: 8
    }
  }
}

/// Requests that wait for a free slot: the highest priority first, then in order of arrival. Writes don't wait.
@MainActor
final class RequestQueue {
  private struct Waiting {
    let exchange: Exchange
    let goes: CheckedContinuation<Bool, Never>
  }

  private var inProgress: Set<ObjectIdentifier> = []
  private var waiting: [Waiting] = []

  /// Waits for a free slot for `exchange` and returns true, or returns false if the exchange is dropped first. After
  /// true, the caller must call ``leave(_:)`` when the exchange ends.
  func enter(_ exchange: Exchange) async -> Bool {
    guard !exchange.isWrite else { return true }
    if inProgress.count >= exchange.priority.maximumInProgress {
      // Don't count this exchange as work in progress. It can't start before another exchange ends, and all exchanges
      // in progress may be waiting for a clock.
      exchange.activity.park()
      return await withCheckedContinuation { waiting.append(Waiting(exchange: exchange, goes: $0)) }
    }
    inProgress.insert(ObjectIdentifier(exchange))
    return true
  }

  func leave(_ exchange: Exchange) {
    guard inProgress.remove(ObjectIdentifier(exchange)) != nil else { return }
    letGo()
  }

  func drop(_ exchange: Exchange) {
    guard let index = waiting.firstIndex(where: { $0.exchange === exchange }) else { return }
    end(waiting.remove(at: index), goes: false)
  }

  /// Starts queued requests while there are free slots. Call it after raising a priority.
  func letGo() {
    while let priority = waiting.map(\.exchange.priority).max(), inProgress.count < priority.maximumInProgress,
      let index = waiting.firstIndex(where: { $0.exchange.priority == priority })
    {
      let next = waiting.remove(at: index)
      inProgress.insert(ObjectIdentifier(next.exchange))
      end(next, goes: true)
    }
  }

  private func end(_ wait: Waiting, goes: Bool) {
    wait.exchange.activity.unpark()
    wait.goes.resume(returning: goes)
  }
}
