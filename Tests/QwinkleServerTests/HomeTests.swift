import GRDB
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Home timelines on a server where most posts are by accounts that the reader doesn't follow.
@Suite(.bounded) struct HomeTests {
  private struct Post {
    let id: Int64
    let author: String
    let visibility: Int64
  }

  /// Compares random pages with a filter over all posts. Followed posts may be recent or much older.
  @Test(arguments: [1, 3, 30], [Soak.seed])
  func `every home page contains the newest followed posts`(followed: Int, seed: UInt64) async throws {
    try await withService { harness in
      let names = (0..<30).map { "person\($0)" }
      for name in names { _ = try harness.service.addQwinker(named: name) }
      let token = try harness.service.addQwinker(named: "reader")
      for name in names.prefix(followed) { try harness.follow(name, by: "reader") }
      let ids = try harness.service.write { session in try session.accountIDs(named: names) }
      var generator = SplitMix(seed: seed &+ UInt64(followed))
      let posts = (1...1_500).map { number in
        Post(
          id: Int64(number * 10), author: names.randomElement(using: &generator) ?? "",
          visibility: number.isMultiple(of: 5) ? VisibilityCode.direct : VisibilityCode.public)
      }
      try harness.service.write { session in
        for post in posts {
          let author = try #require(ids[post.author])
          try session.run(
            """
            INSERT INTO statuses (id, account_id, created_at, visibility, source, warning)
            VALUES (?, ?, ?, ?, 'x', '')
            """, [post.id, author, post.id, post.visibility])
        }
      }
      let shown: [Int64] = posts.filter {
        names.prefix(followed).contains($0.author) && $0.visibility == VisibilityCode.public
      }.map(\.id).reversed()
      for _ in 0..<40 {
        let limit = Int.random(in: 1...40, using: &generator)
        let before = Int64.random(in: 1...16_000, using: &generator)
        let after = Int64.random(in: 0...16_000, using: &generator)
        let expected: ArraySlice<Int64>
        var query = "limit=\(limit)"
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: expected = shown.prefix(limit)
        case 1:
          query += "&max_id=\(before)"
          expected = shown.filter { $0 < before }.prefix(limit)
        case 2:
          query += "&max_id=\(before)&since_id=\(after)"
          expected = shown.filter { $0 < before && $0 > after }.prefix(limit)
        default:
          query += "&min_id=\(after)"
          expected = shown.filter { $0 > after }.suffix(limit)
        }
        let page = try await harness.page("/api/v1/timelines/home?\(query)", token: token)
        #expect(page.items.map(\.id) == expected.map { Qwink.ID("\($0)") }, "\(query)")
      }
    }
  }
}
