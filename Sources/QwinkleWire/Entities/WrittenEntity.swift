import QwinkleModel
import SafeText

/// One of the user's own statuses that is about to be deleted and redrafted. Lists the fields that the redraft would
/// lose: nonempty fields that an ``Entry`` can't represent and that the server doesn't compute.
enum WrittenEntity: WireEntity {
  /// Fields that are decoded. They are either copied to the entry or computed by the server.
  private static let known: Set<String> = [
    "id", "account", "content", "sensitive", "visibility", "language", "url", "uri", "poll", "card", "quote",
    "mentions", "tags", "reblogged", "favourited", "bookmarked", "pinned", "filtered", "muted", "created_at",
    "quotes_count", "edited_at", "spoiler_text", "in_reply_to_id", "in_reply_to_account_id", "media_attachments",
    "replies_count",
    "reblogs_count", "favourites_count",
  ]
  /// Fields of various servers that can't be set when posting.
  private static let computed: Set<String> = [
    "reblog", "application", "emojis", "text", "quote_id", "quote_url", "reactions", "emoji_reactions",
    "emoji_reactions_count", "akkoma", "dislikes_count", "liked_by", "favourited_by", "reblogged_by", "context",
  ]

  static func read(from decoder: any Decoder) throws -> WrittenQwink {
    let qwink = try RowEntity.read(from: decoder)
    let members = try [String: ParameterValue](from: decoder)
    var names = members.filter { Self.isLost($0.key, $0.value, in: qwink) }.map { SafeText.line($0.key) }
    if case .text(let visibility) = members["visibility"], Visibility(rawValue: visibility) == nil {
      names.append("visibility")
    }
    return WrittenQwink(qwink, unsupported: names.sorted())
  }

  private static func isLost(_ name: String, _ value: ParameterValue, in qwink: Qwink) -> Bool {
    switch name {
    // Rules that no policy of the API has can't be posted.
    case "quote_approval":
      qwink.visibility.hasQuotePolicy && qwink.quoteApproval.map { $0.policy == nil } ?? false
    case "interaction_policy":
      ["can_favourite", "can_reply", "can_reblog"].contains { name in
        let rule = value.member(name)
        return restricts(rule?.member("automatic_approval") ?? rule?.member("always"), in: qwink)
      }
    case "content_type": !value.isUnset && value != .text("text/plain")
    case "pleroma": value.member("expires_at")?.isUnset == false
    default: !known.contains(name) && !computed.contains(name) && !value.isUnset
    }
  }

  /// Whether a policy allows an interaction only to some readers of a public or unlisted qwink. The usual policy lists
  /// `public`, which means everyone.
  private static func restricts(_ policy: ParameterValue?, in qwink: Qwink) -> Bool {
    guard case .list(let groups) = policy, qwink.visibility == .public || qwink.visibility == .unlisted else {
      return false
    }
    return !groups.contains(.text("public"))
  }
}

extension ParameterValue {
  /// Returns a member of an object. Nil for other values.
  fileprivate func member(_ name: String) -> ParameterValue? {
    if case .members(let members) = self { members[name] } else { nil }
  }

  /// Whether the value is empty or a server's default for an unset field.
  fileprivate var isUnset: Bool { isBlank || self == .flag(false) || self == .number("0") }
}
