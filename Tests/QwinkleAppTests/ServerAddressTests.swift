import TerminalTesting
import Testing

@testable import QwinkleApp

@Suite(.bounded) struct ServerAddressTests {
  @Test(arguments: [
    "http://example.org", "http://127.evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
    "http://[::12]", "http://10.0.0.1:8420", "http://127.0.0",
  ])
  func `a token that leaves the machine without TLS is warned of`(url: String) throws {
    #expect(try ServerAddress(url).warningAboutToken?.contains("http sends your token") == true)
  }

  @Test(arguments: [
    "https://example.org", "http://localhost:8420", "http://127.0.0.1", "http://127.8.9.10:80", "http://[::1]:8420",
  ])
  func `one that stays, or is encrypted, is not`(url: String) throws {
    #expect(try ServerAddress(url).warningAboutToken == nil)
  }
}
