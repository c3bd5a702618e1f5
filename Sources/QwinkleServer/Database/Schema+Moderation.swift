extension Schema {
  /// Adds moderation: operators, limited accounts, stored rules, warnings to users, resolved reports, notifications of
  /// reports and warnings, and the audit log.
  ///
  /// The audit log has names instead of references, so that its rows outlast deleted accounts. `AUTOINCREMENT` prevents
  /// a new rule from getting the id of a removed one, which the audit log may cite.
  static let moderation = """
    CREATE TABLE roles (
      account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      role TEXT NOT NULL
    );

    CREATE TABLE limited_accounts (
      account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    );

    CREATE TABLE rules (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      text TEXT NOT NULL
    );

    CREATE TABLE warnings (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      action TEXT NOT NULL,
      text TEXT NOT NULL,
      statuses TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE INDEX warnings_account ON warnings (account_id, id);

    ALTER TABLE reports ADD COLUMN resolved_at INTEGER;
    ALTER TABLE reports ADD COLUMN resolved_by TEXT NOT NULL DEFAULT '';
    ALTER TABLE reports ADD COLUMN note TEXT NOT NULL DEFAULT '';

    ALTER TABLE notices ADD COLUMN report_id INTEGER REFERENCES reports ON DELETE CASCADE;
    ALTER TABLE notices ADD COLUMN warning_id INTEGER REFERENCES warnings ON DELETE CASCADE;
    CREATE INDEX notices_report ON notices (report_id) WHERE report_id IS NOT NULL;
    CREATE INDEX notices_warning ON notices (warning_id) WHERE warning_id IS NOT NULL;
    DROP INDEX notices_once;
    CREATE UNIQUE INDEX notices_once ON notices
      (account_id, kind, actor_id, coalesce(status_id, 0), coalesce(report_id, warning_id, 0));

    CREATE TABLE audit_log (
      id INTEGER PRIMARY KEY,
      created_at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      uid INTEGER,
      sudo_uid INTEGER,
      sudo_name TEXT,
      action TEXT NOT NULL,
      account TEXT,
      object TEXT,
      reason TEXT NOT NULL
    );
    """

  /// Adds an index of the audit log by operator, because each operator has a maximum number of entries.
  static let auditIndex = "CREATE INDEX audit_log_actor ON audit_log (actor, uid, sudo_uid, id);"
}
