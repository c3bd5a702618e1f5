import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Server quirks beyond the protocol, on the whole screen.
@MainActor
@Suite(.bounded) struct ServerHabitTests {
  @Test func `requests slow down if a server limits the rate without a retry time`()
    async throws
  {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server, columns: 120)
    server.handle(.get, "/api/v1/timelines/public") { _ in .json(WireEncoder.error("Slow down"), status: 429) }
    await screen.pass(.seconds(60))
    #expect(screen.status.contains(DownloadError.rateLimited(host: ScriptedTimeline.host, retryAfter: nil).summary))
    #expect(screen.visible == [3, 2, 1] && !screen.header.contains(StatusWords.offlineSince))
    var gaps: [Int] = []
    for _ in 0..<3 {
      let count = server.refreshCount()
      var seconds = 0
      while server.refreshCount() == count, seconds < 600 {
        await screen.pass(.seconds(5))
        seconds += 5
      }
      gaps.append(seconds)
    }
    // Later intervals stay at half a minute for a while, so the list is fresh soon after the server recovers.
    #expect(gaps == [20, 30, 30], "\(gaps)")
  }

  @Test(arguments: [("<html><h1>500</h1></html>", 500), ("", 503)])
  func `an error with an empty or HTML body is reported by its status`(body: String, status: Int) async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server, columns: 120)
    server.handle(.get, "/api/v1/timelines/public") { _ in .text(body, status: status) }
    await screen.press("R")
    #expect(screen.status.contains(DownloadError.serverFailed(host: ScriptedTimeline.host, status: status).summary))
    #expect(screen.visible == [3, 2, 1])
  }

  @Test func `a null poll and mentions with meaningless IDs are accepted`() async throws {
    let snac = try ScriptedSnac()
    let screen = try await Screen.settled(snac.server, rows: 40, columns: 100)
    await screen.press("2")
    #expect(screen.text.contains("Which editor? (poll)"))
    #expect(screen.account.timelines.state(of: .home).error == nil, "\(screen.status)")
  }
}
