import Foundation
import LibC
import Synchronization

/// Clients that send the same request repeatedly, each with a separate connection and thread.
struct Load: Sendable {
  let port: Int
  let request: [UInt8]

  /// Returns a GET request. `authorization` can be empty.
  static func get(_ path: String, _ authorization: String) -> [UInt8] {
    let header = authorization.isEmpty ? "" : "Authorization: \(authorization)\r\n"
    return Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n".utf8)
  }

  /// Returns a request that creates a public post.
  static func post(_ authorization: String) -> [UInt8] {
    let body = "status=The+basil+has+come+up+%23garden"
    let head =
      "POST /api/v1/statuses HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(authorization)\r\n"
      + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return Array((head + body).utf8)
  }

  /// Sends the request once and returns the body of the response.
  func answer() throws -> [UInt8] {
    guard let client = BlockingClient(port: port), let answer = client.send(request), answer.status == 200 else {
      throw CocoaError(.fileReadUnknown)
    }
    return answer.body
  }

  /// Returns the number of responses per second.
  func rate(connections: Int, seconds: Double) -> Double {
    let start = ContinuousClock.now
    let running = begin(connections: connections)
    // Sleeping here doesn't stop the clients, which run on other threads. It determines the measured time.
    Thread.sleep(forTimeInterval: seconds)
    let count = running.end()
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// Returns the median time of a response over one connection, in milliseconds, or 0 if the connection fails.
  func median(seconds: Double) -> Double {
    guard let client = BlockingClient(port: port) else { return 0 }
    let end = ContinuousClock.now + .seconds(seconds)
    var times: [Double] = []
    while ContinuousClock.now < end {
      let start = ContinuousClock.now
      guard client.send(request) != nil else { return 0 }
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    return times.median
  }

  /// Starts clients. Each runs until it is stopped or a request fails.
  func begin(connections: Int) -> Running {
    let running = Running()
    for _ in 0..<connections {
      running.group.enter()
      Thread.detachNewThread { [self] in
        defer { running.group.leave() }
        guard let client = BlockingClient(port: port) else { return }
        while !running.isEnding.load(ordering: .relaxed), let answer = client.send(request), answer.status == 200 {
          running.answers.add(1, ordering: .relaxed)
        }
      }
    }
    return running
  }

  /// Running clients.
  final class Running: Sendable {
    fileprivate let group = DispatchGroup()
    fileprivate let isEnding = Atomic(false)
    fileprivate let answers = Atomic(0)

    /// Stops the clients. Returns the number of responses they received.
    @discardableResult
    func end() -> Int {
      isEnding.store(true, ordering: .relaxed)
      group.wait()
      return answers.load(ordering: .relaxed)
    }
  }
}

/// A blocking HTTP client with one connection to this machine.
private final class BlockingClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: 64 << 10)

  init?(port: Int) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
    }
    if result != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Sends a request and reads the response, which must have a Content-Length. Returns nil if the connection ended.
  func send(_ request: [UInt8]) -> (status: Int, body: [UInt8])? {
    guard write(descriptor, request, request.count) == request.count else { return nil }
    buffer.removeAll(keepingCapacity: true)
    var head: (status: Int, end: Int, length: Int)?
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count <= 0 { return nil }
      buffer += piece[..<count]
      if head == nil { head = self.head() }
      if let head, buffer.count >= head.end + head.length {
        return (head.status, Array(buffer[head.end..<(head.end + head.length)]))
      }
    }
  }

  private func head() -> (status: Int, end: Int, length: Int)? {
    let blank: [UInt8] = [13, 10, 13, 10]
    guard let start = buffer.indices.first(where: { buffer[$0...].starts(with: blank) }) else { return nil }
    let lines = String(decoding: buffer[..<start], as: UTF8.self).split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: ":").last
    return (status, start + 4, length.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0)
  }
}
