import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The client's streams, connected to a real front or within the process.
@Suite(.bounded) struct ServedStreamingTests {
  /// Records and awaits the signals of a stream connection.
  private final class Heard: Sendable {
    /// Signals not yet consumed by ``has(_:)``.
    private let signals = Mutex<[StreamSignal]>([])

    @Sendable func take(_ signal: StreamSignal) { signals.withLock { $0.append(signal) } }

    /// Consumes signals until one matches, and returns whether one did before the stream ended.
    func has(_ isMeant: (StreamSignal) -> Bool) async throws -> Bool {
      while true {
        try await wait(for: "a signal of the stream") { signals.withLock { !$0.isEmpty } }
        let signal = signals.withLock { $0[0] }
        if case .ended = signal { return isMeant(signal) }
        signals.withLock { _ = $0.removeFirst() }
        if isMeant(signal) { return true }
      }
    }

    func opens() async throws -> Bool {
      try await has { if case .opened = $0 { true } else { false } }
    }

    /// Whether a message that contains `text` arrives before the stream ends.
    func says(_ text: String) async throws -> Bool {
      try await has { signal in
        switch signal {
        case .message(let bytes), .bytes(let bytes): String(decoding: bytes, as: UTF8.self).contains(text)
        default: false
        }
      }
    }
  }

  private func request(
    _ kind: StreamRequest.Kind, _ path: String, _ authority: String, token: String?
  ) -> StreamRequest {
    var head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: path)
    if let token { head.headerFields[.authorization] = "Bearer \(token)" }
    return StreamRequest(kind, head: head)
  }

  @Test(arguments: [StreamRequest.Kind.webSocket, .events])
  func `the client receives events from the front over either transport`(_ kind: StreamRequest.Kind) async throws {
    try await withServedFront { harness, _ in
      let ann = try harness.service.addQwinker(named: "ann")
      let transport = HTTPTransport(connectTimeout: .seconds(120))
      let heard = Heard()
      let path = kind == .events ? "/api/v1/streaming/public" : "/api/v1/streaming"
      let connection = transport.open(
        request(kind, path, harness.authority, token: ann), hear: heard.take)
      #expect(try await heard.opens())
      if kind == .webSocket {
        connection.send(WireEncoder.streamWish(.public, isOn: true))
        connection.ping()
        #expect(try await heard.has { if case .pong = $0 { true } else { false } })
      }
      _ = try await harness.post("Hello streams", token: ann)
      #expect(try await heard.says("Hello streams"))
      connection.close()
      await transport.shutDown()
    }
  }

  @Test(arguments: [StreamRequest.Kind.webSocket, .events])
  func `an invalid token is rejected with its status`(_ kind: StreamRequest.Kind) async throws {
    try await withServedFront { harness, _ async throws in
      let transport = HTTPTransport(connectTimeout: .seconds(120))
      let heard = Heard()
      let path = kind == .events ? "/api/v1/streaming/user" : "/api/v1/streaming"
      _ = transport.open(request(kind, path, harness.authority, token: "wrong"), hear: heard.take)
      #expect(try await heard.has { if case .ended(.refused(status: 401, _)) = $0 { true } else { false } })
      await transport.shutDown()
    }
  }

  @Test func `a write by another process is noticed`() async throws {
    try await withDirectory { directory in
      func open() throws -> Service {
        let service = try Service(directory: directory, welcome: "", owner: "mara", clock: VirtualClock())
        try service.open()
        return service
      }
      let (mine, other) = (try open(), try open())
      let heard = Heard()
      let connection = mine.streams().open(
        request(.events, "/api/v1/streaming/user", "local", token: mine.ownerToken), hear: heard.take)
      #expect(try await heard.opens())
      _ = try other.addQwinker(named: "ann")
      #expect(try await heard.has { if case .missed = $0 { true } else { false } })
      connection.close()
      mine.close()
      other.close()
    }
  }

  @Test func `a write by another process is noticed by polling if the kernel can't watch`()
    async throws
  {
    try await withDirectory { directory in
      let clock = VirtualClock()
      func open() throws -> Service {
        let service = try Service(directory: directory, welcome: "", owner: "mara", clock: clock)
        try service.open()
        return service
      }
      let (mine, other) = (try open(), try open())
      let notices = Tally()
      let watch = WriteWatch(mine) { notices.count() }
      await watch.begin(in: "\(directory)/missing")
      try await wait(for: "a timer") { clock.nextDue != nil }
      _ = try other.addQwinker(named: "ann")
      await clock.advance(by: WriteWatch.pollTime)
      try await wait(for: "a notice of the write") { notices.value > 0 }
      withExtendedLifetime(watch) { #expect(notices.value > 0) }
      mine.close()
      other.close()
    }
  }
}
