import Foundation
import GRDB
import Synchronization
import TerminalTesting

@testable import QwinkleServer

/// Stream listeners in this process. Records every message delivered to them.
final class HubListeners: Sendable {
  struct Delivery: Hashable, Sendable {
    var who: String
    /// The stream's name and argument, as in `hashtag tea`.
    var stream: String
    var event: String
    var payload: String
  }

  private struct Frame: Decodable {
    var stream: [String]
    var event: String
    var payload: String?
  }

  private let service: Service
  private let deliveries = Mutex<[Delivery]>([])
  private let ids = Mutex<[EventHub.ID]>([])
  private let messages = Mutex<[StreamMessage]>([])

  init(_ service: Service) {
    self.service = service
  }

  /// Adds a listener. `viewer` is nil for a signed-out listener.
  func add(_ who: String, viewer: Int64? = nil, host: String = "localhost", at streams: [QwinkleServer.StreamChannel]) {
    let listening = Listening(
      client: .process, viewer: viewer, scopes: .whole, origin: BaseURL(scheme: "https", authority: host))
    let id = service.events.add(
      EventHub.Listener(
        listening: listening, streams: Set(streams),
        deliver: { [weak self] in self?.note($0, who, listening.origin) },
        end: { [weak self] in self?.note(Delivery(who: who, stream: "", event: "end", payload: "")) }))
    ids.withLock { $0.append(id) }
  }

  /// Adds signed-out listeners of 100 tags each. 99 of the tags are shared. The last is `ownN`.
  func addReaders(_ count: Int, hosts: Int = 1) {
    let shared = (0..<99).map { QwinkleServer.StreamChannel.tag("tag\($0)", isLocal: false) }
    for index in 0..<count {
      add("reader\(index)", host: "host\(index % hosts)", at: shared + [.tag("own\(index)", isLocal: false)])
    }
  }

  func removeAll() {
    for id in ids.withLock({ $0 }) { service.events.remove(id) }
    ids.withLock { $0 = [] }
  }

  /// Waits until all events are sent, then returns the messages since the last call.
  func next() async throws -> [Delivery] {
    try await wait(for: "the end of the queue of events") { !service.isTelling }
    return deliveries.withLock { deliveries in
      defer { deliveries = [] }
      return deliveries
    }
  }

  /// Number of messages encoded so far.
  var encodedCount: Int { messages.withLock { Set($0.map(ObjectIdentifier.init)).count } }

  private func note(_ message: StreamMessage, _ who: String, _ origin: BaseURL) {
    messages.withLock { $0.append(message) }
    let bytes = Data(message.bytes(.frame, for: origin))
    guard let frame = try? JSONDecoder().decode(Frame.self, from: bytes) else { return }
    let stream = frame.stream.joined(separator: " ")
    note(Delivery(who: who, stream: stream, event: frame.event, payload: frame.payload ?? ""))
  }

  private func note(_ delivery: Delivery) { deliveries.withLock { $0.append(delivery) } }
}

extension Harness {
  /// Records the SQL statements of the write connection from now on.
  func statements() throws -> Lines {
    let statements = Lines()
    try service.write { session in
      session.db.trace { event in
        if case .statement(let statement) = event { statements.add(statement.sql) }
      }
    }
    return statements
  }
}
