import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Pages that are too large because of a single item.
@MainActor
@Suite(.bounded) struct LargeItemTests {
  /// The server's paging behaviour.
  struct Habit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var hasLinks = true
    var honoursLimits = true
    /// Numbers of the items that are too large by themselves.
    var large: Set<Int> = [30]
    var path = "/api/v1/timelines/public"
  }

  nonisolated private static let count = 60

  nonisolated private static func body(_ numbers: [Int], large: Set<Int>) -> [UInt8] {
    let items = numbers.map { number -> [UInt8] in
      let item = WireEncoder.qwink(.sample(id: Qwink.ID("\(number)"), text: "Qwink \(number)"))
      guard large.contains(number) else { return item }
      // Exceeds the response limit, in a member after the id.
      let rest = String(repeating: "m", count: 9 << 20)
      return Array(item.dropLast()) + Array(#","pleroma":"\#(rest)"}"#.utf8)
    }
    return Array("[".utf8) + Array(items.joined(separator: [UInt8(ascii: ",")])) + Array("]".utf8)
  }

  nonisolated private static func answer(_ request: ScriptedServer.Request, _ habit: Habit) -> Script {
    let parts = request.path.split(separator: "?", maxSplits: 1)
    let query = parts.count > 1 ? parts[1].split(separator: "&") : []
    func value(_ name: String) -> Int? {
      query.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }
    let limit = habit.honoursLimits ? value("limit") ?? 20 : 20
    let top = value("max_id") ?? count + 1
    let page = Array((1..<max(1, top)).reversed().prefix(limit))
    var fields: [(String, String)] = []
    if habit.hasLinks, let last = page.last, last > 1 {
      fields = [
        ("Link", "<http://\(request.field("Host") ?? "")\(parts[0])?limit=\(limit)&max_id=\(last)>; rel=\"next\"")
      ]
    }
    return .json(body(page, large: habit.large), fields: fields)
  }

  /// Loads all pages from the newest one. Returns the items' numbers, the count of malformed items, and the requests.
  private func pages(_ habit: Habit) async throws -> (numbers: [Int], damagedCount: Int, requests: [String]) {
    let server = try await ScriptedServer.start { Self.answer($0, habit) }
    let bench = Bench(PatientTransport(base: HTTPTransport()), at: server.url, token: "t")
    let name: TimelineName = habit.path.hasSuffix("bookmarks") ? .bookmarks : .public
    var numbers: [Int] = []
    var damagedCount = 0
    var next: Request<Page<Qwink>>? = .timeline(name, limit: 40)
    while let request = next, numbers.count < Self.count {
      let seen = bench.delegate.answers.count
      await bench.run(request)
      guard let page = bench.delegate.answers.dropFirst(seen).first as? Page<Qwink> else {
        Issue.record("\(bench.delegate.errors)")
        break
      }
      numbers += page.items.compactMap { Int($0.id.rawValue) }
      damagedCount += page.damagedCount
      next = page.older.map { .timelinePage(name, $0) }
    }
    await bench.service.shutDown()
    let requests = server.requests.map(\.path)
    await server.stop()
    return (numbers, damagedCount, requests)
  }

  @Test(arguments: [
    Habit(testDescription: "in the middle"), Habit(testDescription: "the first", large: [60]),
    Habit(testDescription: "the last", large: [1]), Habit(testDescription: "two after each other", large: [31, 30]),
    Habit(testDescription: "by Link alone", path: "/api/v1/bookmarks"),
  ])
  func `an item that is too large is skipped and all others are loaded`(habit: Habit) async throws {
    let (numbers, damagedCount, requests) = try await pages(habit)
    #expect(numbers == (1...Self.count).reversed().filter { !habit.large.contains($0) })
    #expect(damagedCount == habit.large.count)
    // After the item, the former page size is restored.
    #expect(requests.contains { $0.contains("limit=1&") || $0.hasSuffix("limit=1") })
    #expect(requests.count < 32, "\(requests)")
  }

  @Test func `a server without limits and Link headers loses only the large item`() async throws {
    let habit = Habit(testDescription: "snac", hasLinks: false, honoursLimits: false, large: [50])
    let server = try await ScriptedServer.start { Self.answer($0, habit) }
    let bench = Bench(PatientTransport(base: HTTPTransport()), at: server.url, token: "t")
    await bench.run(.publicTimeline)
    guard let first = bench.delegate.answers.first as? Page<Qwink> else {
      Issue.record("\(bench.delegate.errors)")
      return
    }
    #expect(first.items.compactMap { Int($0.id.rawValue) } == Array((51...60).reversed()))
    let way = try #require(first.older)
    await bench.run(.timelinePage(.public, way))
    let second = try #require(bench.delegate.answers.last as? Page<Qwink>)
    #expect(second.items.first?.id.rawValue == "49" && second.damagedCount == 1)
    await bench.service.shutDown()
    await server.stop()
  }

  @Test func `a large response that is not a page is not requested again`() async throws {
    let server = try await ScriptedServer.start { _ in .json(Self.body([1], large: [1])) }
    let bench = Bench(PatientTransport(base: HTTPTransport()), at: server.url, token: "t")
    await bench.run(.thread("1"))
    #expect(bench.delegate.errors == [.transport(.tooLarge(host: server.host))])
    #expect(server.requests.count == 1)
    await bench.service.shutDown()
    await server.stop()
  }
}
