import QwinkleWire
import Timekeeping

/// Something asked of a server, and everybody who waits for it.
@MainActor
class Exchange {
  private struct Listener {
    let identifier: DownloadIdentifier
    weak var delegate: (any DownloadServiceDelegate)?
  }

  let place: RequestPlace
  let isWrite: Bool
  let activity: Activity
  /// What does the work; set right after the exchange is made.
  var task: Task<Void, Never>?
  /// Whether others may still wait for the same answer: from the start until the first thing was told that a
  /// latecomer would miss.
  var isJoinable: Bool
  /// Where the last answer begins, if it was too large.
  var cut: TransportResponse?
  private var listeners: [Listener] = []

  fileprivate init(place: RequestPlace, isWrite: Bool, activity: Activity) {
    self.place = place
    self.isWrite = isWrite
    self.activity = activity
    isJoinable = !isWrite
  }

  /// Whether nobody waits for it any more.
  var isAbandoned: Bool { listeners.isEmpty }

  /// Who waits, in the order in which they came.
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

  /// Tells everybody who waits. A delegate may cancel itself or others meanwhile: those hear nothing more.
  func forEachDelegate(_ tell: (any DownloadServiceDelegate, DownloadIdentifier) -> Void) {
    for identifier in identifiers {
      if let delegate = delegate(for: identifier) { tell(delegate, identifier) }
    }
  }
}

/// An exchange whose answer is an `Answer`.
final class AnswerExchange<Answer: Sendable>: Exchange {
  let request: Request<Answer>
  /// The requests of all who wait: equal but for their handlers.
  private var requests: [DownloadIdentifier: Request<Answer>] = [:]

  init(_ request: Request<Answer>, activity: Activity) {
    self.request = request
    super.init(place: request.place, isWrite: request.isWrite, activity: activity)
  }

  /// Has `delegate` wait for the answer to `request`, which asks for the same.
  func add(_ delegate: any DownloadServiceDelegate, as identifier: DownloadIdentifier, for request: Request<Answer>) {
    add(delegate, as: identifier)
    requests[identifier] = request
  }

  /// Tells everybody who waits, with the request as they made it.
  func forEachRequest(_ tell: (any DownloadServiceDelegate, Request<Answer>, DownloadIdentifier) -> Void) {
    forEachDelegate { delegate, identifier in
      if let request = requests[identifier] { tell(delegate, request, identifier) }
    }
  }
}
