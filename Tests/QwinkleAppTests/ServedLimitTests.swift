import Foundation
import TerminalTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server that the system allows few files.
@Suite(.bounded) struct ServedLimitTests {
  @Test func `with few descriptors and many silent connections, a server goes on answering`() async throws {
    try await Program.inNewHome { program in
      let server = try ChildProcess(
        [
          "/bin/sh", "-c", "ulimit -n 64; exec \"$0\" serve --bind 127.0.0.1:0 --data \"$1\"", Program.path,
          "\(program.home)/data",
        ], environment: program.environment, directory: program.home)
      let line = try await server.firstLine()
      let port = try #require(line.firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#).flatMap { Int($0.output.1) })
      let silent = (0..<300).map { _ in Self.connection(to: port) }
      defer { for descriptor in silent { close(descriptor) } }
      #expect(silent.allSatisfy { $0 >= 0 })
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/health"))
      var resets = 0
      for _ in 0..<20 {
        do {
          let (data, _) = try await URLSession.shared.data(from: url)
          #expect(String(decoding: data, as: UTF8.self) == "OK")
        } catch let error as URLError where error.code == .networkConnectionLost {
          // The server closed an idle connection to make room as the client reused it.
          resets += 1
        }
      }
      #expect(resets < 3, "\(resets) connections were reset")
      kill(server.processID, SIGTERM)
      let end = try await server.outcome()
      #expect(end.status == 0 && end.errors == "", "\(end.errors)")
    }
  }

  /// The descriptor of a new connection; negative if there is none.
  private static func connection(to port: Int) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return result == 0 ? descriptor : -1
  }
}
