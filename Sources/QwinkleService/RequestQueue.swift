import Timekeeping

/// How soon a request goes where others wait.
public enum RequestPriority: Int, Comparable, Sendable {
  /// What nobody waits for, such as a poll of what isn't shown.
  case background
  case usual
  /// What is on screen.
  case onScreen

  public static func < (one: RequestPriority, other: RequestPriority) -> Bool { one.rawValue < other.rawValue }

  /// How many requests may be under way when one of this priority goes: what is on screen finds room beside what is
  /// slow.
  var mostUnderWay: Int {
    switch self {
    case .background: 3
    case .usual: 6
    case .onScreen: 8
    }
  }
}

/// The requests that wait for others to end: the most important goes first, then the one that came first. Those that
/// change something don't wait.
@MainActor
final class RequestQueue {
  private struct Waiting {
    let exchange: Exchange
    let goes: CheckedContinuation<Bool, Never>
  }

  private var underWay: Set<ObjectIdentifier> = []
  private var waiting: [Waiting] = []

  /// Returns true once `exchange` may go, false if it was dropped. Call ``leave(_:)`` after it.
  func enter(_ exchange: Exchange) async -> Bool {
    guard !exchange.isWrite else { return true }
    if underWay.count >= exchange.priority.mostUnderWay {
      // Those under way may all wait for a clock.
      exchange.activity.park()
      return await withCheckedContinuation { waiting.append(Waiting(exchange: exchange, goes: $0)) }
    }
    underWay.insert(ObjectIdentifier(exchange))
    return true
  }

  /// A request has ended.
  func leave(_ exchange: Exchange) {
    guard underWay.remove(ObjectIdentifier(exchange)) != nil else { return }
    letGo()
  }

  /// A request is not wanted any more.
  func drop(_ exchange: Exchange) {
    guard let index = waiting.firstIndex(where: { $0.exchange === exchange }) else { return }
    end(waiting.remove(at: index), goes: false)
  }

  /// Lets those go for which there is room. Call it when a priority has risen.
  func letGo() {
    while let priority = waiting.map(\.exchange.priority).max(), underWay.count < priority.mostUnderWay,
      let index = waiting.firstIndex(where: { $0.exchange.priority == priority })
    {
      let next = waiting.remove(at: index)
      underWay.insert(ObjectIdentifier(next.exchange))
      end(next, goes: true)
    }
  }

  private func end(_ wait: Waiting, goes: Bool) {
    wait.exchange.activity.unpark()
    wait.goes.resume(returning: goes)
  }
}
