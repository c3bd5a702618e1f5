extension Schema {
  /// Adds whether a qwink is sensitive. Existing qwinks become sensitive if they have a content warning.
  static let sensitivity = """
    ALTER TABLE statuses ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE status_versions ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;
    UPDATE statuses SET sensitive = 1 WHERE warning <> '';
    UPDATE status_versions SET sensitive = 1 WHERE warning <> '';
    """
}
