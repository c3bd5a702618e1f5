extension Schema {
  /// Adds passwords, and the codes that apps exchange for tokens.
  static let signIn = """
    CREATE TABLE passwords (
      account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      hash TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    );

    CREATE TABLE codes (
      hash TEXT PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      app_id INTEGER NOT NULL REFERENCES apps ON DELETE CASCADE,
      redirect_uri TEXT NOT NULL,
      scopes TEXT NOT NULL,
      challenge TEXT,
      created_at INTEGER NOT NULL,
      used INTEGER NOT NULL DEFAULT 0,
      token_hash TEXT
    ) WITHOUT ROWID;
    CREATE INDEX codes_age ON codes (created_at);
    CREATE INDEX codes_account ON codes (account_id);
    CREATE INDEX codes_app ON codes (app_id);
    """
}
