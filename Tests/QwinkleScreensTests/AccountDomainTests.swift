import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The header shows the account with the domain in its handle.
@MainActor
@Suite(.bounded) struct AccountDomainTests {
  @Test(arguments: [
    ("social.example", "social.example"), (ScriptedTimeline.host, ScriptedTimeline.host),
    ("bücher.example", "xn--bcher-kva.example"), ("", ScriptedTimeline.host), ("no host", ScriptedTimeline.host),
  ])
  func `a different domain replaces the host in the header`(domain: String, shown: String) async throws {
    let server = ScriptedTimeline()
    let info = WireEncoder.serverInfoV2(ServerInfo(title: "Tilde", domain: domain, version: "4.3.0"))
    server.handle(.get, "/api/v2/instance") { _ in .json(info) }
    let screen = try await Screen.settled(server, columns: 200)
    let header = try #require(screen.lines.first)
    #expect(header.contains("\(TemporaryFolder.account)@\(shown)"), "\(header)")
    #expect(screen.account.connection.serverURL == "https://\(ScriptedTimeline.host)")
  }
}
