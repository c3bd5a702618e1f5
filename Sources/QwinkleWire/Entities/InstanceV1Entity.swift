import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/V1_Instance/>
struct InstanceV1Entity: WireEntity {
  let model: ServerInfo

  enum CodingKeys: String, CodingKey {
    case uri, title, description, version, urls, configuration
    case shortDescription = "short_description"
    // Pleroma says here what others say in `configuration`.
    case maxTootChars = "max_toot_chars"
    case pollLimits = "poll_limits"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let short = container.text(.shortDescription)
    let characters = container.int(.maxTootChars)
    let configuration = container.entity(.configuration, as: InstanceLimits.self)
    var limits = configuration?.model(characters: characters) ?? InstanceLimits.defaults(characters: characters)
    if configuration == nil, let polls = container.entity(.pollLimits, as: InstanceLimits.Polls.self) {
      limits.polls = polls.limits
    }
    var info = ServerInfo(
      uri: try container.requiredString(.uri), title: container.text(.title), version: container.text(.version),
      summary: short.isEmpty ? container.text(.description) : short,
      streaming: container.string("streaming_api", in: .urls), limits: limits)
    info.isFirstVersion = true
    model = info
  }

  static func write(_ info: ServerInfo, to writer: inout JSONWriter) {
    let summary = HTMLText.escaped(info.summary)
    writer.object { writer in
      writer.field("uri", info.domain)
      writer.field("title", info.title)
      writer.field("short_description", summary)
      writer.field("description", summary)
      writer.field("email", "")
      writer.field("version", info.version)
      writer.field("urls") { $0.field("streaming_api", info.streamingURL ?? "") }
      writer.field("stats") { writer in
        writer.field("user_count", info.stats?.users ?? 0)
        writer.field("status_count", info.stats?.posts ?? 0)
        writer.field("domain_count", 1)
      }
      if let url = info.thumbnailURL { writer.field("thumbnail", url) } else { writer.nullField("thumbnail") }
      writer.emptyList("languages")
      writer.field("registrations", info.isOpen)
      writer.field("approval_required", false)
      writer.field("invites_enabled", false)
      writer.field("configuration") { InstanceLimits.write(info.limits, to: &$0) }
      writer.nullField("contact_account")
      writer.key("rules")
      RuleEntity.write(info.rules, to: &writer)
    }
  }
}
