import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) struct StreamCommandTests {
  private final class Count: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func next() -> Int {
      state.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test func `an unknown stream is refused with a list of streams`() async throws {
    try await Program.inNewHome { program in
      let refused = try await program.run("stream", "bookmarks")
      #expect(refused.status == 2 && refused.text == "" && refused.errors.contains("notifications"))
    }
  }

  @Test func `a stream that needs an account explains how to sign in`() async throws {
    try await Program.inNewHome { program in
      try await program.serving { url in
        let refused = try await program.run("stream", "home", "--server", url)
        #expect(refused.status == 1 && refused.errors.contains("qwinkle login"))
      }
    }
  }

  /// Streams a hashtag from a server that answers the nth request for the hashtag's timeline with `page(n)`. The clock
  /// advances whenever no work is pending. Returns the output as soon as it contains `end`, the number of these
  /// requests, and the clock's time.
  @MainActor private func stream(
    until end: String, page: @escaping @Sendable (Int) -> TransportResponse
  ) async throws -> (printed: String, count: Int, time: Duration) {
    let count = Count()
    let transport = ScriptedTransport { request in
      switch String((request.head.path ?? "").prefix { $0 != "?" }) {
      case "/api/v1/timelines/tag/new": return page(count.next())
      case "/api/v2/instance":
        return .json(Array(#"{"domain":"writing.example","title":"W","version":"0.20"}"#.utf8))
      default: return .json(Array(#"{"error":"Not Found"}"#.utf8), status: 404)
      }
    }
    let harness = CommandHarness(transport: { transport })
    let printed = try await harness.run(["stream", "#new"]) { text in
      if let due = harness.clock.nextDue, harness.ledger.isEmpty {
        harness.clock.advance(by: max(due - harness.clock.uptime, .zero))
      }
      return text.contains(end)
    }
    return (printed, count.value, harness.clock.uptime)
  }

  @Test @MainActor func `a stream of an unused hashtag waits for its first post`() async throws {
    let first = HabitServer.status("9", ["content": "<p>The first one</p>"])
    let (_, count, _) = try await stream(until: "The first one") { number in
      number < 5
        ? .json(Array(#"{"error":"Not Found"}"#.utf8), status: 404) : .json(Array("[\(first)]".utf8))
    }
    #expect(count >= 5)
  }

  @Test @MainActor func `an edited post is printed once even if its id changes`() async throws {
    let leeks: [String: any Sendable] = [
      "content": "<p>Leeks</p>", "url": "https://writing.example/@mara/leeks",
    ]
    let edited = HabitServer.status("10", leeks)
    let last = HabitServer.status("11", ["content": "<p>The last one</p>"])
    let pages = ["", HabitServer.status("9", leeks), edited, "\(last),\(edited)"]
    let (printed, _, _) = try await stream(until: "The last one") { number in
      .json(Array("[\(pages[min(number, pages.count) - 1])]".utf8))
    }
    #expect(printed.ranges(of: "Leeks").count == 1, "\(printed)")
  }

  @Test(arguments: [(503, nil, 600), (429, nil, 600), (429, 45, 30 * 45)] as [(Int, Int?, Int)]) @MainActor
  func `a failing timeline is requested at a limited rate or at times set by the server`(
    status: Int, named: Int?, least: Int
  ) async throws {
    let last = HabitServer.status("9", ["content": "<p>The last one</p>"])
    let (_, _, time) = try await stream(until: "The last one") { number in
      // The first request succeeds.
      if number == 1 { return .json(Array("[]".utf8)) }
      if number > 31 { return .json(Array("[\(last)]".utf8)) }
      var fields = HTTPFields()
      fields[.retryAfter] = named.map { "\($0)" }
      return .json(WireEncoder.error("Later"), status: status, fields: fields)
    }
    #expect(time >= .seconds(least), "30 requests in \(time)")
  }
}
