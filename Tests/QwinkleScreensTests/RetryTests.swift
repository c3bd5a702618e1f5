import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The rate of list requests to a server that fails.
@MainActor
@Suite(.bounded) struct RetryTests {
  /// Kinds of server failures.
  enum Failure: CaseIterable, Sendable {
    case closesAtOnce, closesAfterHalfAMinute, refusesConnections, hangs, limitsRate, limitsRateUntilNamedTime
    case isUnavailable

    static let namedTime = 45

    /// Longest time from the end of the failure to the first successful response, in seconds.
    var limit: Int { self == .limitsRateUntilNamedTime ? Self.namedTime : 30 }
  }

  /// Responses for the lists, which fail until the server recovers.
  private final class Lists: Sendable {
    struct State {
      var attempts: [String: Int] = [:]
      var answered: Set<String> = []
      var isFailing = true
    }

    static let places = ["/api/v1/timelines/public", "/api/v1/conversations", "/api/v1/notifications"]

    let state = Mutex(State())
    private let failure: Failure
    private let clock: VirtualClock

    init(_ failure: Failure, _ clock: VirtualClock) {
      self.failure = failure
      self.clock = clock
    }

    func answer(_ place: String) async throws -> TransportResponse {
      let isFailing = state.withLock { state in
        state.attempts[place, default: 0] += 1
        if !state.isFailing { state.answered.insert(place) }
        return state.isFailing
      }
      guard isFailing else { return .json(Array("[]".utf8)) }
      let host = ScriptedTimeline.host
      switch failure {
      case .closesAtOnce: throw TransportError.interrupted(host: host)
      case .closesAfterHalfAMinute:
        _ = await ClockWait(on: clock).wait(for: .seconds(30))
        throw TransportError.interrupted(host: host)
      case .refusesConnections: throw TransportError.refused(host: host)
      case .hangs:
        // The time limit of requests.
        _ = await ClockWait(on: clock).wait(for: .seconds(30))
        throw TransportError.timedOut(host: host)
      case .limitsRate: return .json(WireEncoder.error("Slow down"), status: 429)
      case .limitsRateUntilNamedTime:
        return .json(
          WireEncoder.error("Slow down"), status: 429, fields: [.retryAfter: "\(Failure.namedTime)"])
      case .isUnavailable: return .json(WireEncoder.error("Maintenance"), status: 503)
      }
    }
  }

  @Test(arguments: Failure.allCases, [false, true])
  func `a failing list is fetched at most 30 times in ten minutes or 90 times with R`(
    failure: Failure, pressesR: Bool
  ) async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let lists = Lists(failure, screen.clock)
    for place in Lists.places { server.handle(.get, place) { _ in try await lists.answer(place) } }
    func pass(_ seconds: Int) async {
      guard pressesR else {
        return await screen.clock.advance(by: .seconds(seconds)) { await screen.settle() }
      }
      for _ in 0..<seconds {
        await screen.press("R")
        await screen.pass(.seconds(1))
      }
    }
    await screen.press("R")
    await pass(600)
    let attempts = lists.state.withLock { $0.attempts }
    for place in Lists.places {
      let count = attempts[place] ?? 0
      #expect((1...(pressesR ? 90 : 30)).contains(count), "\(failure), \(place): \(count) requests")
    }
    lists.state.withLock { $0.isFailing = false }
    await pass(failure.limit)
    #expect(lists.state.withLock { $0.answered } == Set(Lists.places), "\(failure)")
    #expect(!screen.header.contains(StatusWords.offlineSince))
  }

  @Test func `R during an outage retries at once, then every ten seconds, and shows the wait`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.setReachable(false)
    let screen = try await Screen.settled(server)
    let before = server.refreshCount()
    await screen.press("R")
    #expect(server.refreshCount() == before + 1)
    await screen.pass(.seconds(3))
    await screen.press("R", "R")
    #expect(server.refreshCount() == before + 1)
    #expect(screen.status.contains(MainWords.retries(in: .seconds(7))), "\(screen.status)")
    server.setReachable(true)
    await screen.pass(.seconds(7))
    #expect(server.refreshCount() == before + 2 && screen.visible == [2, 1])
  }
}
