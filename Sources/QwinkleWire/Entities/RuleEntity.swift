/// <https://docs.joinmastodon.org/entities/Rule/>
enum RuleEntity {
  /// An array of rules, whose ids are their numbers from 1.
  static func write(_ rules: [String], to writer: inout JSONWriter) {
    writer.array(Array(rules.enumerated())) { writer, rule in
      writer.object { writer in
        writer.field("id", String(rule.offset + 1))
        writer.field("text", rule.element)
        writer.field("hint", "")
      }
    }
  }
}
