import QwinkleModel

/// <https://docs.joinmastodon.org/entities/QuoteApproval/>
enum QuoteApprovalEntity: WireEntity {
  private static let groups: KeyValuePairs<String, QuoteApproval.Groups> = [
    "public": .public, "followers": .followers, "following": .following, "unsupported_policy": .other,
  ]

  /// Decodes the rules. Unknown groups map to ``QuoteApproval/Groups/other``, and an unknown or missing effect to
  /// ``QuoteApproval/Effect/unknown``.
  static func read(_ fields: WireFields) -> QuoteApproval {
    QuoteApproval(
      automatic: read(fields.list("automatic", of: String.self)), manual: read(fields.list("manual", of: String.self)),
      effect: QuoteApproval.Effect(rawValue: fields.text("current_user")) ?? .unknown)
  }

  private static func read(_ names: [String]) -> QuoteApproval.Groups {
    names.reduce(into: []) { found, name in found.formUnion(groups.first { $0.key == name }?.value ?? .other) }
  }

  static func write(_ approval: QuoteApproval, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("automatic", names(of: approval.automatic)) { $0.string($1) }
      writer.field("manual", names(of: approval.manual)) { $0.string($1) }
      writer.field("current_user", approval.effect.rawValue)
    }
  }

  private static func names(of set: QuoteApproval.Groups) -> [String] {
    groups.filter { set.contains($0.value) }.map(\.key)
  }
}
