import Foundation
import LibC

/// A blocking HTTP/1.1 connection over a Unix socket.
final class UnixConnection {
  let descriptor: Int32
  private var buffer: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: 64 << 10)

  /// Connects as the user `user`, or as the process's user if it is nil. Only root can choose a user.
  ///
  /// The server learns the effective user at the time of the call. The C library changes it for all threads, so only
  /// one thread may connect at a time.
  init(_ path: String, as user: uid_t? = nil) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, path.utf8.count <= UnixSocketAddress.mostPathBytes else {
      throw BenchError(description: "no socket for \(path)")
    }
    // A server that hangs fails the load.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if let user, seteuid(user) != 0 { throw BenchError(description: "seteuid \(user): \(systemWords())") }
    let result = UnixSocketAddress.withAddress(of: path) { connect(descriptor, $0, $1) }
    let reason = systemWords()
    if user != nil, seteuid(0) != 0 { throw BenchError(description: "seteuid 0: \(systemWords())") }
    if result != 0 { throw BenchError(description: "\(path): \(reason)") }
  }

  deinit { close(descriptor) }

  /// Sends a request and returns the status and the body of its response. The response must have a Content-Length.
  func send(_ request: String) throws -> (status: Int, body: String) {
    guard systemWrite(Array(request.utf8), to: descriptor) else { throw BenchError(description: systemWords()) }
    var start = 0
    while true {
      if let end = Self.headEnd(in: buffer, from: start) {
        let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
        let length = head.firstMatch(of: #/content-length: *([0-9]+)/#).flatMap { Int($0.output.1) } ?? 0
        while buffer.count < end + length { try receive() }
        defer { buffer.removeFirst(end + length) }
        let body = String(decoding: buffer[end..<(end + length)], as: UTF8.self)
        return (Int(head.dropFirst(9).prefix(3)) ?? 0, body)
      }
      start = max(0, buffer.count - 3)
      try receive()
    }
  }

  /// Returns the index after the empty line that ends a header.
  private static func headEnd(in bytes: [UInt8], from start: Int) -> Int? {
    bytes[min(start, bytes.count)...].firstRange(of: "\r\n\r\n".utf8)?.upperBound
  }

  private func receive() throws {
    let count = systemRead(descriptor, &piece, piece.count)
    guard count > 0 else {
      throw BenchError(description: "the server closed a connection, or didn't answer for a minute")
    }
    buffer += piece[..<count]
  }
}
