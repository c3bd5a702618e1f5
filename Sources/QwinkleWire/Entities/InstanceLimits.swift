import FoundationEssentials
import QwinkleModel
import SafeText

/// The `configuration` of an instance, in either version.
struct InstanceLimits: Decodable {
  let streaming: String?
  private let characters: Int?
  private let charactersPerLink: Int?
  private let attachments: Int?

  enum CodingKeys: String, CodingKey {
    case urls, statuses
  }

  enum StatusesKeys: String, CodingKey {
    case characters = "max_characters"
    case charactersPerLink = "characters_reserved_per_url"
    case attachments = "max_media_attachments"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let statuses = try? container.nestedContainer(keyedBy: StatusesKeys.self, forKey: .statuses)
    streaming = container.string("streaming", in: .urls)
    characters = statuses?.int(.characters)
    charactersPerLink = statuses?.int(.charactersPerLink)
    attachments = statuses?.int(.attachments)
  }

  /// The limits; `characters` applies if the configuration has no such limit.
  func model(characters: Int?) -> ServerInfo.Limits {
    var limits = Self.defaults(characters: characters)
    if let most = Self.sensible(self.characters) { limits.characters = most }
    if let perLink = Self.sensible(charactersPerLink, most: Self.mostPerLink) {
      limits.charactersPerLink = perLink
    }
    if let attachments, attachments >= 0 {
      limits.attachments = min(attachments, Self.mostAttachments)
    }
    return limits
  }

  static func defaults(characters: Int?) -> ServerInfo.Limits {
    var limits = ServerInfo.Limits()
    if let most = sensible(characters) { limits.characters = most }
    return limits
  }

  static func write(_ limits: ServerInfo.Limits, to writer: inout JSONWriter) {
    writer.field("accounts") { writer in
      writer.field("max_featured_tags", 10)
      writer.field("max_pinned_statuses", 5)
    }
    writer.field("statuses") { writer in
      writer.field("max_characters", limits.characters)
      writer.field("max_media_attachments", limits.attachments)
      writer.field("characters_reserved_per_url", limits.charactersPerLink)
    }
    writer.field("media_attachments") { writer in
      writer.field("supported_mime_types", limits.uploads?.types ?? []) { $0.string($1) }
      writer.field("description_limit", limits.uploads?.altTextCharacters ?? 0)
      writer.field("image_size_limit", limits.uploads?.bytes ?? 0)
      writer.field("image_matrix_limit", limits.uploads?.pixels ?? 0)
      writer.field("video_size_limit", 0)
      writer.field("video_matrix_limit", 0)
      writer.field("video_frame_rate_limit", 0)
    }
    writer.field("polls") { writer in
      writer.field("max_options", 4)
      writer.field("max_characters_per_option", 50)
      writer.field("min_expiration", 300)
      writer.field("max_expiration", 2_629_746)
    }
  }

  /// A server that claims more doesn't count them.
  private static let mostCharacters = 100_000_000
  private static let mostPerLink = 10_000
  private static let mostAttachments = 1000

  private static func sensible(_ number: Int?, most: Int = mostCharacters) -> Int? {
    number.flatMap { $0 > 0 ? min($0, most) : nil }
  }
}

extension ServerInfo {
  /// The description of an instance, in either version, made safe. `uri` may be a host or a URL.
  init(uri: String, title: String, version: String, summary: String, streaming: String?, limits: Limits) {
    let origin = SafeText.line(uri).trimmed()
    let host = SafeURL.origin(of: origin).flatMap { $0.split(separator: "/").last.map(String.init) } ?? origin
    let name = SafeText.line(title).trimmed()
    self.init(
      title: name.isEmpty ? host : name, domain: host, version: SafeText.line(version).trimmed(),
      summary: HTMLReader.richText(from: summary).plainText, streamingURL: SafeURL.stream(streaming), limits: limits)
  }
}
