import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

/// Streams over a simulated bad link.
@MainActor
@Suite(.bounded) struct ConditionedStreamsTests {
  private let clock = VirtualClock()
  private let ledger = ActivityLedger()
  private let conditioner: LinkConditioner
  private let streams = ScriptedStreams()

  init() {
    conditioner = LinkConditioner(clock: clock)
  }

  /// Records received signals as strings.
  private final class Heard: Sendable {
    private let all = Mutex<[String]>([])

    var words: [String] { all.withLock { $0 } }

    func add(_ signal: StreamSignal) {
      let word =
        switch signal {
        case .opened: "opened"
        case .message(let bytes), .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .beat: "beat"
        case .pong: "pong"
        case .missed: "missed"
        case .ended(.refused(let status, _)): "refused \(status)"
        case .ended(.failed(let error)): "\(error)".prefix { $0 != "(" }.description
        case .ended(.closed): "closed"
        }
      all.withLock { $0.append(word) }
    }
  }

  private func listen() async -> (any StreamConnection, Heard) {
    let heard = Heard()
    let head = HTTPRequest(method: .get, scheme: "https", authority: "tilde.example", path: "/api/v1/streaming")
    let connection = streams.conditioned(by: conditioner, ledger: ledger)
      .open(StreamRequest(.webSocket, head: head)) { heard.add($0) }
    await ledger.settle()
    return (connection, heard)
  }

  private func pass(_ duration: Duration) async {
    await clock.advance(by: duration) { await ledger.settle() }
  }

  private func tell(_ text: String) async throws {
    try #require(streams.connections.last).tell(.message(Array(text.utf8)))
    await ledger.settle()
  }

  @Test func `a good link passes messages in order in both directions`() async throws {
    let (connection, heard) = await listen()
    for number in 1...50 { try await tell("\(number)") }
    #expect(heard.words == ["opened"] + (1...50).map(String.init))
    connection.send(Array("wish".utf8))
    connection.close()
    #expect(streams.connections[0].sent == ["wish"] && streams.connections[0].isClosed)
  }

  @Test func `a reset link ends open streams and opens no others`() async throws {
    let (connection, heard) = await listen()
    conditioner.condition = .reset
    await ledger.settle()
    #expect(heard.words == ["opened", "interrupted"] && streams.connections[0].isClosed)
    let (other, refused) = await listen()
    #expect(refused.words == ["interrupted"] && streams.connections.count == 1)
    withExtendedLifetime((connection, other)) {}
  }

  @Test func `lost messages arrive when the link recovers`() async throws {
    let (connection, heard) = await listen()
    conditioner.condition = .loss
    try await tell("one")
    try await tell("two")
    await pass(.seconds(60))
    #expect(heard.words == ["opened"])
    let (other, late) = await listen()
    conditioner.condition = .off
    await ledger.settle()
    #expect(heard.words == ["opened", "one", "two"] && late.words == ["opened"])
    withExtendedLifetime((connection, other)) {}
  }

  @Test func `latency delays messages equally and a slow link delays them by size`() async throws {
    let (connection, heard) = await listen()
    conditioner.condition = .latency
    for number in 1...3 { try await tell("\(number)") }
    await pass(.milliseconds(1499))
    #expect(heard.words == ["opened"])
    await pass(.milliseconds(1))
    #expect(heard.words == ["opened", "1", "2", "3"])
    conditioner.condition = .slow
    try await tell(String(repeating: "x", count: 4000))
    await pass(.milliseconds(1999))
    #expect(heard.words.count == 4)
    await pass(.milliseconds(1))
    #expect(heard.words.count == 5)
    withExtendedLifetime(connection) {}
  }

  @Test func `a flapping link refuses streams while down and ends open ones`() async throws {
    let (connection, heard) = await listen()
    conditioner.condition = .flapping
    await ledger.settle()
    #expect(heard.words == ["opened", "interrupted"])
    let (early, refused) = await listen()
    #expect(refused.words == ["refused"])
    await pass(.seconds(6))
    let (late, up) = await listen()
    try await tell("one")
    #expect(up.words == ["opened", "one"])
    await pass(.seconds(4))
    #expect(up.words == ["opened", "one", "interrupted"])
    withExtendedLifetime((connection, early, late)) {}
  }

  @Test func `too many requests and an unknown host are reported`() async throws {
    conditioner.condition = .tooManyRequests
    let (connection, heard) = await listen()
    #expect(heard.words == ["refused 429"])
    conditioner.condition = .dns
    let (other, unknown) = await listen()
    await pass(.seconds(5))
    #expect(unknown.words == ["unknownHost"] && streams.connections.isEmpty)
    withExtendedLifetime((connection, other)) {}
  }
}
