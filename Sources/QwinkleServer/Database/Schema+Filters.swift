extension Schema {
  /// Adds filters: the keywords and qwinks that an account hides or puts behind a warning.
  static let filters = """
    CREATE TABLE filters (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      title TEXT NOT NULL,
      contexts TEXT NOT NULL,
      hides INTEGER NOT NULL,
      expires_at INTEGER
    );
    CREATE INDEX filters_account ON filters (account_id, id);
    CREATE TABLE filter_keywords (
      id INTEGER PRIMARY KEY,
      filter_id INTEGER NOT NULL REFERENCES filters ON DELETE CASCADE,
      keyword TEXT NOT NULL,
      is_whole INTEGER NOT NULL
    );
    CREATE INDEX filter_keywords_filter ON filter_keywords (filter_id, id);
    CREATE TABLE filter_statuses (
      id INTEGER PRIMARY KEY,
      filter_id INTEGER NOT NULL REFERENCES filters ON DELETE CASCADE,
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX filter_statuses_once ON filter_statuses (filter_id, status_id);
    CREATE INDEX filter_statuses_status ON filter_statuses (status_id);
    """
}
