public import QwinkleWire
import Synchronization

/// Streams controlled by a test, which receives each connection and sends its signals.
public final class ScriptedStreams: StreamTransport {
  public final class Connection: StreamConnection {
    private struct State {
      var sent: [String] = []
      var isClosed = false
      var answersPings: Bool
    }

    public let request: StreamRequest
    private let hear: @Sendable (StreamSignal) -> Void
    private let state: Mutex<State>

    fileprivate init(
      _ request: StreamRequest, answersPings: Bool, hear: @escaping @Sendable (StreamSignal) -> Void
    ) {
      self.request = request
      state = Mutex(State(answersPings: answersPings))
      self.hear = hear
    }

    /// Everything the client sent, in order. Pings are `ping`.
    public var sent: [String] { state.withLock { $0.sent } }
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Delivers signals, unless the connection is closed.
    public func tell(_ signals: StreamSignal...) {
      for signal in signals where !isClosed { hear(signal) }
    }

    /// Delivers an event in the format of the connection's transport.
    public func tell(_ event: String, _ payload: [UInt8], of stream: [String] = ["user"]) {
      switch request.kind {
      case .events: tell(.bytes(Array("event: \(event)\ndata: ".utf8) + payload + Array("\n\n".utf8)))
      case .webSocket:
        let text = String(decoding: payload, as: UTF8.self).replacing("\\", with: "\\\\")
          .replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        let names = stream.map { "\"\($0)\"" }.joined(separator: ",")
        tell(.message(Array("{\"stream\":[\(names)],\"event\":\"\(event)\",\"payload\":\"\(text)\"}".utf8)))
      }
    }

    public func send(_ text: [UInt8]) { state.withLock { $0.sent.append(String(decoding: text, as: UTF8.self)) } }

    public func ping() {
      let isAnswered = state.withLock { state in
        state.sent.append("ping")
        return state.answersPings
      }
      if isAnswered { tell(.pong) }
    }

    /// Simulates a dead connection: it stays open, but pings aren't answered.
    public func die() { state.withLock { $0.answersPings = false } }

    public func close() { state.withLock { $0.isClosed = true } }
  }

  private let answersPings: Bool
  private let react: @Sendable (Connection) -> Void
  private let made = Mutex<[Connection]>([])

  /// Passes each new connection to `react`, which opens it by default.
  public init(
    answersPings: Bool = true, _ react: @escaping @Sendable (Connection) -> Void = { $0.tell(.opened) }
  ) {
    self.answersPings = answersPings
    self.react = react
  }

  /// All connections so far.
  public var connections: [Connection] { made.withLock { $0 } }

  public func open(
    _ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void
  ) -> any StreamConnection {
    let connection = Connection(request, answersPings: answersPings, hear: hear)
    made.withLock { $0.append(connection) }
    react(connection)
    return connection
  }
}
