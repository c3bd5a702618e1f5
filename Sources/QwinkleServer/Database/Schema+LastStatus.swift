extension Schema {
  /// Adds the time of an account's last public or unlisted post.
  static let lastStatus = """
    ALTER TABLE accounts ADD COLUMN last_status_at INTEGER;
    UPDATE accounts SET last_status_at = latest.at FROM
      (SELECT account_id, max(created_at) AS at FROM statuses WHERE visibility <= 1 GROUP BY account_id) AS latest
      WHERE latest.account_id = accounts.id;
    """
}
