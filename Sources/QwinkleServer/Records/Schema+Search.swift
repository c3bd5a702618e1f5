import GRDB

extension Schema {
  /// Follows get an id, by which their lists are paged; qwinks and qwinkers are found by their words.
  ///
  /// The words stand in tables of their own, which triggers keep in step, whoever changes the text: what a trigger
  /// puts there goes through `search_text` (see ``SearchText``). Starts of words up to five letters have an index of
  /// their own: without it, one that a thousand words share takes a tenth of a second in 100,000 qwinks.
  static let search = """
    ALTER TABLE follows ADD COLUMN id INTEGER NOT NULL DEFAULT 0;
    UPDATE follows SET id = numbered.number FROM
      (SELECT account_id, target_id, row_number() OVER (ORDER BY created_at, account_id, target_id) AS number
       FROM follows) AS numbered
      WHERE follows.account_id = numbered.account_id AND follows.target_id = numbered.target_id;
    CREATE INDEX follows_of_account ON follows (account_id, id);
    CREATE INDEX follows_of_target ON follows (target_id, id);
    DROP INDEX follows_target;

    CREATE VIRTUAL TABLE statuses_text USING fts5(
      text, tokenize = "unicode61 remove_diacritics 2", prefix = '1 2 3 4 5');
    INSERT INTO statuses_text (rowid, text) SELECT id, search_text(warning, source) FROM statuses;
    CREATE TRIGGER statuses_text_added AFTER INSERT ON statuses BEGIN
      INSERT INTO statuses_text (rowid, text) VALUES (new.id, search_text(new.warning, new.source));
    END;
    CREATE TRIGGER statuses_text_changed AFTER UPDATE OF warning, source ON statuses BEGIN
      UPDATE statuses_text SET text = search_text(new.warning, new.source) WHERE rowid = new.id;
    END;
    CREATE TRIGGER statuses_text_removed AFTER DELETE ON statuses BEGIN
      DELETE FROM statuses_text WHERE rowid = old.id;
    END;

    CREATE VIRTUAL TABLE accounts_text USING fts5(
      text, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '1 2 3');
    INSERT INTO accounts_text (rowid, text) SELECT id, search_text(name, display_name) FROM accounts;
    CREATE TRIGGER accounts_text_added AFTER INSERT ON accounts BEGIN
      INSERT INTO accounts_text (rowid, text) VALUES (new.id, search_text(new.name, new.display_name));
    END;
    CREATE TRIGGER accounts_text_changed AFTER UPDATE OF name, display_name ON accounts BEGIN
      UPDATE accounts_text SET text = search_text(new.name, new.display_name) WHERE rowid = new.id;
    END;
    CREATE TRIGGER accounts_text_removed AFTER DELETE ON accounts BEGIN
      DELETE FROM accounts_text WHERE rowid = old.id;
    END;
    """
}
