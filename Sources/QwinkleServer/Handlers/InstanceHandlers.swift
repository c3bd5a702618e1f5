import HTTPTypes
import QwinkleModel

/// Information about the service.
enum InstanceHandlers {
  /// The API's version and this implementation's, in the format that clients know.
  static let version = "2.7.2 (compatible; Qwinkle 0.1.0)"
  static let limits = ServerInfo.Limits()

  static let routes = [
    Route(.get, "/health", .open) { _, _ in ServiceResponse(.text("OK")) },
    Route(.get, "/api/v1/instance", .open) { request, _ in ServiceResponse(.serverInfoV1(info(request.origin))) },
    Route(.get, "/api/v2/instance", .open) { request, _ in ServiceResponse(.serverInfoV2(info(request.origin))) },
    Route(.get, "/api/v1/preferences", .required) { _, session in
      let settings = try session.postingSettings(of: session.me())
      return ServiceResponse(.json(SmallJSON.bytes(Preferences(settings: settings))))
    },
  ]

  private static func info(_ origin: Origin) -> ServerInfo {
    ServerInfo(
      title: "Qwinkle", domain: origin.authority, version: version,
      summary: "Short updates about what is happening.",
      streamingURL: "\(origin.scheme == "https" ? "wss" : "ws")://\(origin.authority)", limits: limits)
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
