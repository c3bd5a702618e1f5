import GRDB

/// The tables for searching the cache, added in version 6.
enum SearchSchema {
  /// Tables that search requires, for a check of the schema.
  static let tables = ["words", "unindexed", "backlog"]

  /// Adds the search tables to a file, and queues all content for indexing.
  ///
  /// Triggers record changed qwinks, including changes by other programs, and ``SearchIndexing`` indexes them later.
  /// Saving a page is therefore as fast as without an index, and works even if the index is corrupt.
  static func add(to database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE unindexed (qwink TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE backlog (content TEXT PRIMARY KEY, below INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX message_id ON message (id);
        \(triggers(on: "qwink", id: "original"))
        \(triggers(on: "message", id: "id"))
        """)
    try addIndex(to: database)
  }

  /// Discards the index, so that everything is indexed again.
  static func rebuildIndex(in database: Database) throws {
    // Dropping `words` first also drops its triggers, which would otherwise use the corrupt index.
    try database.execute(sql: "DROP TABLE words; DROP TABLE word_index; DELETE FROM unindexed; DELETE FROM backlog;")
    try addIndex(to: database)
  }

  /// Throws a corruption error if the index is corrupt or doesn't match the `words` table.
  static func check(_ database: Database) throws {
    try database.execute(sql: "INSERT INTO word_index (word_index, rank) VALUES ('integrity-check', 1)")
  }

  /// Returns whether the index, if any, can be read completely and covers all rows. Doesn't change the file.
  static func isReadable(_ database: Database) throws -> Bool {
    guard try database.tableExists("word_index") else { return true }
    do {
      try database.execute(sql: "CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'word_index', 'row')")
      _ = try Int.fetchOne(database, sql: "SELECT sum(cnt) FROM temp.terms")
      return try Bool.fetchOne(
        database, sql: "SELECT (SELECT count(*) FROM words) = (SELECT count(*) FROM word_index_docsize)") ?? false
    } catch  where CacheDatabase.isDamage(error) {
      return false
    }
  }

  /// Creates the table of searchable text and its index. FTS5 needs the indexed text to remove a row, so the text is
  /// stored in `words`. The index itself has no second copy of the text and no prefix indexes. This way, search
  /// enlarges the file by only a quarter.
  ///
  /// `id` increases with the time of writing, so the newest qwinks are found first without sorting.
  private static func addIndex(to database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE words (
          id INTEGER PRIMARY KEY,
          qwink TEXT NOT NULL UNIQUE,
          author TEXT NOT NULL,
          name TEXT NOT NULL,
          tags TEXT NOT NULL,
          text TEXT NOT NULL
        );
        CREATE VIRTUAL TABLE word_index USING fts5(
          name, tags, text, content = 'words', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2"
        );
        CREATE TRIGGER words_added AFTER INSERT ON words BEGIN \(indexing("new")) END;
        CREATE TRIGGER words_removed AFTER DELETE ON words BEGIN \(forgetting("old")) END;
        CREATE TRIGGER words_changed AFTER UPDATE ON words BEGIN \(forgetting("old")) \(indexing("new")) END;
        INSERT INTO backlog (content, below) SELECT 'qwink', rowid + 1 FROM qwink ORDER BY rowid DESC LIMIT 1;
        INSERT INTO backlog (content, below) SELECT 'message', rowid + 1 FROM message ORDER BY rowid DESC LIMIT 1;
        """)
  }

  private static func indexing(_ row: String) -> String {
    "INSERT INTO word_index (rowid, name, tags, text) VALUES (\(row).id, \(row).name, \(row).tags, \(row).text);"
  }

  private static func forgetting(_ row: String) -> String {
    """
    INSERT INTO word_index (word_index, rowid, name, tags, text)
      VALUES ('delete', \(row).id, \(row).name, \(row).tags, \(row).text);
    """
  }

  private static func triggers(on table: String, id: String) -> String {
    """
    CREATE TRIGGER \(table)_added AFTER INSERT ON \(table) BEGIN \(noting("new.\(id)")) END;
    CREATE TRIGGER \(table)_removed AFTER DELETE ON \(table) BEGIN \(noting("old.\(id)")) END;
    CREATE TRIGGER \(table)_changed AFTER UPDATE ON \(table)
    WHEN old.source IS NOT new.source OR old.\(id) IS NOT new.\(id)
    BEGIN \(noting("old.\(id)")) \(noting("new.\(id)")) END;
    """
  }

  /// Returns the statement that queues a qwink for indexing. It isn't INSERT OR IGNORE: in a trigger, the outer
  /// statement's conflict clause would override it.
  private static func noting(_ id: String) -> String {
    "INSERT INTO unindexed SELECT \(id) WHERE \(id) NOT IN (SELECT qwink FROM unindexed);"
  }
}
