extension Schema {
  /// The rules that a report names, as they were then: a JSON list of texts.
  static let rules = "ALTER TABLE reports ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';"
}
