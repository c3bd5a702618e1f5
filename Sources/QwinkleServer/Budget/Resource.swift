/// A resource that clients share, with its limits in ``limit``. ``Budget`` also limits the password attempts for a
/// name, and ``FrontLimits`` has the limits of a single connection. Raw values are names for operators.
enum Resource: String, CaseIterable, Sendable {
  // Amounts that are in use until they are released.
  case connections = "open connections"
  case requests = "requests waiting for an answer"
  case requestBytes = "bytes of requests in memory"
  case responseBytes = "bytes of unread answers and events"
  case uploads = "uploads in progress"
  case streams
  case subscriptions = "timelines, lists and hashtags followed on streams"
  case passwordChecks = "passwords waiting to be checked"

  // Events that are counted over time.
  case requestRate = "requests"
  case posts
  case postsAMinute = "posts a minute"
  case edits
  case media = "uploads"
  case imports = "imported posts and pictures"
  case apps = "apps registered, and tokens for apps"
  case registrations = "accounts registered"
  case guesses = "passwords tried"

  // Work for which clients take turns.
  case reads = "reads of the database"
  case longReads
  case writes = "writes to the database"
  case largeRequests
  case passwordTurns = "passwords being checked"

  enum Limit: Sendable {
    /// Maximum amounts in use at once, by one client and by all clients together.
    ///
    /// A client that uses little, and less than an equal share, is served even if `ofAll` is reached, up to one and a
    /// half times `ofAll` in total. A full server therefore stays usable for modest clients.
    case held(ofOne: Int, ofAll: Int)
    /// Maximum number of events in each period, for an account, and for an address or a uid.
    case window(ofAccount: Int, ofAddress: Int, period: Duration)
    /// `burst` events at once, then one per interval. Faster clients are delayed or refused.
    case pace(burst: Int, interval: Duration)
    /// Maximum number of concurrent operations. The waiting client with the lowest recent use is next.
    case turns(Int)

    static func postsAMinute(_ count: Int) -> Limit {
      .window(ofAccount: count, ofAddress: 10 * count, period: .seconds(60))
    }
  }

  var limit: Limit {
    switch self {
    case .connections: .held(ofOne: 256, ofAll: 4096)
    case .requests: .held(ofOne: 256, ofAll: 4096)
    case .requestBytes: .held(ofOne: 4 << 20, ofAll: 16 << 20)
    case .responseBytes: .held(ofOne: 4 << 20, ofAll: 16 << 20)
    case .uploads: .held(ofOne: 4, ofAll: 64)
    case .streams: .held(ofOne: 64, ofAll: 2048)
    case .subscriptions: .held(ofOne: 6400, ofAll: 50_000)
    case .passwordChecks: .held(ofOne: 6, ofAll: 512)
    case .requestRate: .pace(burst: 500, interval: .milliseconds(10))
    case .posts, .edits: .window(ofAccount: 300, ofAddress: 3000, period: .seconds(3 * 60 * 60))
    case .postsAMinute: .postsAMinute(ServiceQuotas().postsAMinute)
    case .media: .window(ofAccount: 30, ofAddress: 300, period: .seconds(30 * 60))
    case .imports: .window(ofAccount: 50_000, ofAddress: 500_000, period: .seconds(24 * 60 * 60))
    case .apps: .window(ofAccount: 30, ofAddress: 60, period: .seconds(10 * 60))
    case .registrations: .window(ofAccount: 5, ofAddress: 5, period: .seconds(30 * 60))
    case .guesses: .pace(burst: 30, interval: .seconds(3))
    case .reads: .turns(Readers.places)
    case .longReads: .turns(Readers.places - 1)
    case .writes, .passwordTurns: .turns(1)
    case .largeRequests: .turns(2)
    }
  }

  /// The name of the resource, for operators.
  var words: String {
    switch self {
    case .longReads: "reads that take longer than \(Turns.quickRead.inMilliseconds) ms"
    case .largeRequests: "requests longer than \(BodyBuffer.mostBytesInMemory >> 10) KB being processed"
    default: rawValue
    }
  }

  /// The limits per period that count posts.
  static let ofPosts: [Resource] = [.postsAMinute, .posts]

  /// Returns the resources whose limits per period count the requests of a route, the shortest period first.
  static func limits(of method: String, at pattern: [String]) -> [Resource] {
    switch (method, pattern.joined(separator: "/")) {
    case ("POST", "api/v1/statuses"): ofPosts
    case ("PUT", "api/v1/statuses/:id"): [.edits]
    case ("POST", "api/v1/media"), ("POST", "api/v2/media"): [.media]
    case ("POST", "api/v1/apps"): [.apps]
    case ("POST", "api/qwinkle/v1/import/media"), ("POST", "api/qwinkle/v1/import/statuses"): [.imports]
    default: []
    }
  }
}

extension Duration {
  fileprivate var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
