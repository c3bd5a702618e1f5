import FoundationEssentials
import QwinkleModel
import SafeText

/// The `configuration` of an instance, in either API version.
struct InstanceLimits: Decodable {
  let streaming: String?
  private let characters: Int?
  private let charactersPerLink: Int?
  private let attachments: Int?
  private let uploads: ServerInfo.Uploads?
  private let polls: ServerInfo.PollLimits
  private let lacking: Set<Ability>

  enum CodingKeys: String, CodingKey {
    case urls, statuses, polls
    case media = "media_attachments"
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
    uploads = container.entity(.media, as: Media.self)?.uploads
    polls = container.entity(.polls, as: Polls.self)?.limits ?? ServerInfo.PollLimits()
    // A server that omits `polls` or `media_attachments` lacks that ability. If `statuses` is missing too, the
    // configuration is only incomplete.
    let mentioned = Set(container.allKeys)
    lacking =
      statuses == nil
      ? [] : Set([(CodingKeys.polls, Ability.polls), (.media, .uploads)].filter { !mentioned.contains($0.0) }.map(\.1))
  }

  /// Returns the limits. `characters` applies if the configuration has no valid character limit.
  func model(characters: Int?) -> ServerInfo.Limits {
    var limits = Self.defaults(characters: self.characters, attachments: attachments)
    if Self.sensible(self.characters) == nil, let most = Self.sensible(characters) { limits.characters = most }
    if let perLink = Self.sensible(charactersPerLink, most: Self.mostPerLink) {
      limits.charactersPerLink = perLink
    }
    limits.uploads = uploads
    limits.polls = polls
    limits.lacking = lacking
    return limits
  }

  /// Limits on uploads.
  private struct Media: Decodable {
    let uploads: ServerInfo.Uploads?

    enum CodingKeys: String, CodingKey {
      case types = "supported_mime_types"
      case altText = "description_limit"
      case bytes = "image_size_limit"
      case pixels = "image_matrix_limit"
      case videoBytes = "video_size_limit"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var uploads = ServerInfo.Uploads(
        types: container.list(.types, of: String.self).map { SafeText.line($0) }, bytes: container.count(.bytes),
        pixels: container.count(.pixels), altTextCharacters: container.count(.altText))
      uploads.videoBytes = container.count(.videoBytes)
      self.uploads = uploads.types.isEmpty && uploads.bytes == 0 && uploads.altTextCharacters == 0 ? nil : uploads
    }
  }

  struct Polls: Decodable {
    let limits: ServerInfo.PollLimits

    enum CodingKeys: String, CodingKey {
      case options = "max_options"
      case characters = "max_characters_per_option"
      /// Pleroma's name for the same limit.
      case optionCharacters = "max_option_chars"
      case fewestSeconds = "min_expiration"
      case mostSeconds = "max_expiration"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let usual = ServerInfo.PollLimits()
      let fewest = max(1, container.int(.fewestSeconds) ?? usual.seconds.lowerBound)
      limits = ServerInfo.PollLimits(
        options: max(2, container.int(.options) ?? usual.options),
        charactersPerOption: max(
          1, container.int(.characters) ?? container.int(.optionCharacters) ?? usual.charactersPerOption),
        seconds: fewest...max(fewest, container.int(.mostSeconds) ?? usual.seconds.upperBound))
    }
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
      writer.field("max_featured_tags", 10)
      writer.field("max_pinned_statuses", 5)
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
