import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// An account on a scripted server, with real connections and a virtual clock.
@MainActor
final class LoopbackAccount {
  /// Records observer calls.
  final class Witness: AccountObserver {
    var posted: [Qwink] = []
    var refused: [DownloadError] = []
    var undeletable: [Qwink.ID] = []
    var deleted: [Qwink.ID] = []
    var failures: [String] = []

    func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) { posted.append(qwink) }
    func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) { refused.append(error) }
    func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) { undeletable.append(id) }
    func posts(_ posts: Posts, didDelete id: Qwink.ID) { deleted.append(id) }
    func account(didFail failure: FeedFailure) { failures.append(failure.sentence) }
  }

  let clock = VirtualClock(at: SnacServer.time)
  let ledger = ActivityLedger()
  let witness = Witness()
  let server: ScriptedServer
  let account: Account
  private let service: DownloadService
  private let transport = HTTPTransport(connectTimeout: .seconds(120))
  private let outgoing: OutgoingStore
  private let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-habits-\(UUID().uuidString)"

  private init(at server: ScriptedServer, listens: Bool) {
    self.server = server
    let (transport, clock, ledger) = (transport, clock, ledger)
    service = DownloadService(
      configuration: .init(serverURL: server.url, token: "t"), ledger: ledger,
      transport: { PatientTransport(base: transport) })
    outgoing = OutgoingStore(directory: folder, ledger: ledger, clock: clock)
    let streaming = StreamingService(
      configuration: .init(serverURL: server.url, token: "t"), clock: clock, ledger: ledger, transport: transport)
    streaming.jitter = { 1 }
    account = Account(
      service: service, cache: nil, outgoing: outgoing, clock: clock, isSignedIn: true,
      streaming: listens ? streaming : nil)
    account.outbox.jitter = { 0.5 }
    account.addObserver(witness)
  }

  /// Runs `body` with an account on a server that answers by `script`.
  ///
  /// - Parameter listens: Whether the account connects to the server's streams.
  static func run(
    _ script: @escaping @Sendable (ScriptedServer.Request) -> Script, listens: Bool = false,
    _ body: @MainActor (LoopbackAccount) async throws -> Void
  ) async throws {
    let server = try await ScriptedServer.start(script: script)
    let run = LoopbackAccount(at: server, listens: listens)
    do {
      try await body(run)
    } catch {
      await run.stop()
      throw error
    }
    await run.stop()
  }

  private func stop() async {
    account.live.suspend()
    await service.shutDown()
    await transport.shutDown()
    outgoing.abandon()
    await server.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Waits until all requests are answered.
  func settle() async {
    await ledger.settleWithMainQueue()
  }

  func pass(_ time: Duration) async {
    await settle()
    await clock.advance(by: time) { await self.settle() }
  }

  /// Loaded rows of a timeline.
  func rows(of name: TimelineName) -> [Qwink] { account.timelines.timeline(name).rows.compactMap(\.qwink) }

  func refresh(_ name: TimelineName) async {
    account.timelines.refresh(name)
    await settle()
  }

  /// Paths of the requests so far, without queries.
  var places: [String] { server.requests.map(\.place) }

  /// Texts of the drafts on disk.
  var drafts: [String] {
    outgoing.flush()
    return ((try? OutgoingStore.entries(in: folder)) ?? []).filter { $0.sent == nil }.map(\.entry.text)
  }
}

extension OutgoingEntry {
  /// Returns an unsent entry for `purpose`.
  static func sample(_ text: String, purpose: EntryPurpose = .new) -> OutgoingEntry {
    OutgoingEntry(purpose: purpose.key, entry: Entry(text: text, idempotencyKey: UUID().uuidString))
  }
}
