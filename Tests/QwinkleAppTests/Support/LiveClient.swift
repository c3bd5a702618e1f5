import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

/// A client of a served account. It streams its home timeline over a link with adjustable faults.
@MainActor
final class LiveClient: AccountObserver {
  let link = LinkConditioner(clock: SystemClock())
  let account: Account
  private let ledger = ActivityLedger()
  private let cache: TimelineCache
  private let transport = HTTPTransport()

  /// - Parameter hasSockets: Whether the client may use a WebSocket.
  init(_ token: String, at url: String, in folder: String, hasSockets: Bool) throws {
    cache = try TimelineCache(directory: folder, ledger: ledger)
    let (link, ledger, transport) = (link, ledger, transport)
    let service = DownloadService(
      configuration: .init(serverURL: url, token: token), ledger: ledger,
      transport: { transport.conditioned(by: link) })
    let way: any StreamTransport = hasSockets ? transport : EventsAlone(transport: transport)
    let streaming = StreamingService(
      configuration: .init(serverURL: url, token: token), clock: SystemClock(), ledger: ledger,
      transport: ConditionedStreams(way, conditioner: link, ledger: ledger))
    account = Account(
      service: service, cache: cache, outgoing: nil, clock: SystemClock(), isSignedIn: true, streaming: streaming)
    account.addObserver(self)
    account.timelines.refresh(.home)
    account.timelines.note(self, reads: [], isOnScreen: true, needsAll: false, in: .home)
    account.live.follow(.home, for: self)
    account.identity.identify()
  }

  var isLive: Bool { account.timelines.isLive(.home) }

  /// Returns the newest rows with their texts.
  func rows(_ count: Int) -> [String] {
    account.timelines.timeline(.home).rows.prefix(count).map { Self.words($0.qwink) }
  }

  /// Returns the newest rows on disk with their texts.
  func cachedRows(_ count: Int) -> [String] { cache.load(.home, limit: count).rows.map { Self.words($0.qwink) } }

  static func words(_ qwink: Qwink?) -> String { qwink.map { "\($0.id) \($0.text.plainText)" } ?? "gap" }

  func close() async {
    account.live.suspend()
    cache.close()
    await transport.shutDown()
  }
}

/// Simulates a server without WebSockets.
private struct EventsAlone: StreamTransport {
  let transport: any StreamTransport

  func open(
    _ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void
  ) -> any StreamConnection {
    guard request.kind == .webSocket else { return transport.open(request, hear: hear) }
    hear(.ended(.refused(status: 404)))
    return NoConnection()
  }

  private final class NoConnection: StreamConnection {
    func send(_ text: [UInt8]) {}
    func ping() {}
    func close() {}
  }
}

/// A user of a server who posts, edits and deletes.
@MainActor
final class LiveWriter {
  private let connection: AccountConnection
  private let transport = HTTPTransport()
  private var random: SplitMix
  private var mine: [Qwink.ID] = []
  private(set) var count = 0

  init(_ token: String, at url: String, seed: UInt64) {
    let transport = transport
    connection = AccountConnection(
      service: DownloadService(
        configuration: .init(serverURL: url, token: token), ledger: ActivityLedger(), transport: { transport }),
      clock: SystemClock(), isSignedIn: true)
    random = SplitMix(seed: seed)
  }

  /// Usually posts. Sometimes edits or deletes one of the user's latest posts.
  func act() async throws {
    count += 1
    let one = mine.suffix(20).randomElement(using: &random)
    switch (Int.random(in: 0..<10, using: &random), one) {
    case (0...1, let id?):
      _ = try await connection.answer(to: .edit(id, Entry(text: "Edit \(count)", idempotencyKey: "\(count)")))
    case (2, let id?):
      _ = try await connection.answer(to: .delete(id))
      mine.removeAll { $0 == id }
    default:
      mine.append(try await connection.answer(to: .post(Entry(text: "Qwink \(count)", idempotencyKey: "\(count)"))).id)
    }
  }

  /// Returns the newest rows of a timeline on the server.
  func rows(of name: TimelineName, _ count: Int) async throws -> [String] {
    try await connection.answer(to: .timeline(name, limit: count)).items.map(LiveClient.words)
  }

  func close() async { await transport.shutDown() }
}
