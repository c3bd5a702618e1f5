import LibC

/// A user's open stream of the public timeline. Collects the numbers of the posts that it receives.
final class SharedStream {
  private let connection: UnixConnection
  private var bytes: [UInt8] = []
  private var hasHead = false
  private var line: [UInt8] = []
  private var event: [UInt8] = []
  /// The number of times that each post was received, by the post's number.
  private(set) var counts: [UInt8] = []
  private(set) var isOpen = true
  private var piece = [UInt8](repeating: 0, count: 64 << 10)

  var descriptor: Int32 { connection.descriptor }

  /// Sends the request for a stream. The stream starts before the header of the response.
  init(_ connection: UnixConnection) throws {
    self.connection = connection
    let request = "GET /api/v1/streaming/public HTTP/1.1\r\nHost: shared\r\nAccept: text/event-stream\r\n\r\n"
    guard systemWrite(Array(request.utf8), to: connection.descriptor) else {
      throw BenchError(description: systemWords())
    }
    while !hasHead {
      _ = receive()
      guard isOpen else { throw BenchError(description: "the server refused a stream") }
    }
  }

  /// Reads once, and returns the numbers of the received posts.
  func receive() -> [Int] {
    let count = systemRead(descriptor, &piece, piece.count)
    guard count > 0 else {
      isOpen = false
      return []
    }
    bytes += piece[..<count]
    if !hasHead {
      guard let end = bytes.firstRange(of: "\r\n\r\n".utf8)?.upperBound else { return [] }
      hasHead = true
      isOpen = bytes.starts(with: "HTTP/1.1 200 ".utf8)
      bytes.removeFirst(end)
    }
    var posts: [Int] = []
    while let chunk = nextChunk() {
      for byte in chunk {
        if byte != 10 {
          line.append(byte)
        } else if let post = endLine() {
          posts.append(post)
        }
      }
    }
    for post in posts {
      if counts.count <= post { counts += [UInt8](repeating: 0, count: post + 1 - counts.count) }
      counts[post] = counts[post] == .max ? .max : counts[post] + 1
    }
    return posts
  }

  /// Removes the next complete chunk of the body from ``bytes`` and returns its content.
  private func nextChunk() -> ArraySlice<UInt8>? {
    guard let end = bytes.firstIndex(of: 10),
      let size = Int(String(decoding: bytes[..<end].filter { $0 != 13 }, as: UTF8.self), radix: 16),
      bytes.count >= end + 1 + size + 2
    else { return nil }
    defer { bytes.removeFirst(end + 1 + size + 2) }
    return bytes[(end + 1)..<(end + 1 + size)]
  }

  /// Returns the number of the post if the line is the data of a new post.
  private func endLine() -> Int? {
    defer { line.removeAll(keepingCapacity: true) }
    if line.starts(with: "event: ".utf8) { event = Array(line.dropFirst(7)) }
    guard line.starts(with: "data: ".utf8), event.elementsEqual("update".utf8),
      let end = Self.endOfMark(in: line)
    else { return nil }
    return Int(String(decoding: line[end...].prefix { (48...57).contains($0) }, as: UTF8.self))
  }

  private static let mark = Array(SharedPost.mark.utf8)

  /// Returns the index after the mark, or nil if the line has none. The generic `firstRange(of:)` is slower than the
  /// server.
  private static func endOfMark(in line: [UInt8]) -> Int? {
    var start = 0
    while start + mark.count <= line.count {
      if line[start] == mark[0], line[start..<(start + mark.count)].elementsEqual(mark) { return start + mark.count }
      start += 1
    }
    return nil
  }
}

/// The text of a post, which contains its number.
enum SharedPost {
  static let mark = "shared-load-"

  static func request(_ number: Int) -> String {
    let body = "status=\(mark)\(number)."
    return """
      POST /api/v1/statuses HTTP/1.1\r
      Host: shared\r
      Idempotency-Key: \(mark)\(number)\r
      Content-Type: application/x-www-form-urlencoded\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """
  }
}
