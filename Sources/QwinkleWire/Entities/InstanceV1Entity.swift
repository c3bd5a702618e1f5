import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/V1_Instance/>
struct InstanceV1Entity: WireEntity {
  var uri: String
  var title: String
  var summary: String
  var version: String
  var streaming: String?
  var characters: Int?
  var limits: InstanceLimits?

  enum CodingKeys: String, CodingKey {
    case uri, title, description, version, urls, configuration
    case shortDescription = "short_description"
    case maxTootChars = "max_toot_chars"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    uri = try container.requiredString(.uri)
    title = container.text(.title)
    let short = container.text(.shortDescription)
    summary = short.isEmpty ? container.text(.description) : short
    version = container.text(.version)
    streaming = container.string("streaming_api", in: .urls)
    characters = container.int(.maxTootChars)
    limits = container.entity(.configuration)
  }

  var model: ServerInfo {
    var info = ServerInfo(
      uri: uri, title: title, version: version, summary: summary, streaming: streaming,
      limits: limits?.model(characters: characters) ?? InstanceLimits.defaults(characters: characters))
    info.isFirstVersion = true
    return info
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
        writer.field("user_count", 0)
        writer.field("status_count", 0)
        writer.field("domain_count", 0)
      }
      writer.nullField("thumbnail")
      writer.emptyList("languages")
      writer.field("registrations", false)
      writer.field("approval_required", false)
      writer.field("invites_enabled", false)
      writer.field("configuration") { InstanceLimits.write(info.limits, to: &$0) }
      writer.nullField("contact_account")
      writer.emptyList("rules")
    }
  }
}
