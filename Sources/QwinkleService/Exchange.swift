import QwinkleWire
import Timekeeping

/// A request in progress, and the delegates that wait for its response.
@MainActor
class Exchange {
  private struct Listener {
    let identifier: DownloadIdentifier
    weak var delegate: (any DownloadServiceDelegate)?
  }

  let place: RequestPlace
  let isWrite: Bool
  let activity: Activity
  var priority = RequestPriority.usual
  /// The task that performs the request. Set right after the exchange is created.
  var task: Task<Void, Never>?
  /// Whether more delegates can join. Always false for a write. For a read, false once delegates have received a call
  /// that a new delegate would miss, or once the configuration has changed or a write has succeeded or failed.
  var isJoinable: Bool
  /// The beginning of the last response, if it was too large.
  var cut: TransportResponse?
  private var listeners: [Listener] = []

  init(place: RequestPlace, isWrite: Bool, activity: Activity) {
    self.place = place
    self.isWrite = isWrite
    self.activity = activity
    isJoinable = !isWrite
  }

  var isAbandoned: Bool { listeners.isEmpty }

  /// In the order in which the downloads joined.
  var identifiers: [DownloadIdentifier] { listeners.map(\.identifier) }

  func add(_ delegate: any DownloadServiceDelegate, as identifier: DownloadIdentifier) {
    listeners.append(Listener(identifier: identifier, delegate: delegate))
  }

  func delegate(for identifier: DownloadIdentifier) -> (any DownloadServiceDelegate)? {
    listeners.first { $0.identifier == identifier }?.delegate
  }

  func remove(_ identifier: DownloadIdentifier) {
    listeners.removeAll { $0.identifier == identifier }
  }

  /// Removes the downloads whose delegates have been released, and returns their identifiers.
  func removeDead() -> [DownloadIdentifier] {
    let dead = listeners.filter { $0.delegate == nil }.map(\.identifier)
    listeners.removeAll { $0.delegate == nil }
    return dead
  }

  /// Calls `tell` for each download with `first` and then with the download's delegate. Skips downloads that were
  /// cancelled during an earlier call to `tell`.
  func forEachDelegate(
    after first: [any DownloadServiceDelegate], _ tell: (any DownloadServiceDelegate, DownloadIdentifier) -> Void
  ) {
    for identifier in identifiers {
      for other in first where delegate(for: identifier) != nil { tell(other, identifier) }
      if let delegate = delegate(for: identifier) { tell(delegate, identifier) }
    }
  }
}

final class AnswerExchange<Answer: Sendable>: Exchange {
  let request: Request<Answer>

  init(_ request: Request<Answer>, activity: Activity) {
    self.request = request
    super.init(place: request.place, isWrite: request.isWrite, activity: activity)
    priority = request.priority
  }
}
