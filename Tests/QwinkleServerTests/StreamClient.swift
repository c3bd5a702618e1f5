import Foundation
import QwinkleTesting
import Synchronization
import Testing

@testable import QwinkleServer

/// A client that reads stream events over either transport.
final class StreamClient: Sendable {
  enum Kind: CaseIterable { case events, webSocket }

  struct Event: Equatable, Sendable {
    var name: String
    var payload: String

    /// A member of the payload, for example `content`.
    func member(_ name: String) -> String? {
      let object = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
      return object?[name].map { "\($0)" }
    }
  }

  private let client: RawClient
  private let kind: Kind
  private let text = Mutex<ArraySlice<UInt8>>([])
  let head: String

  /// Opens a stream, for example `user` or `hashtag?tag=tea`, and waits for the response header.
  ///
  /// - Parameter source: Another local address to connect from.
  static func open(
    _ kind: Kind, _ stream: String, port: Int, from source: String? = nil, token: String? = nil, fields: [String] = [],
    receiveBuffer: Int32? = nil
  ) async throws -> StreamClient {
    try await RawClient.onThread {
      Result {
        let client = try RawClient(port: port, from: source, receiveBuffer: receiveBuffer)
        return try StreamClient(kind, stream, client, token, fields)
      }
    }.get()
  }

  /// Like the method above, for a user of this host at a Unix socket.
  static func open(
    _ kind: Kind, _ stream: String, at server: SocketServer, as uid: UInt32, token: String? = nil
  ) async throws -> StreamClient {
    try await RawClient.onThread {
      Result { try StreamClient(kind, stream, try server.connect(as: uid), token, []) }
    }.get()
  }

  private init(_ kind: Kind, _ stream: String, _ client: RawClient, _ token: String?, _ fields: [String]) throws {
    self.kind = kind
    self.client = client
    let (name, query) =
      stream.firstIndex(of: "?").map { (stream[..<$0], stream[$0...].dropFirst()) } ?? (stream[...], "")
    let path =
      switch kind {
      case .events: "/\(name.replacing(":", with: "/"))?\(query)"
      case .webSocket: "?stream=\(name)&\(query)"
      }
    var lines = ["GET /api/v1/streaming\(path) HTTP/1.1", "Host: x"] + fields
    if let token { lines.append("Authorization: Bearer \(token)") }
    if kind == .webSocket {
      lines += [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ]
    }
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    var head = ""
    while let line = client.line(), line != "\r" { head += line + "\n" }
    self.head = head
  }

  var isOpen: Bool { head.hasPrefix(kind == .events ? "HTTP/1.1 200 " : "HTTP/1.1 101 ") }

  /// Blocks until the next event. Returns nil at the end of the stream.
  func event() -> Event? {
    switch kind {
    case .events: lineEvent()
    case .webSocket: frameEvent()
    }
  }

  func next() async -> Event? { await RawClient.onThread { [self] in event() } }

  /// Returns `count` events, or fewer if the stream ends.
  func next(_ count: Int) async -> [Event] {
    await RawClient.onThread { [self] in (0..<count).compactMap { _ in event() } }
  }

  /// Sends a message over the WebSocket.
  func say(_ text: String, opcode: UInt8 = 1) throws {
    let bytes = Array(text.utf8)
    let mask: [UInt8] = [1, 2, 3, 4]
    var frame: [UInt8] = [0x80 | opcode, 0x80 | UInt8(bytes.count)] + mask
    for (offset, byte) in bytes.enumerated() { frame.append(byte ^ mask[offset % 4]) }
    try client.send(frame)
  }

  /// Opcode and text of the next frame.
  func frame() -> (opcode: UInt8, text: String)? {
    guard let head = client.bytes(2) else { return nil }
    var length = Int(head[1])
    if length >= 126 {
      guard let more = client.bytes(length == 126 ? 2 : 8) else { return nil }
      length = more.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let bytes = client.bytes(length) else { return nil }
    return (head[0] & 15, String(decoding: bytes, as: UTF8.self))
  }

  func end() { client.end() }

  private func frameEvent() -> Event? {
    while let (opcode, text) = frame(), opcode != 8 {
      guard opcode == 1, let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
        continue
      }
      return Event(name: object["event"] as? String ?? "error", payload: object["payload"] as? String ?? text)
    }
    return nil
  }

  private func lineEvent() -> Event? {
    var name = ""
    while let line = line() {
      if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
      if line.hasPrefix("data: ") { return Event(name: name, payload: String(line.dropFirst(6))) }
    }
    return nil
  }

  /// The next line of the chunked body.
  private func line() -> String? {
    while true {
      let line = text.withLock { text -> String? in
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { text = text[(end + 1)...] }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      if let line { return line }
      guard let size = client.line().flatMap({ Int($0.filter(\.isHexDigit), radix: 16) }), size > 0,
        let chunk = client.bytes(size), client.line() != nil
      else { return nil }
      text.withLock { $0 = ArraySlice($0 + chunk) }
    }
  }
}
