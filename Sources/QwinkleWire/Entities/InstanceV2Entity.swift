import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Instance/>
struct InstanceV2Entity: WireEntity {
  var domain: String
  var title: String
  var summary: String
  var version: String
  var streaming: String?
  var limits: InstanceLimits?

  enum CodingKeys: String, CodingKey {
    case domain, title, description, version, configuration
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    domain = try container.requiredString(.domain)
    title = container.text(.title)
    summary = container.text(.description)
    version = container.text(.version)
    limits = container.entity(.configuration)
    streaming = limits?.streaming
  }

  var model: ServerInfo {
    ServerInfo(
      uri: domain, title: title, version: version, summary: summary, streaming: streaming,
      limits: limits?.model(characters: nil) ?? InstanceLimits.defaults(characters: nil))
  }

  static func write(_ info: ServerInfo, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("domain", info.domain)
      writer.field("title", info.title)
      writer.field("version", info.version)
      writer.field("source_url", "")
      writer.field("description", HTMLText.escaped(info.summary))
      writer.field("usage") { $0.field("users") { $0.field("active_month", 0) } }
      writer.field("thumbnail") { $0.field("url", "") }
      writer.emptyList("icon")
      writer.emptyList("languages")
      writer.field("configuration") { writer in
        writer.field("urls") { $0.field("streaming", info.streamingURL ?? "") }
        InstanceLimits.write(info.limits, to: &writer)
        writer.field("translation") { $0.field("enabled", false) }
      }
      writer.field("registrations") { writer in
        writer.field("enabled", false)
        writer.field("approval_required", false)
        writer.nullField("message")
      }
      writer.field("api_versions") { $0.field("mastodon", 1) }
      writer.field("contact") { writer in
        writer.field("email", "")
        writer.nullField("account")
      }
      writer.emptyList("rules")
    }
  }
}
