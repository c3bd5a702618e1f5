import QwinkleModel

/// <https://docs.joinmastodon.org/entities/V1_Instance/>
enum InstanceV1Entity: WireEntity {
  static func read(_ fields: WireFields) throws -> ServerInfo {
    let short = fields.text("short_description")
    var info = ServerInfo(
      uri: try fields.requiredString("uri"), title: fields.text("title"), version: fields.text("version"),
      summary: short.isEmpty ? fields.text("description") : short,
      streaming: fields.object("urls")?.string("streaming_api"), limits: Self.limits(in: fields))
    info.isFirstVersion = true
    info.isOpen = fields.flag("registrations") && !fields.flag("approval_required")
    info.rules = fields.models("rules", of: RuleEntity.self)
    info.thumbnailURL = fields.link("thumbnail")
    if let stats = fields.object("stats") {
      let stats = ServerInfo.Stats(users: stats.count("user_count"), posts: stats.count("status_count"))
      info.stats = stats.isUnknown ? nil : stats
    }
    return info
  }

  private static func limits(in fields: WireFields) -> ServerInfo.Limits {
    let characters = fields.int("max_toot_chars")
    if let configuration = fields.object("configuration") {
      return InstanceLimits.limits(configuration, characters: characters)
    }
    var limits = InstanceLimits.defaults(characters: characters, attachments: fields.int("max_media_attachments"))
    if let polls = fields.object("poll_limits") { limits.polls = InstanceLimits.polls(polls) }
    let (bytes, altText) = (fields.count("upload_limit"), fields.count("description_limit"))
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
