extension Schema {
  /// Adds columns, counts and indexes for requests that would otherwise read all posts or notifications of an account.
  static let counts = """
    \(notificationIndexes)
    \(tagAuthors)
    \(accountDays)
    """

  /// SQL for the day of a notification `n`: the period of its group. A number in the text, not an argument, so that
  /// SQLite finds the index on the expression.
  static let notificationDay = "created_at / \(NotificationGroupKey.dayInMilliseconds)"

  private static let notificationIndexes = """
    CREATE INDEX notices_groups ON notices (account_id, kind, status_id, \(notificationDay));
    DROP INDEX notices_actor;
    CREATE INDEX notices_actor ON notices (actor_id, account_id, id);
    """

  /// Adds the author and the audience of a post to its tags, and the number of public posts with a featured tag. The
  /// author and the audience of a post never change.
  private static let tagAuthors = """
    ALTER TABLE status_tags ADD COLUMN account_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE status_tags ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0;
    UPDATE status_tags SET account_id = s.account_id, is_public = s.visibility = 0
      FROM statuses s WHERE s.id = status_id;
    CREATE INDEX status_tags_account ON status_tags (account_id, tag, status_id, is_public);

    ALTER TABLE featured_tags ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
    UPDATE featured_tags SET uses = \(uses("featured_tags"));
    CREATE TRIGGER featured_tags_counted AFTER INSERT ON featured_tags BEGIN
      UPDATE featured_tags SET uses = \(uses("new")) WHERE id = new.id;
    END;
    CREATE TRIGGER featured_tags_used AFTER INSERT ON status_tags WHEN new.is_public BEGIN
      UPDATE featured_tags SET uses = uses + 1 WHERE account_id = new.account_id AND tag = new.tag;
    END;
    CREATE TRIGGER featured_tags_unused AFTER DELETE ON status_tags WHEN old.is_public BEGIN
      UPDATE featured_tags SET uses = max(0, uses - 1) WHERE account_id = old.account_id AND tag = old.tag;
    END;
    """

  private static func uses(_ featured: String) -> String {
    """
    (SELECT count(*) FROM status_tags t
      WHERE t.account_id = \(featured).account_id AND t.tag = \(featured).tag AND t.is_public)
    """
  }

  /// Adds the number of accounts, and of their posts, by the day of the account's last post (0: none). Suspended
  /// accounts aren't counted.
  private static let accountDays = """
    CREATE TABLE account_days (day INTEGER PRIMARY KEY, accounts INTEGER NOT NULL, posts INTEGER NOT NULL);
    INSERT INTO account_days SELECT \(day(of: "accounts")), count(*), sum(statuses_count) FROM accounts
      WHERE id NOT IN (SELECT account_id FROM suspensions) GROUP BY 1;
    CREATE TRIGGER accounts_counted AFTER INSERT ON accounts BEGIN \(adding("new")) END;
    CREATE TRIGGER accounts_recounted AFTER UPDATE OF statuses_count, last_status_at ON accounts
      WHEN NOT EXISTS (SELECT 1 FROM suspensions WHERE account_id = new.id)
      BEGIN \(removing("old")) \(adding("new")) END;
    CREATE TRIGGER accounts_uncounted BEFORE DELETE ON accounts
      WHEN NOT EXISTS (SELECT 1 FROM suspensions WHERE account_id = old.id)
      BEGIN \(removing("old")) END;
    CREATE TRIGGER suspensions_uncount AFTER INSERT ON suspensions BEGIN
      UPDATE account_days SET accounts = accounts - 1, posts = posts - a.statuses_count
        FROM accounts a WHERE a.id = new.account_id AND day = \(day(of: "a"));
    END;
    CREATE TRIGGER suspensions_recount AFTER DELETE ON suspensions BEGIN
      INSERT INTO account_days
        SELECT \(day(of: "accounts")), 1, statuses_count FROM accounts WHERE id = old.account_id
        ON CONFLICT (day) DO UPDATE SET accounts = accounts + 1, posts = posts + excluded.posts;
    END;
    """

  /// SQL for the day of an account's last post. A malformed time counts as none.
  private static func day(of account: String) -> String {
    "CAST(coalesce(\(account).last_status_at, 0) AS INTEGER) / 86400000"
  }

  private static func adding(_ account: String) -> String {
    """
    INSERT INTO account_days VALUES (\(day(of: account)), 1, \(account).statuses_count)
      ON CONFLICT (day) DO UPDATE SET accounts = accounts + 1, posts = posts + excluded.posts;
    """
  }

  private static func removing(_ account: String) -> String {
    """
    UPDATE account_days SET accounts = accounts - 1, posts = posts - \(account).statuses_count
      WHERE day = \(day(of: account));
    """
  }
}
