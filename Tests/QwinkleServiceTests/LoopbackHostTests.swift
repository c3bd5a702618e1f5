import TerminalTesting
import Testing

@testable import QwinkleService

@Suite(.bounded) struct LoopbackHostTests {
  @Test(arguments: ["localhost", "::1", "[::1]", "127.0.0.1", "127.255.0.9"])
  func `names and addresses of this machine are loopback`(host: String) { #expect(LoopbackHost.contains(host)) }

  @Test(arguments: ["", "local", "localhost.example", "127.0.0.1.example", "127.0.0", "127.0.0.256", "128.0.0.1", "::"])
  func `names and addresses of other machines are not loopback`(host: String) { #expect(!LoopbackHost.contains(host)) }
}
