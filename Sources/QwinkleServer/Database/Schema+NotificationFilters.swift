extension Schema {
  /// Adds filtered notifications: the accounts' policies, the flag of a filtered notification, the requests that list
  /// their senders, and the senders whose requests were accepted.
  static let notificationFilters = """
    CREATE TABLE notification_policies (
      account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      rules TEXT NOT NULL
    );

    ALTER TABLE notices ADD COLUMN is_filtered INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX notices_filtered ON notices (account_id, actor_id, id) WHERE is_filtered;

    CREATE TABLE notification_requests (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      actor_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX notification_requests_once ON notification_requests (account_id, actor_id);
    CREATE INDEX notification_requests_account ON notification_requests (account_id, id);
    CREATE INDEX notification_requests_actor ON notification_requests (actor_id);

    CREATE TABLE notification_permissions (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      actor_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      PRIMARY KEY (account_id, actor_id)
    ) WITHOUT ROWID;
    CREATE INDEX notification_permissions_actor ON notification_permissions (actor_id);
    """
}
