import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Rule/>
struct RuleEntity: WireEntity {
  let model: ServerRule

  enum CodingKeys: String, CodingKey {
    case id, text, hint
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = ServerRule(
      id: try container.requiredID(.id), text: container.line(.text), hint: container.line(.hint))
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
