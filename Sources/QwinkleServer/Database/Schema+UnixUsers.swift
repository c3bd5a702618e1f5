extension Schema {
  /// Adds the accounts of users of this host, who use the service through a Unix socket. `name` is the user's name when
  /// the account was added; the system can rename its users and reuse their names.
  static let unixUsers = """
    CREATE TABLE unix_users (
      uid INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
      name TEXT
    );
    """
}
