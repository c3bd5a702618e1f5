import GRDB

extension Schema {
  /// Adds full-text search for qwinks and qwinkers. Also adds an id to each follow, because lists of follows are paged
  /// by these ids.
  ///
  /// Triggers update the text tables whenever a text changes. They pass the text through `search_text` (see
  /// ``SearchText``). Word prefixes are indexed, because FTS5 otherwise merges the hits of all words with a prefix
  /// before it returns the newest hits.
  static let search = """
    ALTER TABLE follows ADD COLUMN id INTEGER NOT NULL DEFAULT 0;
    UPDATE follows SET id = numbered.number FROM
      (SELECT account_id, target_id, row_number() OVER (ORDER BY created_at, account_id, target_id) AS number
       FROM follows) AS numbered
      WHERE follows.account_id = numbered.account_id AND follows.target_id = numbered.target_id;
    CREATE INDEX follows_of_account ON follows (account_id, id);
    CREATE INDEX follows_of_target ON follows (target_id, id);
    DROP INDEX follows_target;

    \(words(of: "statuses", in: statusColumns, tokens: statusTokens, starts: "1 2 3 4 5"))
    \(words(of: "accounts", in: ("name", "display_name"), tokens: accountTokens, starts: "1 2 3"))
    """

  /// Extends the index to word prefixes of up to ten letters in qwinks, which makes the index a fifth larger. Longer
  /// prefixes aren't indexed: a search for one takes a few milliseconds for each 100,000 matching qwinks.
  static let longerPrefixes = """
    DROP TABLE statuses_text;
    \(textTable(of: "statuses", in: statusColumns, tokens: statusTokens, starts: "1 2 3 4 5 6 7 8 9 10"))
    """

  /// Precedes an author's id in the index of qwinks: a private-use character, so that no search for a word meets ids.
  static let authorMark = "\u{E000}"

  /// Adds the author's id to the index of qwinks, so that a search of one author's qwinks doesn't read the hits of all
  /// authors.
  static let authors = """
    DROP TABLE statuses_text;
    CREATE VIRTUAL TABLE statuses_text USING
      fts5(text, author, tokenize = "unicode61 \(statusTokens)", prefix = '1 2 3 4 5 6 7 8 9 10');
    INSERT INTO statuses_text (rowid, text, author) 
      SELECT id, search_text(warning, source), '\(authorMark)' || account_id FROM statuses;
    DROP TRIGGER statuses_text_added;
    CREATE TRIGGER statuses_text_added AFTER INSERT ON statuses BEGIN
      INSERT INTO statuses_text (rowid, text, author)
        VALUES (new.id, search_text(new.warning, new.source), '\(authorMark)' || new.account_id);
    END;
    """

  private static let statusColumns = ("warning", "source")
  private static let statusTokens = "remove_diacritics 2"
  private static let accountTokens = "remove_diacritics 2 tokenchars '_'"

  /// SQL for the text table of two columns of `table`, and for the triggers that update it.
  private static func words(
    of table: String, in columns: (String, String), tokens: String, starts: String
  ) -> String {
    let text = "search_text(new.\(columns.0), new.\(columns.1))"
    return """
      \(textTable(of: table, in: columns, tokens: tokens, starts: starts))
      CREATE TRIGGER \(table)_text_added AFTER INSERT ON \(table) BEGIN
        INSERT INTO \(table)_text (rowid, text) VALUES (new.id, \(text));
      END;
      CREATE TRIGGER \(table)_text_changed AFTER UPDATE OF \(columns.0), \(columns.1) ON \(table) BEGIN
        UPDATE \(table)_text SET text = \(text) WHERE rowid = new.id;
      END;
      CREATE TRIGGER \(table)_text_removed AFTER DELETE ON \(table) BEGIN
        DELETE FROM \(table)_text WHERE rowid = old.id;
      END;
      """
  }

  /// SQL for the text table of two columns of `table`, and for filling it from existing rows.
  private static func textTable(
    of table: String, in columns: (String, String), tokens: String, starts: String
  ) -> String {
    """
    CREATE VIRTUAL TABLE \(table)_text USING fts5(text, tokenize = "unicode61 \(tokens)", prefix = '\(starts)');
    INSERT INTO \(table)_text (rowid, text) SELECT id, search_text(\(columns.0), \(columns.1)) FROM \(table);
    """
  }
}
