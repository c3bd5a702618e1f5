import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Instance/>
enum InstanceV2Entity: WireEntity {
  /// The first version of Mastodon's API with quotes.
  private static let quotesVersion = 7
  /// The first version of Mastodon's API with words for notifications of unknown kinds.
  private static let describingVersion = 10

  static func read(_ fields: WireFields) throws -> ServerInfo {
    let configuration = fields.object("configuration")
    var info = ServerInfo(
      uri: try fields.requiredString("domain"), title: fields.text("title"), version: fields.text("version"),
      summary: fields.text("description"), streaming: configuration?.object("urls")?.string("streaming"),
      limits: configuration.map { InstanceLimits.limits($0) } ?? InstanceLimits.defaults(characters: nil))
    let registrations = fields.object("registrations")
    info.isOpen = registrations.map { $0.flag("enabled") && !$0.flag("approval_required") } ?? false
    info.rules = fields.models("rules", of: RuleEntity.self)
    info.describesNotifications = (fields.object("api_versions")?.int("mastodon") ?? 0) >= describingVersion
    info.thumbnailURL = SafeURL.link([fields.object("thumbnail")?.string("url"), fields.string("thumbnail")])
    info.supportsQuotes = fields.object("api_versions")?.int("mastodon").map { $0 >= quotesVersion }
    if let users = fields.object("usage")?.object("users") {
      let stats = ServerInfo.Stats(active: users.count("active_month"))
      info.stats = stats.isUnknown ? nil : stats
    }
    return info
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
        writer.field("translation") { $0.field("enabled", !info.limits.lacking.contains(.translation)) }
      }
      writer.field("registrations") { writer in
        writer.field("enabled", info.isOpen)
        writer.field("approval_required", false)
        writer.nullField("message")
      }
      // Version 2 tells clients that grouped notifications are supported.
      let version = info.describesNotifications ? describingVersion : info.supportsQuotes.map { $0 ? quotesVersion : 2 }
      writer.field("api_versions") { writer in
        if let version { writer.field("mastodon", version) }
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
