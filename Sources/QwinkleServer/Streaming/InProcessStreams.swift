import HTTPTypes
public import QwinkleWire
import Synchronization

/// Streams within this process, in the format of server-sent events. They need no network connection.
struct InProcessStreams: StreamTransport {
  let service: Service

  func open(_ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void) -> any StreamConnection {
    let listener = InProcessListener(service, hear)
    guard request.kind == .events else {
      hear(.ended(.refused(status: 501)))
      return listener
    }
    Task { await listener.open(ServiceRequest(head: request.head, body: [])) }
    return listener
  }
}

/// A listener in this process. If another process writes to the database, the listener signals that events were missed,
/// because the ``EventHub`` only has the events of this process.
private final class InProcessListener: StreamConnection {
  private struct State {
    var id: EventHub.ID?
    var watch: WriteWatch?
    var isClosed = false
  }

  private let service: Service
  private let hear: @Sendable (StreamSignal) -> Void
  private let state = Mutex(State())

  init(_ service: Service, _ hear: @escaping @Sendable (StreamSignal) -> Void) {
    self.service = service
    self.hear = hear
  }

  @concurrent
  func open(_ request: ServiceRequest) async {
    do throws(ServiceError) {
      try await service.becomeReady()
    } catch {
      return hear(.ended(.failed(.local(reason: error.sentence))))
    }
    let response = await service.stream(for: request)
    guard case .stream(let listening) = response.content else {
      return hear(.ended(.refused(status: response.status.code)))
    }
    let hear = self.hear
    let watch = WriteWatch(service) { hear(.missed) }
    await watch.begin()
    state.withLock { state in
      guard !state.isClosed else { return }
      state.id = service.events.add(
        EventHub.Listener(
          listening: listening, streams: listening.streams,
          deliver: { hear(.bytes($0.bytes(.lines, for: listening.origin))) }, end: { hear(.ended(.closed)) }))
      state.watch = watch
    }
    hear(.opened)
  }

  func send(_ text: [UInt8]) {}
  func ping() {}

  func close() {
    let id = state.withLock { state in
      state.isClosed = true
      state.watch = nil
      return state.id
    }
    if let id { service.events.remove(id) }
  }

  deinit { close() }
}

extension Service {
  /// Returns a transport for streams within this process. Requests with ``ownerToken`` act as the owner.
  public func streams() -> any StreamTransport { InProcessStreams(service: self) }

  /// Whether committed events are still queued or being sent to listeners.
  public var isTelling: Bool { events.isTelling }
}
