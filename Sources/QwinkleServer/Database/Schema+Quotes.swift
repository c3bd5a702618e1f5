extension Schema {
  /// Adds quotes and the policies that decide who may quote.
  ///
  /// `quoted_id` isn't a foreign key, so that a quote of a deleted status is still known to be a quote. Ids are never
  /// used twice. Posts from before this migration can be quoted only by their author, who wasn't asked. `quotes_count`
  /// counts public and unlisted quotes that weren't revoked.
  static let quotes = """
    ALTER TABLE statuses ADD COLUMN quoted_id INTEGER;
    ALTER TABLE statuses ADD COLUMN quote_is_revoked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE statuses ADD COLUMN quote_policy INTEGER NOT NULL DEFAULT 2;
    ALTER TABLE statuses ADD COLUMN quotes_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE accounts ADD COLUMN usual_quote_policy INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX statuses_quotes ON statuses (quoted_id, id) WHERE quoted_id IS NOT NULL;

    CREATE TRIGGER statuses_quoted AFTER INSERT ON statuses WHEN \(isCounted("new")) BEGIN \(counting("new", "+")) END;
    CREATE TRIGGER statuses_unquoted AFTER DELETE ON statuses WHEN \(isCounted("old")) BEGIN \(counting("old", "-")) END;
    CREATE TRIGGER statuses_quote_revoked AFTER UPDATE OF quote_is_revoked ON statuses
      WHEN \(isCounted("old")) AND new.quote_is_revoked BEGIN \(counting("old", "-")) END;
    """

  private static func isCounted(_ row: String) -> String {
    "\(row).quoted_id IS NOT NULL AND NOT \(row).quote_is_revoked AND \(row).visibility <= \(VisibilityCode.unlisted)"
  }

  private static func counting(_ row: String, _ sign: String) -> String {
    "UPDATE statuses SET quotes_count = max(0, quotes_count \(sign) 1) WHERE id = \(row).quoted_id;"
  }
}
