import GRDB

/// The number of cached rows by timeline and range of positions, so that the rows above a row are counted without
/// reading them. Triggers update the numbers. Added in version 8.
enum RowCounts {
  /// Binary logarithm of the positions in a range. About 1000 rows, see ``CachedTimeline``.
  private static let rangeBits = 46

  /// Creates the table and counts the rows of an existing file.
  static func add(to database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE row_count (
          timeline TEXT NOT NULL,
          range INTEGER NOT NULL,
          rows INTEGER NOT NULL,
          PRIMARY KEY (timeline, range)
        ) WITHOUT ROWID;
        INSERT INTO row_count SELECT timeline, position >> \(rangeBits), count(*) FROM row GROUP BY 1, 2;
        CREATE TRIGGER row_added AFTER INSERT ON row BEGIN \(adding) END;
        CREATE TRIGGER row_removed AFTER DELETE ON row BEGIN \(removing) END;
        CREATE TRIGGER row_moved AFTER UPDATE OF timeline, position ON row BEGIN \(removing) \(adding) END;
        """)
  }

  private static let adding = """
    INSERT INTO row_count VALUES (new.timeline, new.position >> \(rangeBits), 1)
      ON CONFLICT (timeline, range) DO UPDATE SET rows = rows + 1;
    """
  private static let removing = """
    UPDATE row_count SET rows = rows - 1 WHERE timeline = old.timeline AND range = old.position >> \(rangeBits);
    DELETE FROM row_count WHERE timeline = old.timeline AND range = old.position >> \(rangeBits) AND rows < 1;
    """

  /// Returns the number of rows of a timeline above a position.
  static func count(above position: Int, of timeline: String, in database: Database) throws -> Int {
    let range = position >> rangeBits
    let statement = try database.cachedStatement(
      sql: """
        SELECT CAST(
          (SELECT total(rows) FROM row_count WHERE timeline = ?1 AND range > ?2)
          + (SELECT count(*) FROM row WHERE timeline = ?1 AND position > ?3 AND position < ?4) AS INTEGER)
        """)
    // Negative positions are below the position 0.
    let end = (range + 1) << rangeBits
    return try Int.fetchOne(statement, arguments: [timeline, range, position, end]) ?? 0
  }
}
