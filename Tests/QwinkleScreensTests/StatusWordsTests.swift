import FoundationEssentials
import PaneKit
import QwinkleService
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct StatusWordsTests {
  private func words(now: Date, next: Date, in zone: ClockZone) throws -> String {
    var state = FeedState()
    state.error = .rateLimited(host: "tilde.example", retryAfter: .seconds(next.timeIntervalSince(now)))
    let status = ScreenStatus(state: state, isEmpty: true, nextAttempt: next)
    let keys = KeysInForce(keymap: try Screen.keymap(), contexts: [])
    let item = try #require(StatusWords.state(of: status, keys: keys, now: now, zone: zone))
    return item.runs.map(\.text).joined()
  }

  @Test func `the next retry names the day if it is not today`() throws {
    // 1 January 2026, 22:10 in GMT.
    let now = Date(timeIntervalSince1970: 1_767_305_400)
    let inSixHours = now.addingTimeInterval(6 * 3600)
    #expect(try words(now: now, next: now.addingTimeInterval(30), in: .gmt).contains("Retrying within a minute"))
    #expect(try words(now: now, next: now.addingTimeInterval(600), in: .gmt).contains("Retrying at 22:20"))
    #expect(try words(now: now, next: inSixHours, in: .gmt).contains("Retrying tomorrow at 04:10"))
    let east = ClockZone { _ in 4 * 3600 }
    #expect(try words(now: now, next: inSixHours, in: east).contains("Retrying at 08:10"))
  }
}
