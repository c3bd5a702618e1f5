extension Schema {
  /// Adds the languages of follows and follow requests: a JSON array of codes, or NULL for all languages.
  static let followLanguages = """
    ALTER TABLE follows ADD COLUMN languages TEXT;
    ALTER TABLE follow_requests ADD COLUMN languages TEXT;
    """

  /// Adds settings of profiles.
  static let profileSettings = """
    ALTER TABLE accounts ADD COLUMN is_discoverable INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE accounts ADD COLUMN is_indexable INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE accounts ADD COLUMN hides_follows INTEGER NOT NULL DEFAULT 0;
    """
}
