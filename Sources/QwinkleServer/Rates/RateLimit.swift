import HTTPTypes

/// What may be done so often in a period of time, by one account and by all at one address.
enum RateLimit: Sendable {
  case posts, edits, media, apps
  /// Users who register themselves.
  case registrations

  /// What a route counts as; nil if it has no limit.
  static func limit(of method: HTTPRequest.Method, at pattern: [String]) -> RateLimit? {
    switch (method, pattern.joined(separator: "/")) {
    case (.post, "api/v1/statuses"): .posts
    case (.put, "api/v1/statuses/:id"): .edits
    case (.post, "api/v1/media"), (.post, "api/v2/media"): .media
    case (.post, "api/v1/apps"): .apps
    default: nil
    }
  }

  var period: Duration {
    switch self {
    case .posts, .edits: .seconds(3 * 60 * 60)
    case .media, .registrations: .seconds(30 * 60)
    case .apps: .seconds(10 * 60)
    }
  }

  var mostOfAccount: Int {
    switch self {
    case .posts, .edits: 300
    case .media, .apps: 30
    case .registrations: 5
    }
  }

  /// Several people may share an address.
  var mostOfClient: Int {
    switch self {
    case .posts, .edits: 3000
    case .media: 300
    case .registrations: 5
    case .apps: 60
    }
  }
}
