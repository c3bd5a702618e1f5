extension Schema {
  /// Adds the bytes that each account uses: of its pictures' files, and of its rows in the database.
  ///
  /// Triggers update the numbers, so that every change counts, also a deletion by a foreign key. The `text_bytes` of a
  /// status include its edit history and its poll, because these rows can't be assigned to an account once their status
  /// is deleted. The counter `media_bytes` is the sum of all pictures.
  static let usage = """
    CREATE TABLE usage (
      account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      media_bytes INTEGER NOT NULL DEFAULT 0,
      text_bytes INTEGER NOT NULL DEFAULT 0
    );
    ALTER TABLE statuses ADD COLUMN text_bytes INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX media_withdrawn ON media (loose_since) WHERE is_withdrawn;

    UPDATE statuses SET text_bytes = \(post("statuses"))
      + coalesce((SELECT sum(\(version("v"))) FROM status_versions v WHERE v.status_id = statuses.id), 0)
      + coalesce((SELECT sum(\(option("o"))) FROM polls p JOIN poll_options o ON o.poll_id = p.id
        WHERE p.status_id = statuses.id), 0);
    INSERT INTO usage (account_id, media_bytes, text_bytes) SELECT id, \(sum("bytes", of: "media")),
      \(sum("text_bytes", of: "statuses"))
      \(owned.map { "+ \(sum($0.bytes("t"), of: $0.table))" }.joined(separator: "\n  "))
      FROM accounts;
    INSERT INTO counters (name, value) SELECT 'media_bytes', coalesce(sum(bytes), 0) FROM media;

    CREATE TRIGGER accounts_used AFTER INSERT ON accounts BEGIN
      INSERT INTO usage (account_id) VALUES (new.id);
    END;
    \(statusTriggers)
    \(mediaTriggers)
    \(owned.map(triggers).joined(separator: "\n"))
    """

  /// Bytes of a post's row and index entries in the file. Measured with posts of 20 characters.
  private static let postBytes = 1000
  /// Bytes in the file for each byte of a post's text. The search index stores each word with ten prefixes: measured 10
  /// to 25 times the text.
  private static let indexedBytes = 20
  /// Bytes of any other row with its index entries.
  private static let rowBytes = 300

  /// A table whose rows belong to an account, and SQL for the bytes of its row `row`.
  private struct Owned {
    var table: String
    /// The column that contains a text, if any.
    var text: String?
    /// Bytes in the file for each byte of the text.
    var factor = 1
    /// Bytes of a row without its text.
    var fixed = Schema.rowBytes

    func bytes(_ row: String) -> String {
      guard let text else { return "\(fixed)" }
      return "(\(fixed) + \(factor) * \(Schema.length("\(row).\(text)")))"
    }
  }

  private static let owned = [
    // As many as the post has later, so that its publication doesn't exceed a limit.
    Owned(table: "scheduled", text: "entry", factor: indexedBytes, fixed: postBytes),
    Owned(table: "media", text: "description"), Owned(table: "favourites"), Owned(table: "bookmarks"),
  ]

  private static func length(_ text: String) -> String { "length(CAST(\(text) AS BLOB))" }

  private static func post(_ row: String) -> String {
    "(\(postBytes) + \(indexedBytes) * (\(length("\(row).source")) + \(length("\(row).warning"))))"
  }

  private static func version(_ row: String) -> String {
    "(\(rowBytes) + \(["source", "warning", "media"].map { length("\(row).\($0)") }.joined(separator: " + ")))"
  }

  private static func option(_ row: String) -> String { "(\(rowBytes) + \(length("\(row).title")))" }

  private static func sum(_ bytes: String, of table: String) -> String {
    "coalesce((SELECT sum(\(bytes)) FROM \(table) t WHERE t.account_id = accounts.id), 0)"
  }

  private static let statusTriggers = """
    CREATE TRIGGER statuses_measured AFTER INSERT ON statuses BEGIN
      UPDATE statuses SET text_bytes = \(post("new")) WHERE id = new.id;
    END;
    CREATE TRIGGER statuses_remeasured AFTER UPDATE OF source, warning ON statuses BEGIN
      UPDATE statuses SET text_bytes = text_bytes - \(post("old")) + \(post("new")) WHERE id = new.id;
    END;
    CREATE TRIGGER status_versions_measured AFTER INSERT ON status_versions BEGIN
      UPDATE statuses SET text_bytes = text_bytes + \(version("new")) WHERE id = new.status_id;
    END;
    CREATE TRIGGER status_versions_removed AFTER DELETE ON status_versions BEGIN
      UPDATE statuses SET text_bytes = text_bytes - \(version("old")) WHERE id = old.status_id;
    END;
    CREATE TRIGGER poll_options_measured AFTER INSERT ON poll_options BEGIN
      UPDATE statuses SET text_bytes = text_bytes + \(option("new"))
        WHERE id = (SELECT status_id FROM polls WHERE id = new.poll_id);
    END;
    CREATE TRIGGER statuses_used AFTER UPDATE OF text_bytes ON statuses BEGIN
      \(adding("new.text_bytes - old.text_bytes", to: "text_bytes", of: "new"))
    END;
    CREATE TRIGGER statuses_unused AFTER DELETE ON statuses BEGIN
      \(adding("-old.text_bytes", to: "text_bytes", of: "old"))
    END;
    """

  private static let mediaTriggers = """
    CREATE TRIGGER media_used AFTER INSERT ON media BEGIN
      \(adding("new.bytes", to: "media_bytes", of: "new"))
      UPDATE counters SET value = value + new.bytes WHERE name = 'media_bytes';
    END;
    CREATE TRIGGER media_unused AFTER DELETE ON media BEGIN
      \(adding("-old.bytes", to: "media_bytes", of: "old"))
      UPDATE counters SET value = value - old.bytes WHERE name = 'media_bytes';
    END;
    """

  private static func triggers(of owned: Owned) -> String {
    let table = owned.table
    let change = owned.text.map { text in
      """
      CREATE TRIGGER \(table)_text_changed AFTER UPDATE OF \(text) ON \(table) BEGIN
        \(adding("\(owned.bytes("new")) - \(owned.bytes("old"))", to: "text_bytes", of: "new"))
      END;
      """
    }
    return """
      CREATE TRIGGER \(table)_measured AFTER INSERT ON \(table) BEGIN
        \(adding(owned.bytes("new"), to: "text_bytes", of: "new"))
      END;
      CREATE TRIGGER \(table)_removed AFTER DELETE ON \(table) BEGIN
        \(adding("-\(owned.bytes("old"))", to: "text_bytes", of: "old"))
      END;
      \(change ?? "")
      """
  }

  private static func adding(_ bytes: String, to column: String, of row: String) -> String {
    "UPDATE usage SET \(column) = \(column) + (\(bytes)) WHERE account_id = \(row).account_id;"
  }
}
