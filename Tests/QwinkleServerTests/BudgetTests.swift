import Dispatch
import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Limits on the cost of a request, and the shares that the budget grants.
@Suite(.bounded) struct BudgetTests {
  @Test func `a new client gets a share even when the resource is used up`() throws {
    let budget = Budget(clock: VirtualClock(), limits: [.uploads: .held(ofOne: 3, ofAll: 4)])
    var shares: [Share] = []
    func take(_ id: Int64) -> Bool {
      guard let share = try? budget.take(.uploads, for: .account(id)) else { return false }
      shares.append(share)
      return true
    }
    #expect([1, 1, 1].map(take) == [true, true, true])
    // The client's own limit.
    #expect(!take(1))
    #expect(take(2))
    // All shares are in use. A new client still gets one, the others don't.
    #expect(!take(1) && take(3) && !take(2))
    #expect(budget.used(.uploads) == 5)
    shares.removeAll()
    #expect(budget.used(.uploads) == 0)
    #expect((try? budget.take(.uploads, 100, for: .process)) != nil)
  }

  @Test func `the table of limits names each resource`() {
    let lines = LimitsTable.lines()
    #expect(lines.count == Resource.allCases.count + 1 + ServiceQuotas().rows.count)
    for resource in Resource.allCases { #expect(lines.contains { $0.hasPrefix("\(resource.words) ") }) }
    #expect(lines.allSatisfy { $0.count <= 120 })
  }

  @Test func `a search for thousands of words is answered`() async throws {
    try await withService(.http) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      try await harness.post("the the the end", token: token)
      for query in [
        String(repeating: "the-", count: 2000), String(repeating: "the+", count: 2000),
        String(repeating: String(repeating: "the-", count: 20) + "+", count: 90),
      ] {
        let answer = try await harness.get("/api/v2/search?q=\(query)")
        #expect(answer.head.status == .ok, "\(answer.text)")
      }
      let found = try await harness.get("/api/v2/search?q=\(String(repeating: "the+", count: 100))end")
      #expect(try WireDecoder.searchResults(from: found.body).qwinks.count == 1)
    }
  }

  @Test func `an address longer than 8 KB is rejected with a message`() async throws {
    try await withService(.http) { harness in
      let base = "/api/v1/timelines/public?x="
      let longest = base + String(repeating: "x", count: 8192 - base.utf8.count)
      #expect(try await harness.get(longest).head.status == .ok)
      for more in [1, 20_000] {
        let answer = try await harness.get(longest + String(repeating: "x", count: more))
        #expect(answer.head.status.code == 414)
        #expect(answer.errorMessage == "Address too long: the limit is 8192 bytes.")
      }
    }
  }

  @Test(arguments: Front.allCases)
  func `a read that exceeds its budget is aborted and logged`(_ front: Front) async throws {
    try await withDirectory { directory in
      let clock = VirtualClock()
      let log = RecordedLog()
      let service = try Service(
        directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick,
        readLimit: ReadLimit(time: .seconds(5), steps: 4000), use: .served,
        log: log.logger)
      if front == .http { try service.openForMany() }
      let token = try service.addQwinker(named: "alice")
      try service.write { session in
        let alice = try #require(try session.accountID(named: "alice"))
        for _ in 0..<2000 {
          _ = try session.addStatus(NewStatus(account: alice, source: "hidden words", visibility: .unlisted))
        }
      }
      func get(_ path: String, token: String? = nil) async -> (status: Int, text: String, retry: String?) {
        let head = HTTPRequest(
          method: .get, scheme: "http", authority: "localhost", path: path,
          headerFields: token.map { [.authorization: "Bearer \($0)"] } ?? [:])
        let answer = await service.respond(to: ServiceRequest(head: head, body: []))
        return (
          answer.head.status.code, String(decoding: answer.body, as: UTF8.self), answer.head.headerFields[.retryAfter]
        )
      }
      // Signed-out viewers may see none of the hits, so the search examines all of them.
      let slow = await get("/api/v2/search?q=hidden&type=statuses")
      #expect(slow.status == 503 && slow.retry == "5")
      #expect(slow.text.contains("This took the server too long. Ask for less, or try again later."))
      #expect(log.lines.count == 1)
      #expect(log.lines.first?.contains("503") == true)
      #expect(log.lines.first?.contains("q=") == false)
      #expect(await get("/api/v1/timelines/home?limit=1", token: token).status == 200)
      #expect(log.lines.count == 1)
    }
  }

  @Test func `a read ends when its time is up or the request is cancelled`() async throws {
    try await withService { harness in
      let clock = VirtualClock()
      let budget = Budget(clock: clock)
      let over = ReadWatch(ReadLimit(time: .zero), budget)
      let unwanted = ReadWatch(ReadLimit(), budget)
      let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      #expect(throws: ServiceError.tooSlow) {
        try harness.service.write { session in try over.watch(session.db) { _ in try session.numbers(endless) } }
      }
      DispatchQueue(label: "test").async { unwanted.cancel() }
      #expect(throws: ServiceError.self) {
        try harness.service.write { session in
          do {
            _ = try unwanted.watch(session.db) { _ in try session.numbers(endless) }
          } catch is CancellationError {
            throw ServiceError.badName("cancelled")
          }
        }
      }
      let after = try harness.service.write { try $0.numbers("SELECT 1") }
      #expect(after == [1])
    }
  }

  @Test func `a read doesn't wait for a write in progress`() async throws {
    try await withService(.http) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      try await harness.post("before", token: token)
      let (begun, hasRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? harness.service.write { session in
          try session.run("UPDATE statuses SET source = 'after'")
          begun.signal()
          hasRead.waitUntilDeadline()
        }
        ended.signal()
      }
      try await begun.signalled("the write")
      let answers = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<8 {
          group.addTask { try await harness.page("/api/v1/timelines/public").items.map(\.text.plainText) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: ["before"], count: 8))
      hasRead.signal()
      try await ended.signalled("the end of the write")
      #expect(try await harness.page("/api/v1/timelines/public").items.map(\.text.plainText) == ["after"])
    }
  }

  @Test func `an embedded service opens a single connection`() async throws {
    try await withDirectory { directory in
      let service = try Service(directory: directory, welcome: "Hello", owner: "alice", clock: VirtualClock())
      try service.open()
      #expect(Self.connections(to: directory) == 1)
      service.close()
      try service.openForMany()
      #expect(Self.connections(to: directory) > 1)
      service.close()
      #expect(Self.connections(to: directory) == 0)
    }
  }

  /// Number of this process's descriptors for the database.
  private static func connections(to directory: String) -> Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?
        .hasSuffix("\(URL(filePath: directory).lastPathComponent)/service.sqlite") == true
    }
  }
}
