extension Schema {
  /// Adds the posts that users have imported from an archive, with their ids in the archive. A second import of the
  /// archive skips them.
  static let imports = """
    CREATE TABLE imported (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      uri TEXT NOT NULL,
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE,
      PRIMARY KEY (account_id, uri)
    ) WITHOUT ROWID;
    CREATE INDEX imported_status ON imported (status_id);
    """
}
