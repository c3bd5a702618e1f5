import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Replies that the server fetches from other servers while a thread is open.
@MainActor
@Suite(.bounded) struct ThreadArrivingTests {
  nonisolated private static let refreshPath = "/api/v1_alpha/async_refreshes/r1"

  /// A server whose thread of qwink 5 grows. Each request for the refresh takes the next state; the last one repeats.
  private final class Fetching: Sendable {
    struct State {
      var states: [(status: String, count: Int?)]
      var replies = 1
      var contextCount = 0
      var refreshCount = 0
    }
    let state: Mutex<State>
    let server = ScriptedTimeline([5, 3])

    init(_ states: [(status: String, count: Int?)], header: String = #"id="r1", retry=3, result_count=0"#) {
      state = Mutex(State(states: states))
      server.handle(.get, "/api/v1/statuses/5/context") { [self] _ in
        let replies = state.withLock { state in
          state.contextCount += 1
          return state.replies
        }
        var thread = QwinkThread()
        thread.descendants = (0..<replies).map { number in
          var reply = ScriptedTimeline.qwink(6 + number)
          reply.inReplyTo = "5"
          return reply
        }
        var fields = HTTPFields()
        if let name = HTTPField.Name(AsyncRefresh.headerName) { fields[name] = header }
        return .json(WireEncoder.thread(thread), fields: fields)
      }
      server.handle(.get, ThreadArrivingTests.refreshPath) { [self] _ in
        let (status, count) = state.withLock { state in
          state.refreshCount += 1
          return state.states.count > 1 ? state.states.removeFirst() : state.states[0]
        }
        let words = count.map { #","result_count":\#($0)"# } ?? ""
        return .json(Array(#"{"async_refresh":{"id":"r1","status":"\#(status)"\#(words)}}"#.utf8))
      }
    }

    func setReplies(_ count: Int) { state.withLock { $0.replies = count } }
    var contexts: Int { state.withLock { $0.contextCount } }
    var refreshes: Int { state.withLock { $0.refreshCount } }
  }

  private func opened(_ fetching: Fetching) async throws -> Screen {
    let screen = try await Screen.settled(fetching.server, rows: 30)
    await screen.press("Enter")
    await screen.pass(.milliseconds(300))
    return screen
  }

  @Test func `replies appear as the server fetches them, and the selection stays`() async throws {
    let fetching = Fetching([("running", 2), ("running", 2), ("finished", 4)])
    let screen = try await opened(fetching)
    #expect(screen.visible == [5, 6] && screen.text.contains(ThreadWords.arriving(0)), "\(screen.text)")
    await screen.press("j")
    fetching.setReplies(3)
    await screen.pass(.seconds(3))
    #expect(screen.visible == [5, 6, 7, 8] && screen.selected == 6, "\(screen.text)")
    #expect(screen.text.contains(ThreadWords.arriving(2)), "\(screen.text)")
    await screen.pass(.seconds(3))
    #expect(fetching.contexts == 2, "nothing new was fetched again")
    fetching.setReplies(5)
    await screen.pass(.seconds(3))
    #expect(screen.visible == [5, 6, 7, 8, 9, 10] && screen.selected == 6, "\(screen.text)")
    #expect(!screen.text.contains("fetching more"), "\(screen.text)")
    await screen.pass(.seconds(600))
    #expect(fetching.refreshes == 3 && fetching.contexts == 3, "a finished search isn't polled")
  }

  @Test(arguments: [("finished", 0), ("paused", 0)])
  func `a search without results ends without another request for the thread`(status: String, count: Int) async throws {
    let fetching = Fetching([(status, count)])
    let screen = try await opened(fetching)
    await screen.pass(.seconds(3))
    #expect(fetching.contexts == 1 && !screen.text.contains("fetching more"), "\(screen.text)")
  }

  @Test func `a search without a number is followed by one request for the thread`() async throws {
    let fetching = Fetching([("running", nil), ("finished", nil)], header: #"id="r1""#)
    let screen = try await opened(fetching)
    fetching.setReplies(2)
    for _ in 0..<4 { await screen.pass(.seconds(2)) }
    #expect(screen.visible == [5, 6, 7] && fetching.contexts == 2, "\(screen.text)")
  }

  @Test func `a server that never ends a search is polled at most 40 times`() async throws {
    let fetching = Fetching([("running", 0)], header: #"id="r1", retry=0"#)
    let screen = try await opened(fetching)
    for _ in 0..<100 { await screen.pass(.seconds(2)) }
    #expect(fetching.refreshes == 40 && !screen.text.contains("fetching more"))
  }

  @Test(arguments: [404, 500])
  func `a failing search ends silently`(status: Int) async throws {
    let fetching = Fetching([("running", 1)])
    fetching.server.handle(.get, Self.refreshPath) { _ in .text("", status: status) }
    let screen = try await opened(fetching)
    await screen.pass(.seconds(3))
    #expect(screen.visible == [5, 6] && !screen.text.contains("fetching more"), "\(screen.text)")
    #expect(!screen.status.contains("\(status)"), "\(screen.status)")
  }

  @Test func `a thread that isn't visible isn't polled until it is visible again`() async throws {
    let fetching = Fetching([("running", 0)])
    let screen = try await opened(fetching)
    await screen.press("2")
    await screen.pass(.seconds(30))
    #expect(fetching.refreshes == 0)
    await screen.press("1")
    await screen.pass(.seconds(3))
    #expect(fetching.refreshes == 1, "\(screen.text)")
  }

  @Test func `another thread isn't changed by the replies of the first`() async throws {
    let fetching = Fetching([("finished", 4)])
    let screen = try await opened(fetching)
    fetching.setReplies(5)
    await screen.press("q", "j", "Enter")
    await screen.pass(.seconds(30))
    #expect(fetching.contexts == 1 && fetching.refreshes == 0)
    #expect(screen.visible.first == 3, "\(screen.text)")
  }
}
