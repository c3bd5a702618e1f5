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

  /// Adds the users of this host who are barred, because their account was suspended. A row outlasts the account, so
  /// that the user gets no other one. `name` is the account's name.
  static let barredUnixUsers = """
    CREATE TABLE barred_unix_users (
      uid INTEGER PRIMARY KEY,
      name TEXT NOT NULL
    );
    INSERT INTO barred_unix_users SELECT u.uid, a.name FROM suspensions s
      JOIN unix_users u ON u.account_id = s.account_id JOIN accounts a ON a.id = s.account_id;
    """
}
