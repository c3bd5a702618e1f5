/// A ``ScriptedServer``'s reaction to one request.
public struct Script: Sendable {
  public enum Step: Sendable {
    case send([UInt8])
    /// Waits until the test opens the gate.
    case wait(Gate)
    /// Closes the connection gracefully.
    case close
    /// Breaks the connection. Without TLS, the other end sees a reset.
    case reset
  }

  /// The steps, in order. Afterwards the connection stays open for the next request.
  public var steps: [Step]

  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// A complete response with a Content-Length.
  public static func answer(
    _ status: Int = 200, _ body: [UInt8] = [], fields: [(String, String)] = [], announcing length: Int? = nil
  ) -> Script {
    Script([.send(head(status, fields + [("Content-Length", "\(length ?? body.count)")]) + body)])
  }

  /// A complete JSON response.
  public static func json(_ body: [UInt8], status: Int = 200, fields: [(String, String)] = []) -> Script {
    answer(status, body, fields: fields + [("Content-Type", "application/json; charset=utf-8")])
  }

  /// A complete text response.
  public static func text(_ body: String, status: Int = 200, fields: [(String, String)] = []) -> Script {
    answer(status, Array(body.utf8), fields: fields)
  }

  /// A chunked response. Each chunk is sent separately.
  public static func chunked(_ chunks: [[UInt8]], fields: [(String, String)] = []) -> Script {
    var steps: [Step] = [.send(head(200, fields + [("Transfer-Encoding", "chunked")]))]
    for chunk in chunks where !chunk.isEmpty {
      steps.append(.send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)))
    }
    return Script(steps + [.send(Array("0\r\n\r\n".utf8))])
  }

  /// A response that announces `length` bytes and ends after `body`.
  public static func truncated(_ body: [UInt8], announcing length: Int) -> Script {
    answer(200, body, announcing: length).then(.close)
  }

  public static func redirect(to url: String, status: Int = 302) -> Script {
    answer(status, fields: [("Location", url)])
  }

  /// Resets the connection without a response.
  public static let reset = Script([.reset])

  /// Closes the connection without a response.
  public static let close = Script([.close])

  /// Never responds.
  public static let silence = Script([])

  /// Returns this script, delayed until the test opens `gate`.
  public func held(by gate: Gate) -> Script { Script([.wait(gate)] + steps) }

  /// Returns this script, followed by `steps`.
  public func then(_ steps: Step...) -> Script { Script(self.steps + steps) }

  /// Returns the bytes of a response's head.
  public static func head(_ status: Int, _ fields: [(String, String)]) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) Scripted"] + fields.map { "\($0): \($1)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
