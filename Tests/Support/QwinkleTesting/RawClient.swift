import Foundation
import LibC
import Synchronization
import TerminalTesting
import Testing

/// A connection over TCP or a Unix socket that sends arbitrary bytes, including requests that no HTTP library would
/// send. Only one thread may read at a time.
public final class RawClient: Sendable {
  /// A system call failed.
  public struct Failed: Error {
    let call: String
    let reason = String(cString: strerror(errno))
  }

  public struct Response: Sendable {
    /// The status line and the header fields, including the empty line after them.
    public let head: String
    /// Empty if it was dropped.
    public let body: [UInt8]

    /// The status code, or 0 if the status line is malformed.
    public var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }
    /// Whether the server closes the connection afterwards.
    public var isLast: Bool { head.lowercased().contains("connection: close") }
  }

  private let descriptor: Int32
  private let reportsSilence: Bool
  /// Received bytes that haven't been read yet.
  private let buffer = Mutex<ArraySlice<UInt8>>([])

  /// Connects to a port of 127.0.0.1.
  ///
  /// - Parameters:
  ///   - source: Another address of this machine to connect from.
  ///   - receiveBuffer: Size of the socket's receive buffer in bytes.
  ///   - reportsSilence: Whether to record an issue if a read times out.
  public init(
    port: Int, from source: String? = nil, receiveBuffer: Int32? = nil, reportsSilence: Bool = true
  ) throws {
    self.reportsSilence = reportsSilence
    descriptor = Self.makeSocket()
    guard descriptor >= 0 else { throw Failed(call: "socket") }
    setOptions(receiveBuffer)
    if let source, Self.call(bind, descriptor, source, 0) != 0 { throw Failed(call: "bind") }
    guard Self.call(connect, descriptor, "127.0.0.1", port) == 0 else { throw Failed(call: "connect") }
  }

  /// Connects to a Unix socket.
  ///
  /// - Parameters:
  ///   - path: The path of the server's socket.
  ///   - source: A path to bind this end to. A file must not exist there.
  public init(socket path: String, from source: String? = nil, reportsSilence: Bool = true) throws {
    self.reportsSilence = reportsSilence
    descriptor = Self.makeSocket(family: AF_UNIX)
    guard descriptor >= 0 else { throw Failed(call: "socket") }
    setOptions(nil)
    if let source, Self.call(bind, descriptor, path: source) != 0 { throw Failed(call: "bind") }
    guard Self.call(connect, descriptor, path: path) == 0 else { throw Failed(call: "connect") }
  }

  deinit { close(descriptor) }

  private func setOptions(_ receiveBuffer: Int32?) {
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: Deadline.seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Returns a new socket, or a negative number on failure.
  public static func makeSocket() -> Int32 { makeSocket(family: AF_INET) }

  /// Returns a Unix socket that listens at a path. The caller closes it.
  public static func listen(at path: String) throws -> Int32 {
    let descriptor = makeSocket(family: AF_UNIX)
    guard descriptor >= 0, call(bind, descriptor, path: path) == 0, LibC.listen(descriptor, 16) == 0 else {
      throw Failed(call: "listen")
    }
    return descriptor
  }

  private static func makeSocket(family: Int32) -> Int32 {
    socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  /// Sends text. Fails if the other side has closed the connection.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends bytes. Fails if the other side has closed the connection.
  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write($0, 0) }
      guard count > 0 else { throw Failed(call: "send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends as many bytes as possible without blocking. Returns their number, or nil if the connection has ended.
  public func sendNow(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes { write($0, Int32(MSG_DONTWAIT)) }
    if count >= 0 { return count }
    return errno == EAGAIN ? 0 : nil
  }

  /// Returns received bytes without waiting for more, or nil if the connection has ended. Bypasses the buffer of the
  /// other reading methods, so don't mix them.
  public func readNow(atMost limit: Int = 1024) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count > 0 { return Array(bytes[..<count]) }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Closes the sending side.
  public func shutdownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Shuts down the connection, so that pending reads and writes return.
  public func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Returns everything received until the other side closes the connection.
  public func readAll() async -> String {
    await Self.onThread { [self] in
      var bytes: [UInt8] = []
      while let more = takeSome() { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns one response with the body that its header announces.
  public func readResponse() async -> String { await Self.onThread { [self] in response() } }

  /// Returns one response. Blocks the caller's thread.
  public func response() -> String {
    let (head, length) = readHead()
    return head + String(decoding: bytes(length) ?? [], as: UTF8.self)
  }

  /// Returns one response, or nil if the connection ends first. Blocks.
  public func nextResponse(dropsBody: Bool = false) -> Response? {
    let (head, length) = readHead()
    if head.isEmpty { return nil }
    if dropsBody { return drop(length) ? Response(head: head, body: []) : nil }
    return bytes(length).map { Response(head: head, body: $0) }
  }

  /// Returns the next response's header and the body length that it announces.
  private func readHead() -> (text: String, length: Int) {
    var (text, length) = ("", 0)
    while let line = line() {
      text += line + "\n"
      if line == "\r" { break }
      if line.lowercased().hasPrefix("content-length:") { length = Int(line.filter(\.isNumber)) ?? 0 }
    }
    return (text, length)
  }

  /// Returns the next line without its line feed, or nil if the connection ends first. Blocks.
  public func line() -> String? {
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

  /// Returns the next `count` bytes, or nil if the connection ends first. Blocks.
  public func bytes(_ count: Int) -> [UInt8]? {
    while buffer.withLock({ $0.count < count }) {
      guard receive() else { return nil }
    }
    return buffer.withLock { buffer in
      defer { buffer = buffer.dropFirst(count) }
      return Array(buffer.prefix(count))
    }
  }

  /// Reads and drops `count` bytes. Returns false if the connection ends first.
  private func drop(_ count: Int) -> Bool {
    var rest = count
    while rest > 0 {
      let dropped = buffer.withLock { buffer in
        let count = min(rest, buffer.count)
        buffer = count == buffer.count ? [] : buffer.dropFirst(count)
        return count
      }
      rest -= dropped
      if rest > 0, !receive() { return false }
    }
    return true
  }

  /// Runs blocking work on a new thread.
  public static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
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

  /// Waits for more bytes. Returns false if the connection has ended or the wait times out.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN, reportsSilence {
      let received = buffer.withLock { String(decoding: $0, as: UTF8.self) }
      Issue.record("The server sent nothing for \(Deadline.seconds) s. Unread: \(received)")
    }
    if count > 0 { buffer.withLock { $0 += bytes[..<count] } }
    return count > 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    #if canImport(Musl)
      Musl.send(descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
    #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_NOSIGNAL))
    #endif
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, path: String
  ) -> Int32 {
    guard path.utf8.count <= UnixSocketAddress.mostPathBytes else { return -1 }
    return UnixSocketAddress.withAddress(of: path) { function(descriptor, $0, $1) }
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
