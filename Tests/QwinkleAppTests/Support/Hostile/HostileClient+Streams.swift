import Foundation
import QwinkleTesting

extension HostileClient {
  static let streams = [
    HostileClient("WebSocket pings, never read") { attack in
      let pings = [[UInt8]](repeating: SocketText.frame(9, [UInt8](repeating: 0, count: 125)), count: 500)
      let bytes = Array(pings.joined())
      attack.run(2) { _, _ in
        let socket = try attack.openSocket(receiveBuffer: 4096)
        while attack.isOn {
          try socket.send(bytes)
          Attack.pause(milliseconds: 1)
        }
      }
    },
    HostileClient("60 sockets with 100 hashtags, and a deleter") { attack in
      attack.run(60) { turn, _ in
        let socket = try attack.openSocket()
        try socket.send(SocketText.subscriptions { "tag\(turn.client)x\($0)" })
        while socket.bytes(1) != nil {}
      }
      let token = attack.target.token
      attack.run(1, pause: 30) { turn, client in
        let text = "\(turn.round) #tag0x0 #tag1x1 #tea"
        let id = try client.value("id", of: RequestText.post("/api/v1/statuses", [("status", text)], token: token))
        try client.response(to: RequestText.delete("/api/v1/statuses/\(id)", token: token), dropsBody: true)
      }
    },
    HostileClient("sockets with 100 long hashtags and many hosts") { attack in
      let tag = String(repeating: "t", count: 2000)
      attack.run(20) { turn, _ in
        let sockets = try (0..<10).map { number in
          let socket = try attack.openSocket(host: "h\(turn.client)-\(turn.round)-\(number).example")
          try socket.send(SocketText.subscriptions { "\(tag)\(number)x\($0)" })
          return socket
        }
        Attack.pause(milliseconds: 500)
        for socket in sockets { socket.end() }
      }
    },
    HostileClient("fragmented WebSocket frames") { attack in
      attack.run(20) { turn, _ in
        let socket = try attack.openSocket()
        let fragment = [UInt8](repeating: 32, count: turn.client.isMultiple(of: 2) ? 4000 : 1)
        try socket.send(SocketText.frame(1, fragment, isLast: false))
        while attack.isOn {
          try socket.send(SocketText.frame(0, fragment, isLast: false))
          Attack.pause(milliseconds: 20)
        }
      }
    },
    HostileClient("256 streams from each of 16 addresses") { attack in
      attack.hold(16 * 256, from: Array(Attack.addresses.prefix(16)), opening: Self.events, pause: 200)
      attack.publishLongPosts()
    },
    HostileClient("256 sockets that read nothing of long posts") { attack in
      // Sending a pong in each round detects whether the server has closed the socket.
      attack.hold(
        256, from: Array(Attack.addresses.prefix(4)), receiveBuffer: 4096,
        opening: SocketText.handshake("/api/v1/streaming?stream=public"), piece: SocketText.frame(10, []),
        reads: false, pause: 200)
      attack.publishLongPosts()
    },
    HostileClient("server-sent events whose clients send") {
      $0.hold(64, opening: Self.events, piece: [UInt8](repeating: 97, count: 4096), pause: 20)
    },
  ]

  private static let events = RequestText.get("/api/v1/streaming/public")
}

extension Attack {
  /// Opens a WebSocket without signing in.
  fileprivate func openSocket(receiveBuffer: Int32? = nil, host: String = "qwinkle.example") throws -> RawClient {
    let socket = try connect(receiveBuffer: receiveBuffer)
    try socket.send(SocketText.handshake("/api/v1/streaming", host: host))
    guard let response = socket.nextResponse(dropsBody: true) else { throw BlockingClient.Closed() }
    note(response.status)
    // A server that discards everything responds with 200.
    guard [101, 200].contains(response.status) else { throw BlockingClient.Refused(response: response.head) }
    return socket
  }

  /// Publishes public posts by mallory, about 20 KB each. The rate stays below the limit of 300 posts in three hours.
  fileprivate func publishLongPosts() {
    // Each hashtag becomes a link.
    let tags = (0..<90).map { "#t\($0)" }.joined(separator: " ")
    run(1, pause: 80) { turn, client in
      let post: [Browser.Field] = [("status", "\(turn.round) \(tags)")]
      try client.response(to: RequestText.post("/api/v1/statuses", post, token: self.target.token), dropsBody: true)
    }
  }
}

/// Bytes that a WebSocket's client sends.
private enum SocketText {
  /// Returns a request that opens a WebSocket.
  static func handshake(_ target: String, host: String = "qwinkle.example") -> String {
    [
      "GET \(target) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "\r\n",
    ].joined(separator: "\r\n")
  }

  /// Returns a frame. Its mask of zeros leaves the bytes unchanged.
  static func frame(_ opcode: UInt8, _ bytes: [UInt8], isLast: Bool = true) -> [UInt8] {
    let first = (isLast ? 0x80 : 0) | opcode
    let length: [UInt8] =
      bytes.count < 126
      ? [0x80 | UInt8(bytes.count)] : [0x80 | 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    return [first] + length + [0, 0, 0, 0] + bytes
  }

  /// Returns subscriptions to 100 hashtags.
  static func subscriptions(_ tag: (Int) -> String) -> [UInt8] {
    (0..<100).flatMap { frame(1, Array(#"{"type":"subscribe","stream":"hashtag","tag":"\#(tag($0))"}"#.utf8)) }
  }
}
