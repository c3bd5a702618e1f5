import QwinkleWire
import Timekeeping

/// A request to a server, and the delegates that wait for its answer.
@MainActor
class Exchange {
  private struct Listener {
    let identifier: DownloadIdentifier
    weak var delegate: (any DownloadServiceDelegate)?
  }

  let place: RequestPlace
  let isWrite: Bool
  let activity: Activity
  /// How soon it goes where others wait.
  var priority = RequestPriority.usual
  /// The task that does the work; set right after the exchange is made.
  var task: Task<Void, Never>?
  /// Whether others can still join: until something has been reported that a latecomer would miss. False for a write.
  var isJoinable: Bool
  /// The beginning of the last answer, if it was too large.
  var cut: TransportResponse?
  private var listeners: [Listener] = []

  fileprivate init(place: RequestPlace, isWrite: Bool, activity: Activity) {
    self.place = place
    self.isWrite = isWrite
    self.activity = activity
    isJoinable = !isWrite
  }

  /// Whether nobody waits for it.
  var isAbandoned: Bool { listeners.isEmpty }

  /// The waiting downloads, in the order in which they joined.
  var identifiers: [DownloadIdentifier] { listeners.map(\.identifier) }

  fileprivate func add(_ delegate: any DownloadServiceDelegate, as identifier: DownloadIdentifier) {
    listeners.append(Listener(identifier: identifier, delegate: delegate))
  }

  func delegate(for identifier: DownloadIdentifier) -> (any DownloadServiceDelegate)? {
    listeners.first { $0.identifier == identifier }?.delegate
  }

  func remove(_ identifier: DownloadIdentifier) {
    listeners.removeAll { $0.identifier == identifier }
  }

  func removeDead() {
    listeners.removeAll { $0.delegate == nil }
  }

  /// Calls `tell` for each waiting delegate. A delegate may cancel itself or others meanwhile: those are skipped.
  func forEachDelegate(_ tell: (any DownloadServiceDelegate, DownloadIdentifier) -> Void) {
    for identifier in identifiers {
      if let delegate = delegate(for: identifier) { tell(delegate, identifier) }
    }
  }
}

/// An exchange whose answer is an `Answer`.
final class AnswerExchange<Answer: Sendable>: Exchange {
  let request: Request<Answer>
  /// The request of each waiting download: equal but for their handlers.
  private var requests: [(identifier: DownloadIdentifier, request: Request<Answer>)] = []

  init(_ request: Request<Answer>, activity: Activity) {
    self.request = request
    super.init(place: request.place, isWrite: request.isWrite, activity: activity)
    priority = request.priority
  }

  /// Adds a delegate that waits for the answer to `request`, which is equal to the exchange's own.
  func add(_ delegate: any DownloadServiceDelegate, as identifier: DownloadIdentifier, for request: Request<Answer>) {
    add(delegate, as: identifier)
    requests.append((identifier, request))
  }

  /// Calls `tell` for each waiting delegate, with its own request.
  func forEachRequest(_ tell: (any DownloadServiceDelegate, Request<Answer>, DownloadIdentifier) -> Void) {
    forEachDelegate { delegate, identifier in
      for waiting in requests where waiting.identifier == identifier { tell(delegate, waiting.request, identifier) }
    }
  }
}
