import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Rule/>
enum RuleEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> ServerRule {
    ServerRule(id: try fields.requiredID("id"), text: fields.line("text"), hint: fields.line("hint"))
  }

  static func write(_ rules: [ServerRule], to writer: inout JSONWriter) {
    writer.array(rules) { writer, rule in
      writer.object { writer in
        writer.field("id", rule.id.rawValue)
        writer.field("text", rule.text)
        writer.field("hint", rule.hint)
      }
    }
  }
}
