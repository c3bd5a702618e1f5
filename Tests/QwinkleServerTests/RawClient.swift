import Foundation
import Synchronization
import TerminalTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connection whose bytes the test chooses: what no HTTP library would send. One thread at a time reads.
final class RawClient: Sendable {
  struct Failed: Error {
    var call: String
    var reason = String(cString: strerror(errno))
  }

  private let descriptor: Int32
  /// What came and isn't read yet.
  private let buffer = Mutex<ArraySlice<UInt8>>([])

  /// Connects to a port of 127.0.0.1, from another address of this machine if one is given.
  init(port: Int, from source: String? = nil, receiveBuffer: Int32? = nil) throws {
    descriptor = Self.makeSocket()
    guard descriptor >= 0 else { throw Failed(call: "socket") }
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: Deadline.seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if let source, Self.call(bind, descriptor, source, 0) != 0 { throw Failed(call: "bind") }
    guard Self.call(connect, descriptor, "127.0.0.1", port) == 0 else { throw Failed(call: "connect") }
  }

  deinit { close(descriptor) }

  /// A new socket, negative if there is none.
  static func makeSocket() -> Int32 {
    #if canImport(Darwin)
      socket(AF_INET, SOCK_STREAM, 0)
    #else
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
  }

  /// Sends text, unless the other side ended the connection.
  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write($0) }
      guard count > 0 else { throw Failed(call: "send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends no more.
  func shutdownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends the connection, and what reads from it or writes to it.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// All that comes until the other side ends the connection.
  func readAll() async -> String {
    await Self.onThread { [self] in
      var bytes: [UInt8] = []
      while let more = takeSome() { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// One response, with the body that its header announces.
  func readResponse() async -> String { await Self.onThread { [self] in response() } }

  /// The same, on the caller's thread.
  func response() -> String {
    var head = ""
    while let line = line() {
      head += line + "\n"
      if line == "\r" { break }
    }
    let length = head.firstMatch(of: #/(?i)content-length: ([0-9]+)/#).flatMap { Int($0.output.1) } ?? 0
    return head + String(decoding: bytes(length) ?? [], as: UTF8.self)
  }

  /// The next line, without its line feed; nil if the connection ends before. Blocks.
  func line() -> String? {
    while true {
      let line = buffer.withLock { buffer -> String? in
        guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { buffer = buffer[(end + 1)...] }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      if let line { return line }
      guard receive() else { return nil }
    }
  }

  /// So many bytes; nil if the connection ends before. Blocks.
  func bytes(_ count: Int) -> [UInt8]? {
    while buffer.withLock({ $0.count < count }) {
      guard receive() else { return nil }
    }
    return buffer.withLock { buffer in
      defer { buffer = buffer.dropFirst(count) }
      return Array(buffer.prefix(count))
    }
  }

  /// Runs blocking work on a thread of its own.
  static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: work()) }
    }
  }

  private func takeSome() -> [UInt8]? {
    if buffer.withLock(\.isEmpty), !receive() { return nil }
    return buffer.withLock { buffer in
      defer { buffer = [] }
      return Array(buffer)
    }
  }

  /// Waits for more bytes; false if there are none any more.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN {
      let received = buffer.withLock { String(decoding: $0, as: UTF8.self) }
      Issue.record("The server sent nothing for \(Deadline.seconds) s. Unread: \(received)")
    }
    if count > 0 { buffer.withLock { $0 = ArraySlice($0 + bytes[..<count]) } }
    return count > 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Musl)
      Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ host: String, _ port: Int
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
