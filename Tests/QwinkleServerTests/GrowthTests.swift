import GRDB
import QwinkleModel
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Requests whose work must not grow with the content of the file.
@Suite(.bounded) struct GrowthTests {
  private static let day: Int64 = 86_400_000
  private static let operations: [(name: String, run: @Sendable (Transaction) throws -> Void)] = [
    ("featured tags", { try #expect($0.featuredTags(of: 1).map(\.qwinksCount).min() == 1) }),
    ("public statistics", { try #expect($0.publicStats().posts > 0) }),
    ("group of follows", { try #expect($0.told($0.notificationGroup("follow-3")).count == 10) }),
    ("group of favourites", { try #expect($0.told($0.notificationGroup("favourite-1000001-3")).count == 10) }),
    (
      "posts with a tag", { try #expect($0.page(of: .account(1, tag: "tea"), PageRequest(limit: 20)).items.count == 1) }
    ),
    (
      "search of one author's posts",
      { try #expect($0.statuses(found: "common", Portion(limit: 20, offset: 0), in: .init(), by: 2).count == 1) }
    ),
  ]

  /// Account 1 has all posts but one, and a notification of each follower and of each favourite, ten a day.
  private func fill(_ db: Database, _ count: Int) throws {
    try db.execute(
      sql: """
        INSERT INTO accounts (id, name, display_name, created_at, statuses_count, last_status_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        SELECT i, 'a' || i, '', 0, 1, i % 10 * \(Self.day) FROM n;
        INSERT INTO statuses (id, account_id, created_at, visibility, source, warning)
        SELECT 1000000 + id, iif(id = 2, 2, 1), id, 0, 'A common text', '' FROM accounts;
        INSERT INTO status_tags SELECT iif(account_id = 1 AND id = 1000001, 'tea', 'garden'), id, account_id, 1
        FROM statuses;
        INSERT INTO featured_tags (id, account_id, tag, name) VALUES (1, 1, 'garden', 'garden'), (2, 1, 'tea', 'tea');
        INSERT INTO notices (id, account_id, kind, actor_id, status_id, created_at)
        SELECT 2 * id, 1, 'follow', id, NULL, id / 10 * \(Self.day) FROM accounts WHERE id > 9
        UNION ALL SELECT 2 * id + 1, 1, 'favourite', id, 1000001, id / 10 * \(Self.day) FROM accounts WHERE id > 9;
        """)
  }

  @Test func `a request takes the same work with more posts, accounts and notifications`() async throws {
    try await withService { small in
      try await withService { large in
        let harnesses = [2000: small, 8000: large]
        for (count, harness) in harnesses { try harness.service.write { try fill($0.db, count) } }
        for (name, run) in Self.operations {
          let growth = try Effort.growth(from: 2000, below: 2, prepare: { try #require(harnesses[$0]) }) { harness in
            try harness.service.write { session in
              let session = session.viewed(by: 1)
              for _ in 0..<10 { try run(session) }
            }
          }
          #expect(growth < 2, "\(name)")
        }
      }
    }
  }
}
