import Foundation
import LibC
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Systemd socket activation.
@Suite(.bounded) struct ActivationTests {
  @Test func `the server adopts a socket that is already listening`() async throws {
    try await withDirectory { directory in
      let service = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock(), use: .served)
      let descriptor = RawClient.makeSocket()
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let isListening = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 16) == 0
        }
      }
      try #require(isListening)
      let front = HTTPFront(service: service, addresses: [.inherited(descriptor)])
      try await withPort(of: front) { port in
        let client = try RawClient(port: port)
        try client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await client.readResponse().hasSuffix("OK"))
      }
    }
  }

  @Test func `a socket is adopted only by the process it was passed to`() {
    func descriptors(_ process: String?, _ count: String?) -> Range<Int32> {
      SocketActivation.descriptors(process: process, count: count, of: 7)
    }
    #expect(descriptors("7", "1") == 3..<4)
    #expect(descriptors("7", "2") == 3..<5)
    #expect(descriptors("7", "2147483647").count < 1000)
    for (process, count) in [("8", "1"), ("7", "0"), ("7", "-1"), ("x", "y")] {
      #expect(descriptors(process, count).isEmpty)
    }
    #expect(descriptors(nil, "1").isEmpty)
    #expect(descriptors("7", nil).isEmpty)
  }
}
