import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

@Suite(.bounded) struct PagingTests {
  /// Follows the pages in one direction to the end.
  @concurrent
  private func walk(
    _ harness: Harness, from target: String, token: String?, along way: @Sendable (Page<Qwink>) -> PageCursor?
  ) async throws -> [[Qwink.ID]] {
    var pages: [[Qwink.ID]] = []
    var next: String? = target
    while let target = next, pages.count < 100 {
      let page = try await harness.page(target, token: token)
      if page.items.isEmpty { break }
      pages.append(page.items.map(\.id))
      next = way(page)?.url
    }
    return pages
  }

  @Test(arguments: Front.allCases, ["public", "home", "tag/walk", "account"])
  func `pages in both directions contain every qwink once`(_ front: Front, _ list: String) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      var ids: [Qwink.ID] = []
      var path = "/api/v1/timelines/\(list)"
      for number in 0..<23 {
        let qwink = try await harness.post("\(number) #walk", token: token)
        ids.insert(qwink.id, at: 0)
        if list == "account" { path = "/api/v1/accounts/\(qwink.author.id)/statuses" }
      }
      let down = try await walk(harness, from: path + "?limit=5&local=true", token: token, along: { $0.older })
      #expect(down.flatMap { $0 } == ids)
      #expect(down.map(\.count) == [5, 5, 5, 5, 3])

      let last = try #require(ids.last)
      let up = try await walk(harness, from: path + "?limit=5&min_id=\(last)", token: token, along: { $0.newer })
      #expect(up.reversed().flatMap { $0 } == ids.dropLast())
      #expect(up.map(\.count) == [5, 5, 5, 5, 2])
      #expect(up[0] == Array(ids.dropLast().suffix(5)))
    }
  }

  @Test(arguments: Front.allCases)
  func `page links are absolute and keep parameters until the list ends`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      var ids: [Qwink.ID] = []
      for number in 0..<4 { ids.append(try await harness.post("\(number)", token: token).id) }
      let page = try await harness.page("/api/v1/timelines/public?limit=2&local=true&max_id=\(ids[3])")
      let base = "http://\(harness.authority)/api/v1/timelines/public?limit=2&local=true"
      #expect(page.items.map(\.id) == [ids[2], ids[1]])
      #expect(page.older?.url == "\(base)&max_id=\(ids[1])")
      #expect(page.newer?.url == "\(base)&min_id=\(ids[2])")
      let whole = try await harness.page("/api/v1/timelines/public?limit=4")
      #expect(whole.older == nil)
      #expect(whole.newer != nil)
      let empty = try await harness.page("/api/v1/timelines/public?max_id=\(ids[0])")
      #expect(empty.items.isEmpty && empty.older == nil && empty.newer == nil)
    }
  }

  @Test func `since_id returns the newest qwinks and min_id the next ones`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      var ids: [Qwink.ID] = []
      for number in 0..<6 { ids.append(try await harness.post("\(number)", token: token).id) }
      let since = try await harness.page("/api/v1/timelines/public?limit=2&since_id=\(ids[0])")
      #expect(since.items.map(\.id) == [ids[5], ids[4]])
      let next = try await harness.page("/api/v1/timelines/public?limit=2&min_id=\(ids[0])")
      #expect(next.items.map(\.id) == [ids[2], ids[1]])
      #expect(next.older?.url.hasSuffix("max_id=\(ids[1])") == true)
    }
  }

  @Test func `an invalid limit is replaced with a valid one`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      for number in 0..<45 { try await harness.post("\(number)", token: token) }
      for (limit, count) in [("", 20), ("?limit=0", 20), ("?limit=-3", 20), ("?limit=x", 20), ("?limit=400", 40)] {
        #expect(try await harness.page("/api/v1/timelines/public\(limit)").items.count == count)
      }
    }
  }

  @Test func `the context of a thread with many long posts is truncated`() async throws {
    try await withService { harness in
      let token = try harness.people("anna")[0]
      // Each hashtag becomes a link.
      let text = (0..<90).map { "#t\($0)" }.joined(separator: " ")
      let root = try harness.service.write { session in
        let anna = try #require(try session.accountID(named: "anna"))
        let root = try session.addStatus(NewStatus(account: anna, source: "root"))
        for _ in 0..<250 {
          _ = try session.addStatus(NewStatus(account: anna, source: text, parent: (id: root, account: anna)))
        }
        return root
      }
      let answer = try await harness.get("/api/v1/statuses/\(root)/context", token: token)
      let context = try WireDecoder.thread(from: answer.body)
      #expect((100..<250).contains(context.descendants.count))
      #expect(answer.body.count <= 4 << 20)
    }
  }
}
