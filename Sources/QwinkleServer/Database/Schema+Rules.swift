extension Schema {
  /// Adds the rules that a report cites: a JSON array of their texts at the time of the report.
  static let rules = "ALTER TABLE reports ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';"
}
