import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Information about the service.
enum InstanceHandlers {
  static let programVersion = "0.1.0"
  /// The version in the format that clients parse: first the Mastodon version whose API the service implements, then
  /// the program's own version.
  static let version = "4.3.0 (compatible; Qwinkle \(programVersion))"
  static let limits = {
    var limits = ServerInfo.Limits(attachments: MediaHandlers.mostOfPost)
    limits.uploads = ServerInfo.Uploads(
      types: Picture.Kind.allCases.map(\.type), bytes: Picture.mostBytes, pixels: Picture.mostPixels,
      altTextCharacters: MediaHandlers.mostAltTextCharacters)
    return limits
  }()

  static let routes = [
    Route(.get, "/health", .open) { _, _ in ServiceResponse(.text("OK")) },
    Route(.get, "/api/v1/instance", .open) { request, transaction in
      ServiceResponse(.serverInfoV1(try info(request.origin, transaction)))
    },
    Route(.get, "/api/v2/instance", .open) { request, transaction in
      ServiceResponse(.serverInfoV2(try info(request.origin, transaction)))
    },
    Route(.get, "/api/v1/instance/rules", .open) { _, transaction in
      ServiceResponse(.json(WireEncoder.rules(transaction.terms.numberedRules)))
    },
    Route(.get, "/api/v1/preferences", .required) { _, transaction in
      let settings = try transaction.postingSettings(of: transaction.me())
      return ServiceResponse(.json(SmallJSON.bytes(Preferences(settings: settings))))
    },
  ]

  private static func info(_ origin: Origin, _ transaction: Transaction) throws -> ServerInfo {
    var info = ServerInfo(
      title: "Qwinkle", domain: origin.authority, version: version,
      summary: "Short updates about what is happening.",
      streamingURL: "\(origin.scheme == "https" ? "wss" : "ws")://\(origin.authority)", limits: limits)
    info.thumbnailURL = origin.url("/thumbnail.png")
    info.isOpen = transaction.terms.isOpen
    info.rules = transaction.terms.numberedRules
    info.stats = try transaction.publicStats()
    return info
  }

  private struct Preferences: Encodable {
    var settings: PostingSettings
    var media = "default"
    var opensWarnings = false

    enum CodingKeys: String, CodingKey {
      case visibility = "posting:default:visibility"
      case isSensitive = "posting:default:sensitive"
      case language = "posting:default:language"
      case media = "reading:expand:media"
      case opensWarnings = "reading:expand:spoilers"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(settings.visibility.rawValue, forKey: .visibility)
      try container.encode(settings.isSensitive, forKey: .isSensitive)
      try container.encode(settings.language, forKey: .language)
      try container.encode(media, forKey: .media)
      try container.encode(opensWarnings, forKey: .opensWarnings)
    }
  }
}
