import FoundationEssentials
import QwinkleService
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Retry times of a list after failures.
@MainActor
@Suite(.bounded) struct PollScheduleTests {
  /// A list whose attempts finish immediately.
  @MainActor
  private final class List {
    let clock = VirtualClock()
    let polls: PollSchedule
    /// Uptimes of scheduled attempts, in seconds.
    var attempts: [Int64] = []
    /// Returns the result of an attempt.
    private let outcome: @MainActor (List) -> DownloadError?

    init(_ outcome: @escaping @MainActor (List) -> DownloadError?) {
      polls = PollSchedule(clock: clock)
      self.outcome = outcome
    }

    var now: Int64 { clock.uptime.components.seconds }

    /// Performs an unscheduled attempt, such as a refresh by the user.
    func ask() {
      polls.schedule(after: outcome(self)) { [weak self] in
        guard let self else { return }
        attempts.append(now)
        ask()
      }
    }
  }

  nonisolated private static let refused = DownloadError.transport(.refused(host: "tilde.example"))

  nonisolated private static func limited(_ seconds: Int64) -> DownloadError {
    .rateLimited(host: "tilde.example", retryAfter: .seconds(seconds))
  }

  @Test func `failed attempts by the user do not move the scheduled attempt`() {
    let list = List { _ in Self.refused }
    list.ask()
    let next = list.polls.nextAttempt
    for _ in 0..<6 {
      list.clock.advance(by: .seconds(1))
      list.ask()
    }
    #expect(next != nil && list.polls.nextAttempt == next)
    list.clock.advance(by: .seconds(14))
    #expect(list.attempts == [20])
    list.clock.advance(by: .seconds(60))
    #expect(list.attempts == [20, 40, 70])
  }

  @Test func `the server's retry time is used despite refused attempts before it`() {
    let list = List { $0.now < 10 ? Self.limited(10 - $0.now) : nil }
    for _ in 0..<6 {
      list.ask()
      list.clock.advance(by: .seconds(1))
    }
    list.clock.advance(by: .seconds(4))
    #expect(list.attempts == [10] && list.polls.nextAttempt == nil)
  }

  @Test func `a server that refuses again at its retry times is asked less often`() {
    for seconds in [0, 1, 10] as [Int64] {
      let list = List { _ in Self.limited(seconds) }
      list.ask()
      list.clock.advance(by: .seconds(600))
      #expect((15...30).contains(list.attempts.count), "\(seconds) s: \(list.attempts)")
    }
  }

  @Test func `a success ends the series of failures`() {
    let list = List { $0.now == 20 ? nil : Self.refused }
    list.ask()
    list.clock.advance(by: .seconds(100))
    #expect(list.attempts == [20, 80, 100])
  }
}
