import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/V1_Instance/>
struct InstanceV1Entity: WireEntity {
  let model: ServerInfo

  enum CodingKeys: String, CodingKey {
    case uri, title, description, version, urls, configuration, registrations, rules, stats, thumbnail
    case needsApproval = "approval_required"
    case shortDescription = "short_description"
    // Pleroma uses these fields instead of `configuration`.
    case maxTootChars = "max_toot_chars"
    case pollLimits = "poll_limits"
    case uploadLimit = "upload_limit"
    case descriptionLimit = "description_limit"
    case maxMediaAttachments = "max_media_attachments"
  }

  private enum StatsKeys: String, CodingKey {
    case users = "user_count"
    case posts = "status_count"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let short = container.text(.shortDescription)
    var info = ServerInfo(
      uri: try container.requiredString(.uri), title: container.text(.title), version: container.text(.version),
      summary: short.isEmpty ? container.text(.description) : short,
      streaming: container.string("streaming_api", in: .urls), limits: Self.limits(in: container))
    info.isFirstVersion = true
    info.isOpen = container.flag(.registrations) && !container.flag(.needsApproval)
    info.rules = container.models(.rules, of: RuleEntity.self)
    info.thumbnailURL = container.link(.thumbnail)
    if let stats = try? container.nestedContainer(keyedBy: StatsKeys.self, forKey: .stats) {
      let stats = ServerInfo.Stats(users: stats.count(.users), posts: stats.count(.posts))
      info.stats = stats.isUnknown ? nil : stats
    }
    model = info
  }

  private static func limits(in container: KeyedDecodingContainer<CodingKeys>) -> ServerInfo.Limits {
    let characters = container.int(.maxTootChars)
    if let configuration = container.entity(.configuration, as: InstanceLimits.self) {
      return configuration.model(characters: characters)
    }
    var limits = InstanceLimits.defaults(characters: characters, attachments: container.int(.maxMediaAttachments))
    if let polls = container.entity(.pollLimits, as: InstanceLimits.Polls.self) { limits.polls = polls.limits }
    let (bytes, altText) = (container.count(.uploadLimit), container.count(.descriptionLimit))
    if bytes > 0 || altText > 0 {
      var uploads = ServerInfo.Uploads(types: [], bytes: bytes, pixels: 0, altTextCharacters: altText)
      uploads.videoBytes = bytes
      limits.uploads = uploads
    }
    return limits
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
