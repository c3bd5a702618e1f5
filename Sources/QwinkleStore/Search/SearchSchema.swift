import GRDB

/// The tables for searching the cache, since version 6.
enum SearchSchema {
  /// The tables that the search needs, for a check.
  static let tables = ["words", "unindexed", "backlog"]

  /// Adds the search to a file, and notes that nothing is indexed yet.
  ///
  /// Triggers note which qwinks have changed, whoever changes them. ``SearchIndexing`` follows later: a page is saved
  /// as fast as without an index, and also if the index is damaged.
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

  /// Discards the index: everything is to be indexed again.
  static func rebuildIndex(in database: Database) throws {
    // In this order: the triggers go with the words, and don't ask the damaged index to forget each.
    try database.execute(sql: "DROP TABLE words; DROP TABLE word_index; DELETE FROM unindexed; DELETE FROM backlog;")
    try addIndex(to: database)
  }

  /// Throws an error of damage if the index is damaged or doesn't have the same words as the table beside it.
  static func check(_ database: Database) throws {
    try database.execute(sql: "INSERT INTO word_index (word_index, rank) VALUES ('integrity-check', 1)")
  }

  /// Whether the index, if there is one, can be read from end to end and has all words. Changes nothing in the file.
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

  /// The words of each qwink as they are shown, and their index. An index removes what it is told that it has, so the
  /// words are stored; without prefixes and without a second copy of the text it adds a quarter to the file.
  ///
  /// `id` grows with the time of writing, so that the newest are found first and without sorting.
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

  /// The statement's own conflict clause would replace one here.
  private static func noting(_ id: String) -> String {
    "INSERT INTO unindexed SELECT \(id) WHERE \(id) NOT IN (SELECT qwink FROM unindexed);"
  }
}
