import GRDB

/// Content for a service's database: people who take turns posting, and reply to each other.
struct ServiceContent {
  let posts: Int
  let people: Int

  private static let firstID: Int64 = 1_000_000_000_000
  /// Ids of a post and a person that the content always includes.
  static let ids = (status: firstID + 500, account: firstID + 7)

  /// Adds the content to a new database in `directory`. The service's owner, who already exists, follows the first
  /// hundred people.
  func fill(_ directory: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // Replaces the service's own function, which normalizes words of all scripts. The words of this content need no
      // normalization.
      db.add(
        function: DatabaseFunction("search_text", argumentCount: nil, pure: true) { values in
          values.compactMap { String.fromDatabaseValue($0) }.joined(separator: " ")
        })
    }
    let file = try DatabaseQueue(path: "\(directory)/service.sqlite", configuration: configuration)
    defer { try? file.close() }
    let first = Self.firstID
    try file.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
      try db.inTransaction {
        try db.execute(
          sql: """
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(people))
            INSERT INTO accounts (id, name, display_name, note, created_at, statuses_count)
            SELECT \(first) + i, 'people' || i, 'Person ' || i, 'I grow basil.', 1700000000000 + i, \(posts / people)
            FROM n;
            INSERT INTO follows (account_id, target_id, created_at, id)
            SELECT (SELECT id FROM accounts WHERE name = 'bench'), id, 1700000000000, id FROM accounts
            WHERE id BETWEEN \(first) AND \(first) + 99;
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(posts))
            INSERT INTO statuses
              (id, account_id, created_at, visibility, in_reply_to_id, in_reply_to_account_id, source, warning, language)
            SELECT \(first) + i, \(first) + i % \(people), 1700000000000 + i * 1000, 0,
              iif(i % 5 = 4, \(first) + i - 1, NULL), iif(i % 5 = 4, \(first) + (i - 1) % \(people), NULL),
              'Post ' || i || ': the ' || iif(i % 50 = 0, 'basil', 'chard') || ' survives the winter under glass, and '
                || 'every visitor may take some. See https://example.org/' || i || ' #garden', '', 'en'
            FROM n;
            INSERT INTO status_tags (tag, status_id, account_id, is_public)
              SELECT 'garden', id, account_id, visibility = 0 FROM statuses;
            UPDATE counters SET value = \(first) + \(posts) + \(people) WHERE name = 'last_id';
            """)
        return .commit
      }
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
