extension Schema {
  /// Whether a qwink is sensitive. So far only those with a content warning were.
  static let sensitivity = """
    ALTER TABLE statuses ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE status_versions ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;
    UPDATE statuses SET sensitive = 1 WHERE warning <> '';
    UPDATE status_versions SET sensitive = 1 WHERE warning <> '';
    """
}
