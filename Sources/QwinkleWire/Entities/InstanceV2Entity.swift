import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Instance/>
struct InstanceV2Entity: WireEntity {
  let model: ServerInfo

  enum CodingKeys: String, CodingKey {
    case domain, title, description, version, configuration, registrations, rules, thumbnail, usage
  }

  /// Keys of nested objects.
  private enum InnerKeys: String, CodingKey {
    case enabled, users
    case needsApproval = "approval_required"
    case active = "active_month"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let limits = container.entity(.configuration, as: InstanceLimits.self)
    var info = ServerInfo(
      uri: try container.requiredString(.domain), title: container.text(.title), version: container.text(.version),
      summary: container.text(.description), streaming: limits?.streaming,
      limits: limits?.model(characters: nil) ?? InstanceLimits.defaults(characters: nil))
    let registrations = try? container.nestedContainer(keyedBy: InnerKeys.self, forKey: .registrations)
    info.isOpen = registrations.map { $0.flag(.enabled) && !$0.flag(.needsApproval) } ?? false
    info.rules = container.models(.rules, of: RuleEntity.self)
    info.thumbnailURL = SafeURL.link([container.string("url", in: .thumbnail), container.string(.thumbnail)])
    let usage = try? container.nestedContainer(keyedBy: InnerKeys.self, forKey: .usage)
    if let users = try? usage?.nestedContainer(keyedBy: InnerKeys.self, forKey: .users) {
      let stats = ServerInfo.Stats(active: users.count(.active))
      info.stats = stats.isUnknown ? nil : stats
    }
    model = info
  }

  static func write(_ info: ServerInfo, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("domain", info.domain)
      writer.field("title", info.title)
      writer.field("version", info.version)
      writer.field("source_url", "")
      writer.field("description", HTMLText.escaped(info.summary))
      writer.field("usage") { $0.field("users") { $0.field("active_month", info.stats?.active ?? 0) } }
      writer.field("thumbnail") { $0.field("url", info.thumbnailURL ?? "") }
      writer.emptyList("icon")
      writer.emptyList("languages")
      writer.field("configuration") { writer in
        writer.field("urls") { $0.field("streaming", info.streamingURL ?? "") }
        InstanceLimits.write(info.limits, to: &writer)
        writer.field("translation") { $0.field("enabled", false) }
      }
      writer.field("registrations") { writer in
        writer.field("enabled", info.isOpen)
        writer.field("approval_required", false)
        writer.nullField("message")
      }
      // Version 2 tells clients that grouped notifications are supported.
      writer.field("api_versions") { writer in
        writer.field("mastodon", 2)
        writer.field("qwinkle", 1)
      }
      writer.field("contact") { writer in
        writer.field("email", "")
        writer.nullField("account")
      }
      writer.key("rules")
      RuleEntity.write(info.rules, to: &writer)
    }
  }
}
