import QwinkleModel

/// <https://docs.joinmastodon.org/entities/NotificationPolicy/>
enum NotificationPolicyEntity: WireEntity {
  static let dispensableMembers: Set<String> = ["summary"]

  static func read(_ fields: WireFields) throws -> NotificationPolicy {
    var policy = NotificationPolicy()
    for group in NotificationPolicy.Group.allCases { policy.treatments[group] = treatment(of: group, in: fields) }
    if policy.treatments.isEmpty { throw MissingField(name: "for_not_following") }
    let summary = fields.object("summary")
    policy.requestsCount = summary?.count("pending_requests_count") ?? 0
    policy.notificationsCount = summary?.count("pending_notifications_count") ?? 0
    return policy
  }

  /// Returns the rule for a group. The first version of the policy has Booleans instead of words.
  private static func treatment(
    of group: NotificationPolicy.Group, in fields: WireFields
  ) -> NotificationPolicy.Treatment? {
    let name = word(of: group)
    let value = fields.line(WireKey(stringValue: "for_\(name)"))
    if !value.isEmpty { return NotificationPolicy.Treatment(value) }
    return fields.bool(WireKey(stringValue: "filter_\(name)")).map { $0 ? .filter : .accept }
  }

  static func write(_ policy: NotificationPolicy, to writer: inout JSONWriter) {
    writer.object { writer in
      writeRules(policy.treatments, to: &writer)
      writer.field("summary") { writer in
        writer.field("pending_requests_count", policy.requestsCount)
        writer.field("pending_notifications_count", policy.notificationsCount)
      }
    }
  }

  /// Writes the rules as fields of an object.
  static func writeRules(
    _ treatments: [NotificationPolicy.Group: NotificationPolicy.Treatment], to writer: inout JSONWriter
  ) {
    for group in NotificationPolicy.Group.allCases {
      if let treatment = treatments[group] { writer.field(field(of: group), treatment.name) }
    }
  }

  /// The group's name in the API, without the prefix `for_`.
  private static func word(of group: NotificationPolicy.Group) -> String {
    group.rawValue.map { $0 == "-" ? "_" : String($0) }.joined()
  }

  static func field(of group: NotificationPolicy.Group) -> StaticString {
    switch group {
    case .notFollowing: "for_not_following"
    case .notFollowers: "for_not_followers"
    case .newAccounts: "for_new_accounts"
    case .privateMentions: "for_private_mentions"
    case .limitedAccounts: "for_limited_accounts"
    case .bots: "for_bots"
    }
  }
}
