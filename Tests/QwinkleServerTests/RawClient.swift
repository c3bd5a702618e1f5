import Dispatch
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connection whose bytes the test chooses: what no HTTP library would send.
final class RawClient: Sendable {
  struct Failed: Error {
    var call: String
    var reason = String(cString: strerror(errno))
  }

  private static let queue = DispatchQueue(label: "raw clients", attributes: .concurrent)
  let descriptor: Int32

  /// Connects to a port of 127.0.0.1, from another address of this machine if one is given.
  init(port: Int, from source: String? = nil, receiveBuffer: Int32? = nil) throws {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw Failed(call: "socket") }
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    if let source, Self.call(bind, descriptor, source, 0) != 0 { throw failed("bind") }
    guard Self.call(connect, descriptor, "127.0.0.1", port) == 0 else { throw failed("connect") }
  }

  deinit { close(descriptor) }

  /// Sends bytes, or as many as the other side takes before it ends the connection.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write($0) }
      guard count > 0 else { throw Failed(call: "send") }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends no more.
  func shutdownSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// All that comes until the other side ends the connection.
  func readAll() async -> String {
    await withCheckedContinuation { done in
      Self.queue.async { [self] in
        var bytes: [UInt8] = []
        while let more = next() { bytes += more }
        done.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// One response, with the body that its header announces.
  func readResponse() async -> String {
    await withCheckedContinuation { done in
      Self.queue.async { [self] in
        var bytes: [UInt8] = []
        while let more = next(atMost: 1) {
          bytes += more
          if bytes.suffix(4) == Array("\r\n\r\n".utf8) { break }
        }
        let head = String(decoding: bytes, as: UTF8.self)
        var rest = head.firstMatch(of: #/(?i)content-length: ([0-9]+)/#).flatMap { Int($0.output.1) } ?? 0
        while rest > 0, let more = next(atMost: rest) {
          bytes += more
          rest -= more.count
        }
        done.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  private func next(atMost most: Int = 1 << 16) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &buffer, most, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  private func failed(_ call: String) -> Failed { Failed(call: call) }

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
