import QwinkleModel
import SafeText

/// The `configuration` of an instance, in either API version.
enum InstanceLimits {
  /// Reads the limits. `characters` applies if the configuration has no valid character limit.
  static func limits(_ fields: WireFields, characters: Int? = nil) -> ServerInfo.Limits {
    let statuses = fields.object("statuses")
    var limits = defaults(
      characters: sensible(statuses?.int("max_characters")) ?? characters,
      attachments: statuses?.int("max_media_attachments"))
    if let perLink = sensible(statuses?.int("characters_reserved_per_url"), most: mostPerLink) {
      limits.charactersPerLink = perLink
    }
    limits.uploads = fields.object("media_attachments").flatMap(uploads)
    if let accounts = fields.object("accounts") { limits.profile = profile(accounts) }
    if let polls = fields.object("polls") { limits.polls = Self.polls(polls) }
    // Servers before Mastodon 4.2 don't describe translations.
    if fields.object("translation")?.bool("enabled") == false { limits.lacking.insert(.translation) }
    // A server that omits `polls` or `media_attachments` lacks that ability. If `statuses` is missing too, the
    // configuration is incomplete and proves nothing.
    if statuses != nil {
      if !fields.contains("polls") { limits.lacking.insert(.polls) }
      if !fields.contains("media_attachments") { limits.lacking.insert(.uploads) }
    }
    return limits
  }

  private static func uploads(_ fields: WireFields) -> ServerInfo.Uploads? {
    var uploads = ServerInfo.Uploads(
      types: fields.list("supported_mime_types", of: String.self).map { SafeText.line($0) },
      bytes: fields.count("image_size_limit"), pixels: fields.count("image_matrix_limit"),
      altTextCharacters: fields.count("description_limit"))
    uploads.videoBytes = fields.count("video_size_limit")
    return uploads.types.isEmpty && uploads.bytes == 0 && uploads.altTextCharacters == 0 ? nil : uploads
  }

  private static func profile(_ fields: WireFields) -> ServerInfo.ProfileLimits {
    var limits = ServerInfo.ProfileLimits()
    limits.name = sensible(fields.int("max_display_name_length")) ?? limits.name
    limits.note = sensible(fields.int("max_note_length")) ?? limits.note
    if let fields = fields.int("max_profile_fields"), fields >= 0 { limits.fields = min(fields, mostFields) }
    limits.fieldName = sensible(fields.int("profile_field_name_limit")) ?? limits.fieldName
    limits.fieldValue = sensible(fields.int("profile_field_value_limit")) ?? limits.fieldValue
    limits.featuredTags = sensible(fields.int("max_featured_tags")) ?? limits.featuredTags
    return limits
  }

  static func polls(_ fields: WireFields) -> ServerInfo.PollLimits {
    let usual = ServerInfo.PollLimits()
    let fewest = max(1, fields.int("min_expiration") ?? usual.seconds.lowerBound)
    // `max_option_chars` is Pleroma's name.
    let characters = fields.int("max_characters_per_option") ?? fields.int("max_option_chars")
    return ServerInfo.PollLimits(
      options: max(2, fields.int("max_options") ?? usual.options),
      charactersPerOption: max(1, characters ?? usual.charactersPerOption),
      seconds: fewest...max(fewest, fields.int("max_expiration") ?? usual.seconds.upperBound))
  }

  /// Returns Mastodon's limits, with each valid argument in place of Mastodon's value.
  static func defaults(characters: Int?, attachments: Int? = nil) -> ServerInfo.Limits {
    var limits = ServerInfo.Limits()
    if let most = sensible(characters) { limits.characters = most }
    if let attachments, attachments >= 0 { limits.attachments = min(attachments, mostAttachments) }
    return limits
  }

  static func write(_ limits: ServerInfo.Limits, to writer: inout JSONWriter) {
    writer.field("accounts") { writer in
      writer.field("max_featured_tags", limits.profile.featuredTags)
      writer.field("max_pinned_statuses", 5)
      writer.field("max_display_name_length", limits.profile.name)
      writer.field("max_note_length", limits.profile.note)
      writer.field("max_profile_fields", limits.profile.fields)
      writer.field("profile_field_name_limit", limits.profile.fieldName)
      writer.field("profile_field_value_limit", limits.profile.fieldValue)
    }
    writer.field("statuses") { writer in
      writer.field("max_characters", limits.characters)
      writer.field("max_media_attachments", limits.attachments)
      writer.field("characters_reserved_per_url", limits.charactersPerLink)
    }
    if !limits.lacking.contains(.uploads) { writeMedia(limits, to: &writer) }
    guard !limits.lacking.contains(.polls) else { return }
    writer.field("polls") { writer in
      writer.field("max_options", limits.polls.options)
      writer.field("max_characters_per_option", limits.polls.charactersPerOption)
      writer.field("min_expiration", limits.polls.seconds.lowerBound)
      writer.field("max_expiration", limits.polls.seconds.upperBound)
    }
  }

  private static func writeMedia(_ limits: ServerInfo.Limits, to writer: inout JSONWriter) {
    writer.field("media_attachments") { writer in
      writer.field("supported_mime_types", limits.uploads?.types ?? []) { $0.string($1) }
      writer.field("description_limit", limits.uploads?.altTextCharacters ?? 0)
      writer.field("image_size_limit", limits.uploads?.bytes ?? 0)
      writer.field("image_matrix_limit", limits.uploads?.pixels ?? 0)
      writer.field("video_size_limit", limits.uploads?.videoBytes ?? 0)
      writer.field("video_matrix_limit", 0)
      writer.field("video_frame_rate_limit", 0)
    }
  }

  /// Upper bounds of the limits that a server reports. Higher values are reduced to these.
  private static let mostCharacters = 100_000_000
  private static let mostPerLink = 10_000
  private static let mostAttachments = 1000
  private static let mostFields = 20

  private static func sensible(_ number: Int?, most: Int = mostCharacters) -> Int? {
    number.flatMap { $0 > 0 ? min($0, most) : nil }
  }
}

extension ServerInfo {
  /// Creates sanitized server information for either API version. `uri` may be a host or a URL.
  init(uri: String, title: String, version: String, summary: String, streaming: String?, limits: Limits) {
    let origin = SafeText.line(uri).trimmed()
    let host = SafeURL.origin(of: origin).flatMap { $0.split(separator: "/").last.map(String.init) } ?? origin
    let name = SafeText.line(title).trimmed()
    self.init(
      title: name.isEmpty ? host : name, domain: host, version: SafeText.line(version).trimmed(),
      summary: HTMLReader.richText(from: summary).plainText, streamingURL: SafeURL.stream(streaming), limits: limits)
  }
}
