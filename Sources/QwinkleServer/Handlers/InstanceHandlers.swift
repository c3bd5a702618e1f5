import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Information about the service.
enum InstanceHandlers {
  /// The version in the format that clients parse: first the Mastodon version whose API the service implements, then
  /// the program's own version.
  static let version = "4.3.0 (compatible; Qwinkle \(ProgramVersion.current))"
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
      ServiceResponse(WireEncoder.serverInfoV1, try info(request.origin, transaction))
    },
    Route(.get, "/api/v2/instance", .open) { request, transaction in
      ServiceResponse(WireEncoder.serverInfoV2, try info(request.origin, transaction))
    },
    Route(.get, "/api/v1/instance/rules", .open) { _, transaction in
      ServiceResponse(WireEncoder.rules, try transaction.rules())
    },
    Route(.get, "/api/v1/preferences", .required) { _, transaction in
      let settings = try transaction.postingSettings(of: transaction.me())
      return ServiceResponse {
        $0.object { writer in
          writer.field("posting:default:language", settings.language)
          writer.field("posting:default:quote_policy", settings.quotePolicy.rawValue)
          writer.field("posting:default:sensitive", settings.isSensitive)
          writer.field("posting:default:visibility", settings.visibility.rawValue)
          writer.field("reading:expand:media", "default")
          writer.field("reading:expand:spoilers", false)
        }
      }
    },
  ]

  private static func info(_ origin: BaseURL, _ transaction: Transaction) throws -> ServerInfo {
    var info = ServerInfo(
      title: "Qwinkle", domain: origin.authority, version: version,
      summary: "Short updates about what is happening.",
      streamingURL: "\(origin.scheme == "https" ? "wss" : "ws")://\(origin.authority)", limits: limits)
    // A translation needs an outside service, which would receive the users' posts.
    info.limits.lacking.insert(.translation)
    info.thumbnailURL = origin.url("/thumbnail.png")
    info.supportsQuotes = true
    info.isOpen = transaction.terms.isOpen
    info.rules = try transaction.rules()
    info.stats = try transaction.publicStats()
    return info
  }
}
